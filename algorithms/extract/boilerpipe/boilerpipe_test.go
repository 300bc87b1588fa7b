package boilerpipe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

var family = []*algorithms.Extractor{Default, Article, ReleasedArticle, Largest}

func TestProperties(t *testing.T) {
	for _, e := range family {
		algotest.Extractor(t, e)
		algotest.NoGarbage(t, e)
	}
}

func TestGolden(t *testing.T) { algotest.Golden(t, family...) }

// blocksOf builds the blocks of a page.
func blocksOf(html string) *built {
	var pg page.Page
	pg.Parse([]byte(html), page.Options{})
	var p algorithms.Pass
	p.Reset(&pg, "")
	return builtBlocks.Of(&p)
}

// describe writes blocks as "words/linked@level text".
func describe(t *built) []string {
	var out []string
	for i := range t.blocks {
		b := &t.blocks[i]
		out = append(out, fmt.Sprintf("%d/%d@%d %s", b.words, b.linked, b.level, t.text[b.textStart:b.textEnd]))
	}
	return out
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		why, html string
		want      []string
	}{
		{"block elements cut, inline elements do nothing", "<p>one t<b>w</b>o<p>three",
			[]string{"2/0@2 one two", "1/0@2 three"}},
		{"anchors do not cut; their words are linked", "<p>go <a href=x>right here</a> now",
			[]string{"4/2@2 go right here now"}},
		{"an anchor puts blanks around itself", "<p>a<a>b</a>c", []string{"3/1@2 a b c"}},
		{"linked words on both sides of a cut", "<p><a>x<br>y</a> z", []string{"1/1@3 x", "2/1@3 y z"}},
		{"ignorable elements drop their text and cut", "<p>a<noscript>n</noscript>b", []string{"1/0@2 a", "1/0@2 b"}},
		{"abbr puts blanks around", "<p>a<abbr>b</abbr>c", []string{"3/0@1 a b c"}},
		{"br and img cut", "x<br>y<img src=i>z", []string{"1/0@1 x", "1/0@1 y", "1/0@1 z"}},
		{"a buffer of blanks begins the next block", "<p> </p> <p>a", []string{"1/0@2 a"}},
		{"punctuation alone makes a block without words", "<p>***<p>a", []string{"0/0@2 ***", "1/0@2 a"}},
		{"a lone no-break space makes a block without words", "<p>a<p>&nbsp;<p> \u00a0\u00a0 <p>b",
			[]string{"1/0@2 a", "0/0@2 \u00a0", "0/0@2 \u00a0\u00a0", "1/0@2 b"}},
		{"so do the other spaces that Java does not take for white", "<p>a<p>\u2007<p>\u202f<p>\u0085<p>\u2003<p>b",
			[]string{"1/0@2 a", "0/0@2 \u2007", "0/0@2 \u202f", "0/0@2 \u0085", "1/0@2 b"}},
		{"a no-break space where nothing is page text makes none",
			"<p>a<p hidden>&nbsp;<div hidden><p>&nbsp;</div><svg><text>&nbsp;</text></svg><select>&nbsp;<optgroup>&nbsp;</select><template>&nbsp;</template><p>b",
			[]string{"1/0@2 a", "1/0@2 b"}},
		{"hidden text makes no block", "<p>a<p hidden>b<p>c", []string{"1/0@2 a", "1/0@2 c"}},
	} {
		got := describe(blocksOf("<body>" + c.html))
		// The level of abbr's block: the text began inside p, at level 2.
		want := c.want
		if c.why == "abbr puts blanks around" {
			want = []string{"3/0@2 a b c"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", c.why, got, want)
		}
	}
}

// A no-break space between two paragraphs is a neighbour without words: the last
// paragraph, short and after it, is no content any more.
func TestNoBreakSpace(t *testing.T) {
	long := "<p>" + strings.Repeat("words ", 20)
	for between, want := range map[string]bool{"": true, "<p> </p>": true, "<p>&nbsp;</p>": false} {
		html := "<body>" + long + between + "<p>short last"
		for _, e := range family {
			if got := strings.Contains(algotest.Text(t, e, html), "short last"); got != want {
				t.Errorf("%s, %q between: last paragraph %v, want %v", e.Name, between, got, want)
			}
		}
	}
}

func TestLabels(t *testing.T) {
	b := blocksOf("<body><ul><li>item<li><h2>head</h2></ul><div>before<h3>x</h3></div>").blocks
	want := []label{labelLI, labelLI | labelHeading, labelHeading, labelHeading}
	// The third: text directly before a heading inside one parent is emitted when
	// the heading's text arrives, with the heading's label (a quirk of the library).
	for i := range want {
		if b[i].labels != want[i] {
			t.Errorf("block %d has labels %b, want %b", i, b[i].labels, want[i])
		}
	}
}

