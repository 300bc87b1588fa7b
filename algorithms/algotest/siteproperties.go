package algotest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/page"
)

// Site checks what holds for every site-level extractor, on the given pages of one site
// and on all Pages. What is learned is a function of the pages alone, whatever the pass
// was used for before, and is within its bounds. Applying it gives valid selections,
// which are the same every time and consist of whole content leaves unless the
// extractor selects words. Damaged templates and sketches are refused or harmless.
func Site(t *testing.T, e *algorithms.Extractor, sample []SitePage, others ...SitePage) {
	t.Helper()
	if err := algorithms.Validate([]*algorithms.Extractor{e}, nil); err != nil {
		t.Fatal(err)
	}
	if e.Learn == nil {
		t.Fatalf("%s is no site-level extractor", e.Name)
	}
	siteLearns(t, e, sample, others)
	siteApplies(t, Learn(t, e, sample, others...), append(append(slices.Clone(sample), others...), hostileSite()...))
	siteSurvives(t, e)
	siteRefuses(t, e, sample, others)
}

// siteLearns checks that neither the order of the pages, nor other sketches made with
// the same memory, change what is learned.
func siteLearns(t *testing.T, e *algorithms.Extractor, sample, others []SitePage) {
	t.Helper()
	want := map[string][]byte{}
	for _, p := range sample {
		want[p.URL], _ = sketch(t, e, new(bench), p)
	}
	var reused bench
	for range 2 {
		for _, p := range slices.Backward(sample) {
			if got, _ := sketch(t, e, &reused, p); !bytes.Equal(got, want[p.URL]) {
				t.Errorf("%s: %s: a reused pass sketches it differently", e.Name, p.URL)
			}
		}
	}
	s := SampleOf(t, e, sample, others...)
	before := fmt.Sprint(s)
	first, err := finish(t, e, s)
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	if fmt.Sprint(s) != before {
		t.Errorf("%s: learning changed the sample", e.Name)
	}
	shuffled := slices.Clone(sample)
	slices.Reverse(shuffled)
	again := Learn(t, e, append(shuffled, sample...), others...)
	if !bytes.Equal(first.Body, again.Body) || !slices.Equal(first.Notes, again.Notes) || first.Nothing != again.Nothing || first.Clusters != again.Clusters {
		t.Errorf("%s: the order of arrival shows in what is learned", e.Name)
	}
}

// siteApplies applies a template to pages of the sample and others, with new and reused
// memory.
func siteApplies(t *testing.T, l *Template, pages []SitePage) {
	t.Helper()
	var reused bench
	for _, p := range pages {
		places := []int{-1}
		if at := slices.Index(l.Ranks, p.rank()); at >= 0 {
			places = append(places, at)
		}
		for _, at := range places {
			var fresh bench
			want := l.run(t, &fresh, p, at)
			sum := columns(fresh.pass.Body)
			if got := l.run(t, &reused, p, at); !bytes.Equal(got, want) {
				t.Errorf("%s on %s: a reused page answers differently: %s", l.e.Name, p.URL, diff(got, want))
			}
			if columns(fresh.pass.Body) != sum {
				t.Errorf("%s on %s: it changed the page", l.e.Name, p.URL)
			}
			wholeLeaves(t, l.e, &fresh.pass, p)
		}
	}
}

// wholeLeaves checks that each content leaf is kept or dropped as a whole.
func wholeLeaves(t *testing.T, e *algorithms.Extractor, p *algorithms.Pass, sp SitePage) {
	t.Helper()
	tree, err := canon.Of(p)
	if err != nil || len(p.Out.Rows) == 0 && len(p.Out.Spans) > 0 { // an extractor that selects words
		return
	}
	spans := p.Out.Spans
	length := 0
	for i, l := range tree.Leaves {
		if l.Hidden {
			continue
		}
		var leaf, both page.Selection
		leaf.AddTexts(p.Body, l.Rows)
		both.Intersect(&page.Selection{Spans: spans}, &leaf)
		if n := both.Len(); n != 0 && n != leaf.Len() {
			t.Errorf("%s on %s: leaf %d %q is kept in part", e.Name, sp.URL, i, tree.Text(i))
		}
		length += both.Len()
	}
	var blanks int
	for i := 1; i < len(tree.Leaves); i++ { // blanks between two selected leaves may be selected
		a, b := tree.Leaves[i-1].Rows, tree.Leaves[i].Rows
		blanks += max(0, int(p.Body.TextStart[b.Start]-p.Body.TextEnd[a.End-1]))
	}
	if got := p.Out.Len(); got < length || got > length+blanks {
		t.Errorf("%s on %s: %d bytes selected, the kept leaves have %d", e.Name, sp.URL, got, length)
	}
}

