package blocks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestFeatureTable(t *testing.T) {
	if len(Features) != numFeatures {
		t.Fatalf("%d features, want %d", len(Features), numFeatures)
	}
	for f, name := range map[int]string{containerClass: "container.class-header", firstSplit: "split.p", splitClass: "split.class-header",
		charAlpha: "char.alpha-rel", tokenAlpha: "token.alpha-abs", sentences: "sentence.count", hasURL: "regexp.url", duplicates: "duplicate-count",
		position: "position", maxDiv: "max-div-group.word-ratio", sentencesAndEnd: "sentence.count+sentence-not-finished"} {
		if Features[f].Name != name {
			t.Errorf("feature %d is %s, want %s", f, Features[f].Name, name)
		}
	}
	if containers[0].tag != html.TagA {
		t.Error("the pair of links and words takes the first container for a")
	}
}

func TestBins(t *testing.T) {
	for n, want := range map[int]uint8{0: 0, 1: 1, 3: 3, 4: 3, 5: 4, 6: 4, 7: 5, 10: 5, 11: 6, 71: 9, 72: 9, 73: 10, 89: 10, 1 << 40: 10} {
		if got := bin(n); got != want {
			t.Errorf("bin(%d) = %d, want %d", n, got, want)
		}
	}
	for _, c := range []struct {
		a, b int
		want uint8
	}{{0, 0, 0}, {1, 20, 1}, {1, 21, 0}, {3, 4, 8}, {7, 7, 10}} {
		if got := ratio(c.a, c.b); got != c.want {
			t.Errorf("ratio(%d, %d) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	for text, want := range map[string]measure{
		"":                       {notStarted: true, notFinished: true},
		"The price rose, again.": {chars: 22, alpha: 17, punct: 2, white: 3, alphas: 4, punctuations: 2, sentences: 1, runs: 2, letters: 17},
		"rose 3% in 2001 B2B":    {chars: 19, alpha: 8, num: 6, white: 4, alphas: 2, nums: 2, mixed: 1, symbols: 1, runs: 2, letters: 6, notStarted: true, notFinished: true},
		"Ärger? Nein":            {chars: 11, alpha: 9, punct: 1, white: 1, alphas: 2, punctuations: 1, sentences: 1, runs: 2, letters: 9, notFinished: true},
		"$$ 12":                  {chars: 5, num: 2, white: 1, nums: 1, symbols: 1, notStarted: true, notFinished: true},
		"Yes (no!)":              {chars: 9, alpha: 5, punct: 1, white: 1, alphas: 2, symbols: 2, runs: 2, letters: 5, notFinished: true},
	} {
		var got measure
		got.read([]byte(text))
		if got != want {
			t.Errorf("%q:\n got %+v\nwant %+v", text, got, want)
		}
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]uint8{
		"see http://x.org/": markURL, "www.x.org": markURL, "awww.": 0, "a: //": 0,
		"ask me@example.org": markEmail, "@home": 0, "a@b": 0, "a@b.": 0,
		"on 12.5.2009": markDate, "2009-12-31": markDate, "1/2": 0, "1.2-3": 0, "v 123.4567.8": 0,
		"at 12:30": markTime, "1:2": 0, "12:345": 0,
		"© 2009": markCopyright, "(C) us": markCopyright, "(c": 0,
		"• one": markBullet, "- two": markBullet, "one - two": 0,
	} {
		if got := marks([]byte(text)); got != want {
			t.Errorf("%q: %06b, want %06b", text, got, want)
		}
	}
}

// valuesOf is what Fill says of the page in a readable form: the text of every block with
// the named features that are not 0.
func valuesOf(t *testing.T, html string, names ...string) string {
	t.Helper()
	var pg page.Page
	pg.Parse([]byte(html), page.Options{})
	var p Page
	if !p.Fill(pg.Body()) {
		t.Fatal("the page is too large")
	}
	var out []string
	for i, r := range p.Rows {
		b := pg.Body()
		s := string(b.Text[b.TextStart[r]:b.TextEnd[r]])
		for f := range Features {
			for _, name := range names {
				if v := p.Column(f)[i]; Features[f].Name == name && v != 0 {
					s += fmt.Sprintf(" %s=%d", name[strings.IndexByte(name, '.')+1:], v)
				}
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "|")
}

func TestPage(t *testing.T) {
	f := func(html, want string, names ...string) {
		t.Helper()
		if got := valuesOf(t, html, names...); got != want {
			t.Errorf("%s:\n got %s\nwant %s", html, got, want)
		}
	}
	f("<ul><li><a>Home</a></ul>x", "Home a=1 class-list=1|x", "container.a", "container.class-list")
	// Between two blocks both tags of an element count, a line break once.
	f("a<br>b<p>c</p><p>d", "a|b br=1|c p=1|d p=2", "split.br", "split.p")
	f("a<p hidden>no</p><p></p>b", "a|b p=3", "split.p") // four tags are as near to 3 as to 5
	f("<x-y>a</x-y><h1>b</h1>", "a class-inline=1|b class-block=1 class-inline=1", "split.class-inline", "container.class-block")
	f("<p>x<p>y<p>x<p>x", "x duplicate-count=3 first-duplicate=1|y duplicate-count=1|x duplicate-count=3|x duplicate-count=3", "duplicate-count", "first-duplicate")
	f("<div>a b c<div>d</div></div>e f g h i j", "a b c word-ratio=3 word-ratio=3|d word-ratio=1 word-ratio=3|e f g h i j word-ratio=3", "div-group.word-ratio", "max-div-group.word-ratio")
	f("<table><tr><td>a b<td>c", "a b word-ratio=7 word-ratio=7|c word-ratio=3 word-ratio=7", "td-group.word-ratio", "max-td-group.word-ratio")
	f("<a>one two</a>three", "one two a+token.alpha-abs=13|three a+token.alpha-abs=1", "container.a+token.alpha-abs")
	f("<script>no</script><p hidden>no</p>", "")
}

// TestLevels looks for values above what Features says, with which a model would
// read the weight of something else.
func TestLevels(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(strings.Repeat("<ul><li><a href=x>"+strings.Repeat("One. ", 200)+"</a></ul>", 200)+"<p>1"), page.Options{})
	var p Page
	p.Fill(pg.Body())
	for f, feature := range Features {
		for _, v := range p.Column(f) {
			if int(v) > feature.Levels {
				t.Errorf("%s has the value %d, its largest is to be %d", feature.Name, v, feature.Levels)
				break
			}
		}
	}
}