func counted(text string) block {
	var b block
	count([]byte(text), 0, nil, &b)
	b.density()
	return b
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int32{
		"":                      0,
		"one two":               2,
		"well-known e.g. don't": 3,
		"a+b":                   2, // three tokens, two words
		"a\u00a0b":              2,
		"#hash <tag>":           2,
		"1,000.50$ (x/y)":       2,
		"... - ":                0,
		"_":                     0,
		"grün naïve 東京":         3,
		"x~":                    1,
		"ที่นี่ เมล็ด":          2, // marks above consonants
		"cafe\u0301s":           1,
		"a \u0301b":             2, // a mark of nothing: no part of the word
		"m\u00b2 2\u00bd":       4, // other numbers than digits are words by themselves
	} {
		if got := counted(text).words; got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

// Worked example (c) of the specification: 100 words of nine letters. A line
// closes at its ninth word (9*10-1 = 89 > 80), so it has eight; twelve close.
func TestTextDensity(t *testing.T) {
	b := counted(strings.Repeat("ninechars ", 100))
	if b.words != 100 || b.lines != 12 || b.wrapped != 96 || b.textDensity != 8 {
		t.Errorf("words %d, lines %d, wrapped %d, density %v; want 100, 12, 96, 8", b.words, b.lines, b.wrapped, b.textDensity)
	}
	// One line of twelve words: its density is their number (example b).
	if b := counted(strings.Repeat("word ", 12)); b.textDensity != 12 || b.lines != 1 {
		t.Errorf("density %v on %d lines, want 12 on 1", b.textDensity, b.lines)
	}
}

func verdicts(l *list) string {
	var b strings.Builder
	for i := range l.blocks {
		if l.blocks[i].content {
			b.WriteByte('+')
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}

func TestTrees(t *testing.T) {
	words := func(counts ...int32) *list {
		l := &list{}
		for _, n := range counts {
			l.blocks = append(l.blocks, block{words: n, wrapped: n, lines: 1})
			l.blocks[len(l.blocks)-1].density()
		}
		return l
	}
	// Worked example (a): 20, 20 and 3 words without links are all content; the third because of the second.
	l := words(20, 20, 3)
	if l.classifyByWords(); verdicts(l) != "+++" {
		t.Errorf("word tree says %s", verdicts(l))
	}
	// Worked example (b): a single block of density 12 has no next block of density other than 0.
	l = words(12)
	if l.classifyByDensity(); verdicts(l) != "-" {
		t.Errorf("density tree says %s", verdicts(l))
	}
	l = words(12, 12, 3, 3, 3)
	if l.classifyByDensity(); verdicts(l) != "+++--" {
		t.Errorf("density tree says %s", verdicts(l))
	}
}

func TestFilters(t *testing.T) {
	// Blocks written as letters: C content, b boilerplate, with words and level.
	make := func(spec ...block) *list { return &list{blocks: spec} }
	at := func(i int32, b block) block { b.first, b.last = i, i; return b }

	l := make(at(0, block{words: 3}), at(1, block{words: 20, content: true}), at(2, block{words: 5}))
	if l.fuseNear(1, false, false); len(l.blocks) != 2 || !l.blocks[0].content || l.blocks[0].words != 23 {
		t.Errorf("a headline before content must be swallowed into it: %+v", l.blocks)
	}
	l = make(at(0, block{words: 9, content: true, level: 2}), at(3, block{words: 9, content: true, level: 2}), at(5, block{words: 9, content: true, level: 3}))
	if l.fuseNear(1, true, true); len(l.blocks) != 3 {
		t.Errorf("blocks two apart or of other levels must not merge: %+v", l.blocks)
	}
	l = make(block{words: 40, content: true, textDensity: 10}, block{words: 30, content: true, textDensity: 10},
		block{words: 2, labels: labelEnd}, block{words: 50, content: true, textDensity: 10})
	if l.ignoreAfterEnd(60); verdicts(l) != "++--" {
		t.Errorf("after the end: %s", verdicts(l))
	}
	l = make(block{content: true}, block{content: true, labels: labelHeading}, block{}, block{content: true, labels: labelHeading})
	if l.dropTrailingHeadlines(); verdicts(l) != "+---" {
		t.Errorf("trailing headlines: %s", verdicts(l))
	}
	l = make(block{words: 200, level: 3}, block{words: 10, level: 3}, block{words: 300, level: 3, content: true}, block{words: 150, level: 3}, block{words: 1, level: 2}, block{words: 400, level: 3, content: false})
	if l.keepLargest(true, 150); verdicts(l) != "+-++--" {
		t.Errorf("largest: %s", verdicts(l))
	}
	l = make(block{labels: labelTitle}, block{labels: labelTitle | labelMaybe}, block{labels: labelMaybe}, block{}, block{content: true})
	if l.expandToTitle(); verdicts(l) != "-++-+" {
		t.Errorf("expand to title: %s", verdicts(l))
	}
	l = make(block{content: true, labels: labelLikely, level: 2}, block{level: 3, labels: labelMaybe | labelLI}, block{level: 3, labels: labelMaybe}, block{level: 3, labels: labelMaybe | labelLI})
	if l.keepListAtEnd(); verdicts(l) != "++--" {
		t.Errorf("list at end: %s", verdicts(l))
	}
	l = make(block{textDensity: 2, words: 4, wrapped: 4, lines: 2}, block{textDensity: 2, words: 2, wrapped: 2, lines: 1}, block{textDensity: 5})
	if l.fuseEqualDensity(); len(l.blocks) != 2 || l.blocks[0].words != 6 || l.blocks[0].textDensity != 2 {
		t.Errorf("equal densities: %+v", l.blocks)
	}
}

func TestTerminators(t *testing.T) {
	for text, want := range map[string]bool{
		"Comments (12)": true, "COMMENTS on this": true, "12 comments so far": true, "7 users responded in this": true,
		"© Reuters 2009": true, "Please rate this": true, "Now Add Your Comment here": true, "Rätta artikeln": true,
		"comment": false, "The comments": false, "twelve comments": false,
	} {
		if got := endsArticle(appendLower(nil, []byte(text))); got != want {
			t.Errorf("%q ends an article: %v, want %v", text, got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, c := range []struct{ title, block string }{
		{"Sieves of the north", "SIEVES OF THE NORTH!"},
		{"Sieves of the north | The Barn", "Sieves of the north"},
		{"The Barn » Tools » Sieves of the north", "Sieves of the north"},
		{"barn.com - Sieves of the north - Tools", "Sieves of the north"},
		{"Sieves - the north", "Sieves"},
		{"A farmer's sieve", "A farmers sieve"},
	} {
		l := &list{built: &built{text: []byte("menu" + c.block)}}
		l.blocks = []block{{textStart: 0, textEnd: 4}, {textStart: 4, textEnd: int32(4 + len(c.block))}}
		l.markTitle([]byte(c.title))
		if l.blocks[0].labels != 0 || l.blocks[1].labels != labelTitle {
			t.Errorf("title %q: block %q is not found", c.title, c.block)
		}
	}
	// More words or more characters, not more bytes; what follows the last
	// separator is no part if it is empty.
	for title, want := range map[string][]string{
		"harvest | news":    {"harvest | news", "harvest"},
		"abcdefg | жжжж":    {"abcdefg | жжжж", "abcdefg"}, // 7 characters against 4, 7 bytes against 8
		"harvest | |":       {"harvest | |"},
		"(harvest) weather": {"(harvest) weather", "harvest"}, // "", "harvest", "weather"
	} {
		l := &list{}
		l.markTitle([]byte(title))
		var got []string
		for _, c := range l.title.candidates {
			if s := string(l.title.text[c[0]:c[1]]); !slices.Contains(got, s) {
				got = append(got, s)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("candidates of %q: %q, want %q", title, got, want)
		}
	}
	l := &list{built: &built{text: []byte("menu")}, blocks: []block{{textEnd: 4}}}
	if l.markTitle(nil); l.blocks[0].labels != 0 {
		t.Error("a page without a title has no title block")
	}
}

// Three link lines part two texts of one level, so that they are not merged:
// the largest is the content; the other (150 words or more), with the link line
// that it swallowed, comes back in the unreleased pipeline only.
func TestSameLevel(t *testing.T) {
	links := strings.Repeat("<p><a href=x>one two three</a></p>", 3)
	html := "<body><p>" + strings.Repeat("first ", 200) + "</p>" + links + "<p>" + strings.Repeat("second ", 160) + "</p>"
	for e, want := range map[*algorithms.Extractor]string{Article: "first one two three second", ReleasedArticle: "first"} {
		words := strings.Fields(algotest.Text(t, e, html))
		if got := strings.Join(slices.Compact(words), " "); got != want {
			t.Errorf("%s: %q, want %q", e.Name, got, want)
		}
	}
}

// Two texts are fused over the link line between them, which was dropped before
// and is no part of the answer.
func TestFusedOverDropped(t *testing.T) {
	text := func(word string) string { return "<p>" + strings.Repeat(word+" ", 50) + "</p>" }
	html := "<body>" + text("first") + "<p><a href=/>elsewhere</a></p>" + "<p><a href=/>Analysis</a></p>" + text("second")
	for _, e := range []*algorithms.Extractor{Article, ReleasedArticle} {
		words := strings.Fields(algotest.Text(t, e, html))
		if got := strings.Join(slices.Compact(words), " "); got != "first Analysis second" {
			t.Errorf("%s: %q", e.Name, got)
		}
	}
}

// TestReleased has what else tells release 1.2.0 from the unreleased library:
// titles are compared letter by letter, in all blocks; there is no short link
// that ends the text; headings at the end stay; blocks without content go even if
// they say the title, and what they parted is fused.
func TestReleased(t *testing.T) {
	titled := func(title string, texts ...string) (said []string) {
		l := &list{built: &built{}}
		for _, s := range texts {
			from := len(l.built.text)
			l.built.text = append(l.built.text, s...)
			l.blocks = append(l.blocks, block{textStart: int32(from), textEnd: int32(len(l.built.text))})
		}
		l.markExactTitle([]byte(title))
		for i, s := range texts {
			if l.blocks[i].labels == labelTitle {
				said = append(said, s)
			}
		}
		return said
	}
	// The longest parts between | and : and between these, comma and -.
	got := titled(" Mill: an old, old story | Valley ", "an old, old story", "AN OLD, OLD STORY", "Mill", "Mill: an old, old story | Valley", "an old, old story", "old story", "Valley")
	if want := []string{"an old, old story", "Mill: an old, old story | Valley", "an old, old story", "old story"}; !slices.Equal(got, want) {
		t.Errorf("titles: %q, want %q", got, want)
	}
	if got := titled("a b c d | abcdefgh", "a b c d", "abcdefgh"); !slices.Equal(got, []string{"abcdefgh"}) {
		t.Errorf("the longest part has the most characters, whatever its words: %q", got)
	}

	text := func(words int, last string) string { return "<p>" + strings.Repeat("words ", words) + last + "</p>" }
	f := func(html, last string, unreleased, released bool) {
		t.Helper()
		for e, want := range map[*algorithms.Extractor]bool{Article: unreleased, ReleasedArticle: released} {
			if got := strings.Contains(algotest.Text(t, e, html), last); got != want {
				t.Errorf("%s: %q in the text: %v, want %v, of %s", e.Name, last, got, want, html)
			}
		}
	}
	f("<body>"+text(80, "")+"<p><a href=/>Comment</a>"+text(40, "after"), "after", false, true)
	f("<body>"+text(80, "")+"<h2>heading at the end</h2>", "heading at the end", false, true)
}

// TestArticleNumbers varies every number of the pipeline on a page that depends
// on it: last is whether the last paragraph is content.
func TestArticleNumbers(t *testing.T) {
	text := func(words int, last string) string {
		return "<p>" + strings.Repeat("words ", words) + last + "</p>"
	}
	links := func(n int) string { return strings.Repeat("<p><a href=/>elsewhere</a></p>", n) }
	f := func(html, setting, value string, byDefault, changed bool) {
		t.Helper()
		e, err := Article.With(map[string]string{setting: value})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(algotest.Text(t, Article, html), "last"); got != byDefault {
			t.Errorf("default: last paragraph %v, want %v, of %s", got, byDefault, html)
		}
		if got := strings.Contains(algotest.Text(t, e, html), "last"); got != changed {
			t.Errorf("%s=%s: last paragraph %v, want %v, of %s", setting, value, got, changed, html)
		}
	}
	f(text(59, "")+"<p>Comments (2)</p>"+text(30, "last"), "end_words", "59", true, false)
	f(text(60, "")+"<p>Comments (2)</p>"+text(30, "last"), "end_words", "61", false, true)
	// The link before a text is fused into it, the others are missing.
	f(text(200, "")+links(2)+text(60, "last"), "gap", "0", true, false)
	f(text(200, "")+links(3)+text(60, "last"), "gap", "2", false, true)
	f(text(300, "")+links(3)+text(80, "last"), "expand_words", "60", false, true)
	f(text(300, "")+links(3)+text(80, "last"), "level_words", "60", false, true)
}