// hostileSite returns Pages as pages of a site.
func hostileSite() []SitePage {
	var out []SitePage
	for _, p := range Pages() {
		out = append(out, SitePage{URL: "http://hostile.example/" + p.Name, HTML: p.HTML})
	}
	return out
}

// siteSurvives checks that learning from a sample of hostile pages succeeds or returns
// an error that the contract allows.
func siteSurvives(t *testing.T, e *algorithms.Extractor) {
	t.Helper()
	l, err := TryLearn(t, e, hostileSite())
	switch err {
	case nil:
		siteApplies(t, l, hostileSite())
	case algorithms.ErrTooFewPages, algorithms.ErrOversize:
	default:
		t.Errorf("%s: hostile pages: %v", e.Name, err)
	}
}

// siteRefuses checks that damaged bytes give an error or a template that can be
// applied.
func siteRefuses(t *testing.T, e *algorithms.Extractor, sample, others []SitePage) {
	t.Helper()
	l := Learn(t, e, sample, others...)
	for i, damaged := range damage(l.Body) {
		value, err := e.Learn.Open(damaged)
		if err != nil {
			continue
		}
		bad := &Template{Value: value, Ranks: l.Ranks, e: e}
		if i%16 == 0 { // often enough to find panics
			bad.Run(t, sample[0])
		}
	}
	s := SampleOf(t, e, sample, others...)
	whole := s.Pages[0].Data
	for _, damaged := range damage(whole) {
		s.Pages[0].Data = damaged
		if learned, err := e.Learn.Finish(s); err == nil && len(learned.Body) > algorithms.MaxTemplate {
			t.Fatalf("%s: a damaged sketch makes a template of %d bytes", e.Name, len(learned.Body))
		}
	}
}

// damage returns variants of data: cut short, with changed bits, and with bytes
// appended.
func damage(data []byte) [][]byte {
	var out [][]byte
	step := max(1, len(data)/200)
	for i := 0; i < len(data); i += step {
		out = append(out, data[:i])
		for _, bit := range []byte{1, 0x80, 0xFF} {
			changed := slices.Clone(data)
			changed[i] ^= bit
			out = append(out, changed)
		}
	}
	return append(out, append(slices.Clone(data), 0), bytes.Repeat([]byte{0xFF}, 64), nil)
}

// LeaveOneOut checks that a page of the sample is cleaned as if it were not part of it:
// by the template of the other pages.
func LeaveOneOut(t *testing.T, e *algorithms.Extractor, sample []SitePage) {
	t.Helper()
	all := Learn(t, e, sample)
	for i, p := range sample {
		without := Learn(t, e, slices.Delete(slices.Clone(sample), i, i+1))
		if slices.Contains(without.Ranks, p.rank()) {
			t.Fatalf("%s is in the sample twice", p.URL)
		}
		if got, want := all.Text(t, p), without.Text(t, p); got != want {
			t.Errorf("%s: %s with the sample it is in: %s", e.Name, p.URL, diff([]byte(got), []byte(want)))
		}
	}
}

// FuzzOpen passes bytes to Open, and what Open accepts to Run.
func FuzzOpen(f *testing.F, e *algorithms.Extractor, sample []SitePage, others ...SitePage) {
	f.Helper()
	l := Learn(f, e, sample, others...)
	f.Add(l.Body)
	for _, d := range damage(l.Body) {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		value, err := e.Learn.Open(body)
		if err != nil {
			return
		}
		l := &Template{Value: value, Ranks: l.Ranks, e: e}
		for _, p := range sample[:min(len(sample), 2)] {
			l.Run(t, p)
		}
	})
}

