package sst

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
)

func TestProperties(t *testing.T) {
	algotest.Site(t, Extractor, algotest.Website())
	algotest.Site(t, aligned(t), algotest.Website())
}

// aligned is the variant that aligns unknown styles.
func aligned(t testing.TB) *algorithms.Extractor {
	t.Helper()
	e, err := Extractor.With(map[string]string{"align": "lcs"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/sst -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }

// outline writes the units of a page down: leaves with their text in brackets.
func outline(u *units, p *algorithms.Pass, own int32) string {
	v := u.nodes[own]
	if v.leaf {
		var texts []string
		for i := u.leaves[own].first; i < u.leaves[own].end; i++ {
			if u.tree.Leaves[i].Media {
				texts = append(texts, p.Page.TagName(u.tree.Tag[u.tree.Leaves[i].Node]))
			} else {
				texts = append(texts, string(u.tree.Text(int(i))))
			}
		}
		return "[" + strings.Join(texts, "+") + "]"
	}
	var kids []string
	for _, k := range u.kids[v.from:v.to] {
		kids = append(kids, outline(u, p, k))
	}
	return "(" + strings.Join(kids, " ") + ")"
}

// counts are how often each leaf has each of its features, sorted.
func counts(u *units) (all [][]uint32) {
	for _, v := range u.nodes {
		if !v.leaf {
			continue
		}
		var c []uint32
		for _, x := range u.features[v.from:v.to] {
			c = append(c, x.count)
		}
		slices.Sort(c)
		all = append(all, c)
	}
	return all
}

func TestUnits(t *testing.T) {
	f := func(html, want string) *units {
		t.Helper()
		p := algotest.Pass(html)
		tree, err := canon.Of(p)
		if err != nil {
			t.Fatal(err)
		}
		u := new(units)
		u.fill(p, tree, true)
		if got := outline(u, p, 0); got != want {
			t.Errorf("%s: %s, want %s", html, got, want)
		}
		return u
	}
	f("only text", "[only text]")
	f("<p>one<br>two</p>", "([one+two])")
	f("<p>one<b>two</b>three</p>", "(([one] [two] [three]))")
	f("<p>one<i></i>two<b>three</b></p>", "(([one+two] [three]))")
	f("<div><hr></div><p><img src=x></p>", "(([img]))")
	f("", "[]")

	u := f(`<p>Grain, grain and <i></i>wind</p><a href=/x><img src=y.png> see <b>more</b></a>`, "([Grain, grain and+wind] ([img] [see] [more]))")
	// grain twice, and, wind; then source, word and word, each with the link.
	if got, want := counts(u), [][]uint32{{1, 1, 2}, {1, 1}, {1, 1}, {1, 1}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("features %v, want %v", got, want)
	}
	u = f("<a href=/x><b>in</b>and</a><p>after</p>", "(([in] [and]) [after])")
	if got, want := counts(u), [][]uint32{{1, 1}, {1, 1}, {1}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("a link reaches beyond itself: features %v, want %v", got, want)
	}
}

// TestSketch: what is read is what was written.
func TestSketch(t *testing.T) {
	for _, page := range algotest.Pages() {
		p := algotest.Pass(page.HTML)
		data, err := sketch(p)
		if err != nil {
			continue
		}
		l, err := readSketch(data)
		if err != nil {
			t.Fatalf("%s: %v", page.Name, err)
		}
		u := algorithms.Scratch[units](p)
		if !slices.Equal(l.features, u.features) || len(l.nodes) != len(u.nodes) {
			t.Fatalf("%s: %d nodes and %d features, want %d and %d", page.Name, len(l.nodes), len(l.features), len(u.nodes), len(u.features))
		}
		for i, v := range u.nodes {
			w := l.nodes[i]
			if i > 0 && l.label[i] != u.label[i] {
				t.Fatalf("%s: node %d has another label", page.Name, i)
			}
			if v.leaf != w.leaf || v.seq != w.seq || !v.leaf && !slices.Equal(u.kids[v.from:v.to], l.kids[w.from:w.to]) {
				t.Fatalf("%s: node %d: %+v, want %+v", page.Name, i, w, v)
			}
		}
	}
}

func FuzzOpenAligned(f *testing.F) { algotest.FuzzOpen(f, aligned(f), algotest.Website()) }

func FuzzReadSketch(f *testing.F) {
	for _, p := range algotest.Website() {
		f.Add(algotest.SampleOf(f, Extractor, []algotest.SitePage{p}).Pages[0].Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := readSketch(data)
		if err != nil || len(l.nodes) == 0 {
			return
		}
		b := builder{Params: Default}
		e := b.build(refs(l, l))
		if e.importance < 0 || e.importance > 1 {
			t.Errorf("importance %v", e.importance)
		}
	})
}

// frame is a page of the imaginary site.
func frame(main, foot string) string {
	return "<div class=head>Farm letters</div>" + main + "<div class=foot>" + foot + "</div>"
}

// TestSite is worked out by hand. Five pages, four of them of one style:
//
//	page 0   head  div.main(h2(On wind)  p(It blows))        foot(Rights 2007)
//	page 1   head  div.main(h2(On rain)  p(It falls))        foot(Rights 2007)
//	page 2   head  div.main(h2(On snow)  p(It lies))         foot(Rights 2008)
//	page 3   head  div.main(h2(On frost) pre(cold night))    foot(Rights 2008)
//	page 4   head  table                                     foot
//
// In the style of the first four, m = 4:
//
//	head   two words, each once on all pages: H 1, 1                  importance 0
//	h2     "on" on all pages, H 1; four words on one each, H 0        1 − 1/5 = 0.8
//	       of them three are in the style with p (pages 0 to 2, m = 3):
//	       "on", H 1; three words on one page each                    1 − 1/4 = 0.75
//	p      "it" on all three, H 1; three words on one page each       0.75
//	main   styles 3 and 1: node importance 0.40564; style 1 has 0.75, style 2 has 1;
//	       0.19·0.40564 + 0.81·(0.75·0.75 + 0.25·1)                   0.73520
//	foot   "rights", H 1; 2007 and 2008 on two of four pages, H 0.5   1 − 2/3 = 0.33333
//	style  (0 + 0.73520 + 0.33333)/3                                  0.35618
//
// body, m = 5, styles 4 and 1: node importance −0.8·log5 0.8 − 0.2·log5 0.2 = 0.31092;
// 0.19·0.31092 + 0.81·(0.8·0.35618 + 0.2·1)                              0.45188
//
// So head alone is noisy: main and foot are meaningful, body is mixed.
func TestSite(t *testing.T) {
	main := func(h2, rest string) string { return "<div class=main><h2>On " + h2 + "</h2>" + rest + "</div>" }
	sample := algotest.SitePages(
		frame(main("wind", "<p>It blows</p>"), "Rights 2007"),
		frame(main("rain", "<p>It falls</p>"), "Rights 2007"),
		frame(main("snow", "<p>It lies</p>"), "Rights 2008"),
		frame(main("frost", "<pre>cold night</pre>"), "Rights 2008"),
		frame("<table><tr><td>Prices</td></tr></table>", "Rights 2008"))
	var roots []ref
	for _, p := range algotest.SampleOf(t, Extractor, sample).Pages {
		l, err := readSketch(p.Data)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, ref{l, 0})
	}
	b := builder{Params: Default}
	body := b.build(roots)
	near(t, "body", body.importance, 0.45188)
	i := slices.IndexFunc(body.styles, func(s style) bool { return s.pages == 4 })
	if len(body.styles) != 2 || i < 0 || len(body.styles[i].kids) != 3 {
		t.Fatalf("styles of body: %+v", body.styles)
	}
	head, middle, foot := body.styles[i].kids[0], body.styles[i].kids[1], body.styles[i].kids[2]
	near(t, "head", head.importance, 0)
	near(t, "main", middle.importance, 0.73520)
	near(t, "foot", foot.importance, 1.0/3)
	j := slices.IndexFunc(middle.styles, func(s style) bool { return s.pages == 3 })
	near(t, "h2", middle.styles[j].kids[0].importance, 0.75)
	near(t, "p", middle.styles[j].kids[1].importance, 0.75)
	if head.state != noisy || middle.state != meaningful || foot.state != meaningful || body.state != mixed {
		t.Errorf("states %v %v %v %v", head.state, middle.state, foot.state, body.state)
	}

	l := algotest.Learn(t, Extractor, sample)
	// hashes; mixed, 1 style: sequence, 3 children: noisy, meaningful, meaningful
	want := []byte{0, byte(mixed), 1, innerByte, 0, 0, 0, 0, 0, 0, 0, 0, 3, byte(noisy), byte(meaningful), byte(meaningful)}
	copy(want[4:12], l.Body[4:])
	if l.Nothing || !bytes.Equal(l.Body, want) {
		t.Errorf("template %v, want %v", l.Body, want)
	}
	f := func(rule, html, want string, notes ...string) {
		t.Helper()
		got, noted := l.Left(t, html)
		if got != want || !slices.Equal(noted, notes) {
			t.Errorf("%s: %q %v, want %q %v", rule, got, noted, want, notes)
		}
	}
	f("a page of the style", frame("<div class=main>any</div>", "any"), "any any")
	f("a place is dropped whatever it says", "<div class=head>News of today</div><div class=main>any</div><div class=foot>x</div>", "any x")
	f("a page of the sample", sample[0].HTML, "On wind It blows Rights 2007")
	f("the class and look of body do not matter", "<body class=x bgcolor=red>"+frame("<div class=main>any</div>", "any"), "any any")
	f("a style that one page has", sample[4].HTML, "Farm letters Prices Rights 2008", algorithms.NoteNoMatch)
	f("an unknown style", frame("<div class=main>any</div><p>ad</p>", "any"), "Farm letters any ad any", algorithms.NoteNoMatch)
	f("another look", frame("<div class=other>any</div>", "any"), "Farm letters any any", algorithms.NoteNoMatch)

	// With t = 0.34 foot is noise as well.
	e, err := Extractor.With(map[string]string{"t": "0.34"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := algotest.Learn(t, e, sample).Left(t, frame("<div class=main>any</div>", "any")); got != "any" {
		t.Errorf("t=0.34: %q", got)
	}
}

// TestLeafForm: what is a leaf on some pages is dropped where it is one.
func TestLeafForm(t *testing.T) {
	inner := func(i int) string {
		return fmt.Sprintf("<div>Share<b>own%d more%d</b></div><p>text%d words%d</p>", i, i, i, i)
	}
	leaf := func(i int) string { return fmt.Sprintf("<div>Share</div><p>text%d words%d</p>", i, i) }
	l := algotest.Learn(t, Extractor, algotest.SitePages(inner(1), leaf(2), inner(3), leaf(4), leaf(5)))
	f := func(html, want string) {
		t.Helper()
		if got, _ := l.Left(t, html); got != want {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
	}
	f(leaf(6), "text6 words6")
	f("<div>Share<b>new</b></div><p>own</p>", "new own")
	f("<div>Share<i>new</i></div><p>own</p>", "Sharenew own")
}

func TestNothing(t *testing.T) {
	var html []string
	for i := range 5 {
		html = append(html, fmt.Sprintf("<p>word%d</p>", i))
	}
	if l := algotest.Learn(t, Extractor, algotest.SitePages(html...)); !l.Nothing {
		t.Errorf("pages with nothing in common: %v", l.Body)
	}
	for i := range html {
		html[i] = "<p>same</p>"
	}
	l := algotest.Learn(t, Extractor, algotest.SitePages(html...))
	if got, _ := l.Left(t, "<p>same</p>"); l.Nothing || got != "" {
		t.Errorf("pages that are all the same: %v, %q is left", l.Body, got)
	}
}

// TestEviction: where the styles are too many, those that most pages use stay.
func TestEviction(t *testing.T) {
	var html []string
	for i := range 12 {
		var h strings.Builder
		h.WriteString("<h1>Farm</h1>")
		for j := range 4990 { // places with six styles, of two pages each
			tag := []string{"b", "i", "u", "s", "em", "q"}[(i/2+j)%6]
			fmt.Fprintf(&h, "<p>Share<%s>x%d</%s></p>", tag, i, tag)
		}
		html = append(html, h.String())
	}
	l := algotest.Learn(t, Extractor, algotest.SitePages(html...))
	if !slices.Equal(l.Notes, []string{algorithms.NoteTruncated}) {
		t.Fatalf("%d bytes, notes %v", len(l.Body), l.Notes)
	}
	p := l.Run(t, algotest.SitePages(html...)[0])
	if got := string(p.Out.AppendText(nil, p.Body)); strings.Contains(got, "Farm") || !strings.Contains(got, "Share") {
		t.Errorf("left: %.40q; want what all pages have to go, and the rest to stay", got)
	}
}

// TestAlign is worked out by hand. Six pages of two styles, in each of which the
// texts of head, foot and nav are noise:
//
//	style 1, pages 0 to 2   head p foot
//	style 2, pages 3 to 5   head nav p nav foot
func TestAlign(t *testing.T) {
	const head, foot, nav = "<h1>Farm letters</h1>", "<h6>All rights</h6>", "<nav>North South</nav>"
	var html []string
	for i := range 6 {
		p := fmt.Sprintf("<p>word%d other%d</p>", i, i)
		if i >= 3 {
			p = nav + p + nav
		}
		html = append(html, head+p+foot)
	}
	l := algotest.Learn(t, aligned(t), algotest.SitePages(html...))
	f := func(rule, html, want string, notes ...string) {
		t.Helper()
		got, noted := l.Left(t, html)
		if got != want || !slices.Equal(noted, notes) {
			t.Errorf("%s: %q %v, want %q %v", rule, got, noted, want, notes)
		}
	}
	f("a known style", head+"<p>own</p>"+foot, "own")
	// 3 in common of 4 and 3, against 3 of 4 and 5.
	f("one child more", head+"<p>own</p><div>ad</div>"+foot, "own ad")
	// 4 in common of 4 and 5, against 3 of 4 and 3.
	f("one child less", head+nav+"<p>own</p>"+foot, "own")
	f("the same child twice: the first is paired", head+"<p>own</p>"+foot+foot, "own All rights")
	// head and foot alone, of 4 and 3: 2·2/7 is more than a half.
	f("two in common of seven", head+"<div>own</div><div>ad</div>"+foot, "own ad")
	// of 7 and 3: 2·2/10 is less, and less again of 7 and 5.
	f("too little in common", head+strings.Repeat("<div>ad</div>", 5)+foot, "Farm letters"+strings.Repeat(" ad", 5)+" All rights", algorithms.NoteNoMatch)
	f("nothing in common", "<pre>x</pre><ol>y</ol>", "x y", algorithms.NoteNoMatch)
	f("a leaf where there is none", "all text", "all text", algorithms.NoteNoMatch)

	// Sequences that are too long to compare are kept.
	wide := func(own string, n int) string { return head + strings.Repeat("<p>"+own+"</p>", n) }
	html = html[:0]
	for i := range 6 {
		html = append(html, wide(fmt.Sprintf("word%d other%d", i, i), 1999))
	}
	l = algotest.Learn(t, aligned(t), algotest.SitePages(html...))
	f("as long and known", wide("own", 1999), strings.TrimSpace(strings.Repeat("own ", 1999)))
	f("as long and unknown", wide("own", 1998), "Farm letters"+strings.Repeat(" own", 1998), Budget, algorithms.NoteNoMatch)
}

func TestNoGarbage(t *testing.T) { algotest.SiteNoGarbage(t, Extractor) }
