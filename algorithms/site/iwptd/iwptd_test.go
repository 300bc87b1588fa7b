package iwptd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/html"
)

func TestSite(t *testing.T) { algotest.Site(t, Extractor, algotest.Website()) }

func TestLeaveOneOut(t *testing.T) {
	algotest.LeaveOneOut(t, Extractor, algotest.Website())
	algotest.LeaveOneOut(t, New(batch(50, 80)), algotest.Website())
}

func batch(phi, theta int) Params { return Params{Phi: phi, Theta: theta, Mode: Batch} }

func streaming(phi int) *algorithms.Extractor {
	return New(Params{Phi: phi, Theta: 50, Mode: Stream})
}

func TestStreamSite(t *testing.T) { algotest.Site(t, streaming(10), algotest.Website()) }

// TestStream: a page is judged by those before it. On page 0 nothing is known; the
// note of page 0 is known on pages 2 and 4, the quotation of page 1 on page 3 (6 of
// 7 words). A page after the sample knows all of it.
func TestStream(t *testing.T) {
	l := algotest.Learn(t, streaming(10), pages())
	for i, want := range []string{
		"Home News\nzero zero\nThis is a note",
		"one one to be or not to be",
		"two two",
		"",
		"four four",
	} {
		if got := l.Text(t, pages()[i]); got != want {
			t.Errorf("page %d: %q, want %q", i, got, want)
		}
	}
	if got := l.Run(t, pages()[0]).Notes; !slices.Equal(got, []string{algorithms.NoteNoMatch}) {
		t.Errorf("page 0: notes %v", got)
	}
	behind := algotest.SitePage{URL: "http://example.org/new", HTML: "<body><p>new</p><p>This is a note</p>", Rank: 99}
	if got := l.Text(t, behind); got != "new" {
		t.Errorf("behind the sample: %q", got)
	}
	if n := streaming(10).Learn.Pages; n != 64 {
		t.Errorf("the stream's sample has %d pages", n)
	}
}

// TestBetween: a page of no place in the sample counts the pages of smaller rank.
func TestBetween(t *testing.T) {
	url := "http://example.org/between"
	sample := pages()
	for i := range sample {
		sample[i].Rank = website.RankOf(url) - 3 + uint64(i) // three before it, one of its own rank, which is not it
	}
	sample[3].Rank++
	sample[4].Rank++
	l := algotest.Learn(t, streaming(10), sample)
	p := algotest.SitePage{URL: url, HTML: "<body><p>new</p><p>This is a note</p><p>three</p>", Rank: 99}
	if got := l.Text(t, p); got != "new\nthree" { // as page 3 has it, behind
		t.Errorf("%q", got)
	}
}

// TestShrinking: with φ = 1 % one of 63 pages makes a segment template; after the
// 64th page, what was met once is forgotten.
func TestShrinking(t *testing.T) {
	many := func(n int) []algotest.SitePage {
		var out []algotest.SitePage
		for i := range n {
			out = append(out, algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: fmt.Sprintf("<body><p>of all<p>own %d", i)})
		}
		return algotest.Ranked(out)
	}
	behind := algotest.SitePage{URL: "http://example.org/new", HTML: "<body><p>of all<p>own 7<p>new", Rank: 99}
	for n, want := range map[int]string{63: "new", 64: "own 7\nnew"} {
		if got := algotest.Learn(t, streaming(1), many(n)).Text(t, behind); got != want {
			t.Errorf("%d pages: %q, want %q", n, got, want)
		}
	}
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// pages of one site. The menu is on all, the note on pages 0, 2 and 4, and one
// sentence is quoted on pages 1 and 3.
func pages() []algotest.SitePage {
	var out []algotest.SitePage
	for i, body := range []string{
		`<div><a href=/>Home</a> <a href=/n>News</a></div><p>zero zero</p><p>This is a note</p>`,
		`<div><a href=/>Home</a> <a href=/n>News</a></div><p>one one <q>to be or not to be</q></p>`,
		`<div><a href=/>Home</a> <a href=/n>News</a></div><p>two two</p><p>This is a note</p>`,
		`<div><a href=/>Home</a> <a href=/n>News</a></div><p>three <q>to be or not to be</q> <img src=3.png></p>`,
		`<div><a href=/>Home</a> <a href=/n>News</a></div><p>four four</p><p>This is a note</p><div>|</div>`,
	} {
		out = append(out, algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: "<body>" + body})
	}
	return algotest.Ranked(out)
}

