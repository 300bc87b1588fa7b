package contentextractor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
)

func TestSite(t *testing.T) {
	algotest.Site(t, Extractor, algotest.Website())
	algotest.Site(t, HTML5Extractor, algotest.Website())
}

func TestLeaveOneOut(t *testing.T) {
	algotest.LeaveOneOut(t, Extractor, algotest.Website())
	algotest.LeaveOneOut(t, HTML5Extractor, algotest.Website())
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

func at(i int, body string) algotest.SitePage {
	return algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: "<body>" + body, Rank: uint64(i + 1)}
}

// pages are those of the example in the package's doc.
func pages() []algotest.SitePage {
	const menu = `<div><a href=/>home</a> <a href=/n>news</a></div>`
	return []algotest.SitePage{
		at(0, menu+"<p>one two</p>"),
		at(1, menu+"<p>three four</p>"),
		at(2, menu+"<p>five</p>"),
		at(3, `<div><a href=/>home</a> <a href=/n>news</a> <a href=/l>login</a></div><p>six</p>`),
	}
}

// TestByHand: v = {#a 2, home, news} on pages 0 to 2, w = {#a 3, home, news,
// login} on page 3, cos(v, w) = 8/√(6·12) = 0.943.
//
//	               φ = 10 %, DFmax = 1     φ = 90 %: DFmax(3) = 3, DFmax(4) = 4
//	v on page 0    DF 3: pages 1 2 3       DF 3 ≥ 3: template
//	w on page 3    DF 3: pages 0 1 2       DF 3 ≥ 3: template
//	v outside      DF 4                    DF 4 ≥ 4: template
//	ε = 95 %: w is similar to itself alone, so it is not stored; v on page 0 has DF 2.
func TestByHand(t *testing.T) {
	f := func(p Params, page algotest.SitePage, want string) {
		t.Helper()
		if got := algotest.Learn(t, New(p), pages()).Text(t, page); got != want {
			t.Errorf("%+v: %s: %q, want %q", p, page.URL, got, want)
		}
	}
	all := pages()
	settings := func(eps, phi int) Params { return Params{Eps: eps, Phi: phi, Weights: Counts} }
	f(Default, all[0], "one two")
	f(Default, all[3], "six")
	f(settings(90, 90), all[0], "one two")
	f(settings(90, 90), all[3], "six")
	f(settings(95, 10), all[0], "one two")
	f(settings(95, 10), all[3], "home news login\nsix")
	f(settings(95, 90), all[0], "home news\none two") // DF 2 < DFmax(3) = 3
	f(settings(94, 90), all[0], "one two")            // 0.943 > 0.94

	outside := at(9, `<div><a href=/>home</a> <a href=/n>news</a></div><p>home news one</p>`)
	f(settings(90, 90), outside, "home news one")
	f(settings(95, 90), outside, "home news\nhome news one") // DF 3 < 4

	// Binary: v = {#a, home, news}, w = {#a, home, news, login}: cos = 3/√12 = 0.866.
	binary := Params{Eps: 87, Phi: 10, Weights: Binary}
	f(binary, all[3], "home news login\nsix")
	binary.Eps = 86
	f(binary, all[3], "six")
}

// TestTwoPages is the figure of the paper: what both pages have is dropped.
func TestTwoPages(t *testing.T) {
	two := pages()[:2]
	if got := algotest.Learn(t, Extractor, two).Text(t, two[1]); got != "three four" {
		t.Errorf("%q", got)
	}
}

// TestBlocks: own text of an outer block is judged apart from inner blocks, and
// what is a block depends on the variant.
func TestBlocks(t *testing.T) {
	sample := func() (out []algotest.SitePage) {
		for i := range 3 {
			out = append(out, at(i, fmt.Sprintf(`<div>shared words <p>own %c</p> <section>shared words</section><img></div><div><svg></svg></div>`, 'x'+rune(i))))
		}
		return out
	}()
	// Classic: div is {shared 2, words 2, #img}, on all pages; HTML5: section is a
	// block of its own. Drawings alone have no features.
	if got := algotest.Learn(t, Extractor, sample).Text(t, sample[0]); got != "own x" {
		t.Errorf("classic: %q", got)
	}
	p := algotest.Learn(t, HTML5Extractor, sample).Run(t, at(9, `<div>new <section>shared words</section></div><div><svg></svg><img> at</div><div><svg></svg></div>`))
	if got := string(p.Out.AppendText(nil, p.Body)); got != "new\nat" {
		t.Errorf("html5: %q", got)
	}
	media := 0
	for _, rows := range p.Out.Rows {
		for r := rows.Start; r < rows.End; r++ {
			if p.Body.Tag[r] == html.TagImg || p.Body.Tag[r] == html.TagSvg {
				media++
			}
		}
	}
	if media != 2 { // a drawing alone has no features
		t.Errorf("%d media kept, want 2", media)
	}
}