// Website returns pages of a small imaginary website. All pages have the same menu in
// their head, some have the same side column, and each has an article and a foot. Every
// page links to the first four.
func Website() []SitePage {
	articles := []string{
		"The threshing floor lies open to the wind. Grain falls where it is heavy.",
		"A sieve lets the small through and keeps the large. That is all it knows.",
		"Chaff is light, and goes with the wind. Nobody counts where it settles.",
		"The field was sown in autumn. Snow kept it through the long winter.",
		"Millers take a tenth. What is left is flour, and bran for the animals.",
		"Of seven ears five were full. Birds had been at the other two.",
		"Rain in June is worth silver, say the old, and count on their fingers.",
	}
	titles := []string{"Wind", "Sieve", "Chaff", "Field", "Mill", "Ears", "Rain"}
	var out []SitePage
	for i, text := range articles {
		menu := ""
		for j := range 4 {
			menu += fmt.Sprintf("<li><a href=/p%d>%s</a></li>", j, titles[j])
		}
		side := ""
		if i%2 == 0 {
			side = "<div class=side><p>Subscribe to the almanac</p></div>"
		}
		out = append(out, SitePage{
			URL: fmt.Sprintf("http://farm.example/p%d", i),
			HTML: "<html><head><title>" + titles[i] + "</title></head><body><div id=head><img src=/logo.png><ul>" + menu + "</ul></div>" +
				"<div id=main><h1>" + titles[i] + "</h1><p>" + text + "</p>" + fmt.Sprintf("<p>Number %d of the <b>harvest</b> letters.</p><img src=/i%d.png></div>", i+1, i) +
				side + "<div id=foot><p>All rights reserved</p></div></body></html>",
		})
	}
	return out
}

// SitePages returns pages of one site with the given HTML, in the order of their ranks.
func SitePages(html ...string) []SitePage {
	var out []SitePage
	for i, h := range html {
		out = append(out, SitePage{URL: fmt.Sprintf("http://farm.example/%d", i), HTML: h})
	}
	return Ranked(out)
}

// Left applies the template to a page outside of the sample. It returns the selected
// text with white space folded, and the notes on the page.
func (l *Template) Left(t testing.TB, html string) (text string, notes []string) {
	t.Helper()
	p := l.Run(t, SitePage{URL: "http://farm.example/new", HTML: html})
	return strings.Join(strings.Fields(string(p.Out.AppendText(nil, p.Body))), " "), p.Notes
}

// Ranked returns a copy of pages whose ranks follow their order.
func Ranked(pages []SitePage) []SitePage {
	out := slices.Clone(pages)
	for i := range out {
		out[i].Rank = uint64(i + 1)
	}
	return out
}

// SiteNoGarbage checks that applying a template allocates nothing on a page of
// known size: one of the small site that the sample is of, and one of a large site.
func SiteNoGarbage(t *testing.T, e *algorithms.Extractor) {
	t.Helper()
	f := func(sample []SitePage, p SitePage) {
		t.Helper()
		l := Learn(t, e, sample)
		var b bench
		l.run(t, &b, p, -1)
		l.run(t, &b, p, -1)
		template := &algorithms.Template{Value: l.Value, Ranks: l.Ranks, Page: -1}
		n := testing.AllocsPerRun(20, func() {
			b.pass.Reset(&b.page, p.URL)
			b.pass.Template = template
			if err := e.Run(&b.pass); err != nil {
				t.Fatal(err)
			}
		})
		if n > 0 {
			t.Errorf("%s on %s: %v allocations on a page of known size, want 0", e.Name, p.URL, n)
		}
	}
	f(Website(), SitePage{URL: "http://example.org/generated", HTML: generated()})
	large := largeSite(9)
	f(large[:8], large[8])
}