// TestByHand follows pages by hand. DF of the others, q = template words / words:
//
//	φ = 10 %: DFmax(4) = DFmax(5) = 1         φ = 50 %: DFmax(4) = 2, DFmax(5) = 3
//	menu     DF 4 in the sample, 5 outside     q = 2/2 always
//	note     DF 2 on pages 0, 2, 4             q = 4/4; φ = 50 % outside: DF 3, so too
//	page 1   quote DF 1, 6 of 8 words          q = 6/8; φ = 50 %: 0/8
//	page 3   quote DF 1, 6 of 7 words          q = 6/7; φ = 50 %: 0/7
func TestByHand(t *testing.T) {
	f := func(p Params, page algotest.SitePage, want string) {
		t.Helper()
		if got := algotest.Learn(t, New(p), pages()).Text(t, page); got != want {
			t.Errorf("φ %d θ %d: %s: %q, want %q", p.Phi, p.Theta, page.URL, got, want)
		}
	}
	all := pages()
	f(Default, all[0], "zero zero")
	f(Default, all[1], "")
	f(Default, all[2], "two two")
	f(Default, all[3], "")
	f(Default, all[4], "four four")
	f(batch(10, 75), all[1], "")                           // 6/8 ≥ 75 %
	f(batch(10, 76), all[1], "one one to be or not to be") // 6/8 < 76 %
	f(batch(10, 76), all[3], "")                           // 6/7 ≥ 76 %
	f(batch(50, 50), all[0], "zero zero")                  // note DF 2 ≥ 2
	f(batch(50, 50), all[3], "three to be or not to be")
	f(batch(60, 50), all[0], "zero zero\nThis is a note")   // DFmax(4) = ⌈2.4⌉ = 3
	f(batch(100, 50), all[1], "one one to be or not to be") // the menu is on all others

	outside := func(html string) algotest.SitePage {
		return algotest.SitePage{URL: "http://example.org/new", HTML: "<body>" + html, Rank: 99}
	}
	f(Default, outside(`<p>fresh <b>Home</b></p><div><a>Home</a> <i>stale</i></div>`), "fresh Home") // path of Home in b: unknown; 1/2 ≥ 50 %
	f(batch(50, 50), outside(`<p>This is a note</p>`), "")                                           // DF 3 ≥ 3
	f(batch(60, 50), outside(`<p>This is a note</p>`), "")                                           // DFmax(5) = 3
	f(batch(61, 50), outside(`<p>This is a note</p>`), "This is a note")                             // DFmax(5) = ⌈3.05⌉ = 4
}

// TestMedia: media follow their block, a block of media alone is content.
func TestMedia(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	p := l.Run(t, algotest.SitePage{URL: "http://example.org/new", Rank: 99,
		HTML: `<body><div><a href=/>Home</a> <img src=logo.png></div><p>new words <img src=a.png></p><p><img src=b.png></p><div> | </div>`})
	var kept []string
	for _, rows := range p.Out.Rows {
		for r := rows.Start; r < rows.End; r++ {
			if p.Body.Tag[r] == html.TagImg {
				src, _ := p.Page.Attr(p.Body.Node[r], "src")
				kept = append(kept, string(src))
			}
		}
	}
	if !slices.Equal(kept, []string{"a.png", "b.png"}) {
		t.Errorf("kept images %v", kept)
	}
	if text := string(p.Out.AppendText(nil, p.Body)); text != "new words" {
		t.Errorf("kept %q", text)
	}
}

func TestKey(t *testing.T) {
	p := algotest.Pass("<body><p>Home </p>")
	tree, _ := canon.Of(p)
	h := func(s string) uint64 { return xxhash.Sum64String(s) }
	path := canon.Join(canon.Join(canon.Join(h("body"), 0), h("p")), h("#text"))
	if got := key(tree, 0); got != canon.Join(path, h("Home")) {
		t.Errorf("%x", got)
	}
}

func TestNotes(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	if l.Nothing || len(l.Notes) > 0 {
		t.Errorf("%+v", l.Learned)
	}
	p := l.Run(t, algotest.SitePage{URL: "http://example.org/other", HTML: "<body><h1>Nothing in common</h1>", Rank: 99})
	if !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("notes %v", p.Notes)
	}
	var unlike []algotest.SitePage
	for i := range 5 {
		unlike = append(unlike, algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: fmt.Sprintf("<p>words of page %d", i)})
	}
	if l := algotest.Learn(t, Extractor, unlike); !l.Nothing {
		t.Error("something was found to be template")
	}
	if _, err := algotest.TryLearn(t, Extractor, pages()[:4]); err != algorithms.ErrTooFewPages {
		t.Errorf("four pages: %v", err)
	}
}

// TestTruncated: what the fewest pages have goes first.
func TestTruncated(t *testing.T) {
	var big []algotest.SitePage
	for i := range 5 {
		var b strings.Builder
		b.WriteString("<body><h1>on all pages</h1>")
		for j := range 9000 {
			fmt.Fprintf(&b, "<p>page %d text %d", i, j)
		}
		big = append(big, algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: b.String()})
	}
	l := algotest.Learn(t, Extractor, big)
	if !slices.Equal(l.Notes, []string{algorithms.NoteTruncated}) || len(l.Body) < algorithms.MaxTemplate-32 {
		t.Errorf("%v, %d bytes", l.Notes, len(l.Body))
	}
	if got := l.Text(t, algotest.SitePage{URL: "http://example.org/x", HTML: "<body><h1>on all pages</h1><p>new"}); got != "new" {
		t.Errorf("%q", got)
	}
}