func TestNotes(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	if p := l.Run(t, at(9, "<h1>else</h1>")); !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("notes %v", p.Notes)
	}
	if l.Nothing || len(l.Notes) > 0 {
		t.Errorf("%+v", l.Learned)
	}
	if l := algotest.Learn(t, Extractor, []algotest.SitePage{at(0, "a"), at(1, "b")}); !l.Nothing {
		t.Error("something was found to be template")
	}
	if _, err := algotest.TryLearn(t, Extractor, pages()[:1]); err != algorithms.ErrTooFewPages {
		t.Errorf("one page: %v", err)
	}
}

// TestTruncated: what the fewest pages have goes first, of these the shortest.
func TestTruncated(t *testing.T) {
	var big []algotest.SitePage
	for i := range 3 {
		var b strings.Builder
		b.WriteString("<p>on all pages</p>")
		for j := range 9000 {
			if i < 2 {
				fmt.Fprintf(&b, "<p>text w%d v%d u%d t%d%s</p>", j, j+1, j+2, j+3, []string{" and more", "", ""}[j%3])
			}
		}
		big = append(big, at(i, b.String()))
	}
	l := algotest.Learn(t, Extractor, big)
	if !slices.Equal(l.Notes, []string{algorithms.NoteTruncated}) || len(l.Body) < algorithms.MaxTemplate-64 {
		t.Errorf("%v, %d bytes", l.Notes, len(l.Body))
	}
	long, set := 0, &l.Value.(*template).set
	for i := range set.Len() {
		if len(set.View(i).IDs) == 7 {
			long++
		}
	}
	if long != 3000 {
		t.Errorf("%d of 3000 long vectors are left", long)
	}
	if got := l.Text(t, at(9, "<p>on all pages</p><p>new")); got != "new" {
		t.Errorf("%q", got)
	}
}

// TestWork: pages made to have many blocks compared meet the bounds. Their blocks
// are three of 60 words: many share one, none is similar to another.
func TestWork(t *testing.T) {
	var triples []string
	for a := range 60 {
		for b := range a {
			for c := range b {
				triples = append(triples, fmt.Sprintf("<p>w%d w%d w%d</p>", a, b, c))
			}
		}
	}
	hostile := func(i int) string { // the words of page i are evenly mixed
		var b strings.Builder
		for j := range 6000 {
			b.WriteString(triples[(5*j+i)%len(triples)])
		}
		return b.String()
	}
	var sample []algotest.SitePage
	for i := range 5 {
		sample = append(sample, at(i, hostile(i)))
	}
	if l := algotest.Learn(t, Extractor, sample); !slices.Contains(l.Notes, Budget) {
		t.Errorf("learning: notes %v", l.Notes)
	}
	l := algotest.Learn(t, Extractor, []algotest.SitePage{at(0, hostile(0)), at(1, hostile(0))})
	p := algotest.Pass(hostile(1))
	p.Template = &algorithms.Template{Value: l.Value, Ranks: l.Ranks, Page: -1}
	if err := Extractor.Run(p); err != algorithms.ErrPageTooLarge {
		t.Errorf("applying: %v, notes of learning %v", err, l.Notes)
	}
}

// TestOrder cuts the page of the example of block.Cutter: TABLE, TR and P come out
// of it first, DIV last. The selection is the same.
func TestOrder(t *testing.T) {
	paper := New(Params{Eps: 90, Phi: 10, Weights: Counts, Order: OrderPaper})
	var sample []algotest.SitePage
	for i := range 2 {
		sample = append(sample, algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: fmt.Sprintf("<body><ul><li>menu menu</ul><p>page %d", i)})
	}
	html := "<body>lead <div>a<table><tr><td>b <p>c</p></td></tr></table><span>s</span> d</div><ul><li>menu menu</li></ul>"
	p := algotest.SitePage{URL: "http://example.org/x", HTML: html}
	plain, cut := algotest.Learn(t, Extractor, sample).Run(t, p), algotest.Learn(t, paper, sample).Run(t, p)
	if got := string(plain.AppendText(nil)); got != "lead\na\nb\nc\ns d" {
		t.Errorf("order of the page: %q", got)
	}
	// table (nothing of its own), ul (template), p, tr; then body without them cut at SPAN, then at DIV.
	if got := string(cut.AppendText(nil)); got != "c\nb\ns\na\nd\nlead" {
		t.Errorf("order of the paper: %q", got)
	}
	if !slices.Equal(plain.Out.Spans, cut.Out.Spans) {
		t.Errorf("selections differ: %v, %v", plain.Out.Spans, cut.Out.Spans)
	}
	// The paragraph of Figures 1 to 3 of the FastContentExtractor paper, shortened.
	html = `<p> On Sept. 27, the US <span>House of Representatives</span> unanimously passed a resolution recognizing <span>The Christian Science Monitor</span> on its centennial. </p>`
	figure := algotest.Learn(t, paper, sample).Run(t, algotest.SitePage{URL: "http://example.org/x", HTML: html})
	if got := string(figure.AppendText(nil)); got != "House of Representatives The Christian Science Monitor\nOn Sept. 27, the US unanimously passed a resolution recognizing on its centennial." {
		t.Errorf("the paper's figure: %q", got)
	}
	algotest.Site(t, paper, algotest.Website())
}
