package infodiscoverer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestSite(t *testing.T) {
	algotest.Site(t, Extractor, algotest.Website())
	algotest.Site(t, New(Params{Delims: Table, Stop: English}), algotest.Website())
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

func at(i int, body string) algotest.SitePage {
	return algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: "<body>" + body, Rank: uint64(i + 1)}
}

func table(text string) string { return "<table><tr><td>" + text + "</td></tr></table>" }

func pages() []algotest.SitePage {
	var out []algotest.SitePage
	for i, text := range []string{"alpha beta harvest", "gamma delta harvest", "ears oats", "rye rice", "corn hay"} {
		out = append(out, at(i, table("home news")+table(text)))
	}
	return out
}

// TestByHand: N = 5.
//
//	home, news   1 on each page    H = 1                 255
//	harvest      1 on two pages    H = ln 2/ln 5 = 0.431  110
//	others       on one page       H = 0
//
//	block                  H(B)                 in tenths   terms first covered
//	ears oats, rye rice …  0                    1           6
//	alpha beta harvest …   110/(3·255) = 0.144  2           5
//	home news              1                    10          2
//
// F(0.1) = 6 < 13/2; F(0.2) = 11, F(0.3) = 11: τ = 0.2.
func TestByHand(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	learned := l.Value.(*template)
	if learned.cut != atTables || learned.tau != 2 || len(learned.terms) != 3 {
		t.Errorf("cut %d, τ %d, %d terms", learned.cut, learned.tau, len(learned.terms))
	}
	for word, want := range map[string]uint8{"home": 255, "news": 255, "harvest": 110, "alpha": 0, "nowhere": 0} {
		if got := learned.entropy(uint32(xxhash.Sum64String(word) >> 32)); got != want {
			t.Errorf("%s: %d, want %d", word, got, want)
		}
	}
	f := func(p algotest.SitePage, want string) {
		t.Helper()
		if got := l.Text(t, p); got != want {
			t.Errorf("%s: %q, want %q", p.URL, got, want)
		}
	}
	f(pages()[0], "alpha beta harvest")
	f(pages()[4], "corn hay")
	f(at(9, table("home news")+table("new words harvest")+table("few harvest")), "new words harvest") // 110/(2·255) = 0.216 > 0.2
	const often = "home home home home home stay away for ever and ever long"
	f(at(9, table(often)), often) // 1 of 7 distinct terms is 1/7 = 0.143; by occurrences it would be 5/12
}

// TestDelims: tables if half of the words of half of the pages are in them.
func TestDelims(t *testing.T) {
	sample := func(inTables int) (out []algotest.SitePage) {
		for i := range 6 {
			text := fmt.Sprintf("words%d more%d", i, i)
			if i < inTables {
				out = append(out, at(i, "out side"+table(text)))
			} else {
				out = append(out, at(i, "out side here<div>"+text+"</div>"))
			}
		}
		return out
	}
	for inTables, want := range map[int]int{2: atLayout, 3: atTables} {
		if got := algotest.Learn(t, Extractor, sample(inTables)).Value.(*template).cut; got != want {
			t.Errorf("%d pages of tables: cut %d, want %d", inTables, got, want)
		}
	}
	for delims, want := range map[string]int{Table: atTables, Layout: atLayout} {
		for _, n := range []int{0, 6} {
			if got := algotest.Learn(t, New(Params{Delims: delims, Stop: None}), sample(n)).Value.(*template).cut; got != want {
				t.Errorf("delims=%s: cut %d, want %d", delims, got, want)
			}
		}
	}
	// By layout, a div is a block; by tables it is not.
	l := algotest.Learn(t, New(Params{Delims: Layout, Stop: None}), sample(0))
	if got := l.Text(t, sample(0)[0]); got != "words0 more0" {
		t.Errorf("layout: %q", got)
	}
	// The page is one block: three of five terms are on all pages, H(B) = τ = 0.6.
	l = algotest.Learn(t, New(Params{Delims: Table, Stop: None}), sample(0))
	if got := l.Text(t, sample(0)[0]); got != "out side here\nwords0 more0" {
		t.Errorf("table: %q", got)
	}
}

func TestTerms(t *testing.T) {
	f := func(p Params, html string, want ...string) {
		t.Helper()
		e := New(p)
		data, err := e.Learn.Sketch(algotest.Pass(html))
		if err != nil {
			t.Fatal(err)
		}
		s, err := readSketch(data)
		if err != nil {
			t.Fatal(err)
		}
		var hashes []uint32
		for _, w := range want {
			hashes = append(hashes, uint32(xxhash.Sum64String(w)>>32))
		}
		slices.Sort(hashes)
		if !slices.Equal(s.terms, hashes) {
			t.Errorf("%+v: %s: not the terms %v", p, html, want)
		}
	}
	const html = `<p>The grain, a B and 7 of the é 谷</p>`
	f(Default, html, "the", "grain", "and", "7", "of", "é", "谷")
	f(Params{Delims: Auto, Stop: English}, html, "grain", "7", "é", "谷")
}

func TestSketch(t *testing.T) {
	data, err := Extractor.Learn.Sketch(algotest.Pass("out " + table("one two one"+table("two"))))
	if err != nil {
		t.Fatal(err)
	}
	s, err := readSketch(data)
	if err != nil {
		t.Fatal(err)
	}
	sizes := func(blocks [][]int32) (out []int) {
		for _, b := range blocks {
			out = append(out, len(b))
		}
		return out
	}
	if s.words != 5 || s.inside != 4 || len(s.terms) != 3 || !slices.Equal(sizes(s.blocks[atTables]), []int{1, 2, 1}) ||
		!slices.Equal(sizes(s.blocks[atLayout]), []int{1, 2, 1}) {
		t.Errorf("%+v", s)
	}
	total := uint64(0)
	for _, n := range s.counts {
		total += n
	}
	if total != 5 {
		t.Errorf("%d words counted, want 5", total)
	}
}

func TestNotes(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	if l.Nothing || len(l.Notes) > 0 {
		t.Errorf("%+v", l.Learned)
	}
	if p := l.Run(t, at(9, "all new")); !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("notes %v", p.Notes)
	}
	var unlike []algotest.SitePage
	for i := range 5 {
		unlike = append(unlike, at(i, fmt.Sprintf("<p>page%d", i)))
	}
	if l := algotest.Learn(t, Extractor, unlike); !l.Nothing {
		t.Error("something was found to be template")
	}
}

// TestTruncated: terms of the lowest entropy go first.
func TestTruncated(t *testing.T) {
	var big []algotest.SitePage
	for i := range 5 {
		var b strings.Builder
		b.WriteString("<p>everywhere</p>")
		for j := range 30_000 {
			if i < 2 {
				fmt.Fprintf(&b, "a%d ", j)
			} else {
				fmt.Fprintf(&b, "b%d ", j)
			}
		}
		big = append(big, at(i, b.String()))
	}
	l := algotest.Learn(t, Extractor, big)
	if !slices.Equal(l.Notes, []string{algorithms.NoteTruncated}) || len(l.Body) < algorithms.MaxTemplate-32 {
		t.Errorf("%v, %d bytes", l.Notes, len(l.Body))
	}
	learned := l.Value.(*template)
	of := func(word string) uint8 { return learned.entropy(uint32(xxhash.Sum64String(word) >> 32)) }
	// On five pages 1; on three ln 3/ln 5 = 0.683; on two ln 2/ln 5 = 0.431.
	if of("everywhere") != 255 || of("b7") != 174 {
		t.Errorf("everywhere %d, on three pages %d", of("everywhere"), of("b7"))
	}
	lost := 0
	for j := range 30_000 {
		if of(fmt.Sprintf("a%d", j)) == 0 {
			lost++
		}
	}
	if want := 60_001 - len(learned.terms); lost < want-10 || lost > want+10 { // but for collisions of 32 bits
		t.Errorf("%d terms of two pages are gone, want %d", lost, want)
	}
}
