package page

import (
	"math"
	"strings"
	"testing"
)

// fixture is a small page whose counts, ratios and densities the tests state.
func fixture() []byte {
	rep := func(w string, n int) string { return strings.TrimSuffix(strings.Repeat(w+" ", n), " ") }
	lines := []string{"<html><head><title>t</title></head>", "<body>", "<div>", "<div><ul>"}
	for range 8 {
		lines = append(lines, `<li><a href="/n">nav nav</a></li>`)
	}
	lines = append(lines, "</ul></div>",
		"<div><h1>title title title</h1>",
		"<p>"+rep("one", 60)+"</p>",
		"<p>"+rep("two", 20)+` <a href="/l">lnk lnk</a> `+rep("two", 20)+"</p>",
		"<p>"+rep("tri", 8)+"</p></div>",
		"<div><h3>side</h3><ul>")
	for range 5 {
		lines = append(lines, `<li><a href="/s">side side side</a></li>`)
	}
	lines = append(lines, "</ul></div>",
		"<div><p>"+rep("foot", 6)+` <a href="/f">foot</a></p></div>`,
		"</div>", "</body></html>")
	return []byte(strings.Join(lines, "\n") + "\n")
}

// ctd is the composite text density of CETD (Sun, Song and Liao 2011).
func ctd(c, t, lc, lt, rho float64) float64 {
	one := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return x
	}
	nl := one(c - lc)
	t, lc, lt = one(t), one(lc), one(lt)
	return c / t * math.Log(c*t/(lc*lt)) / math.Log(math.Log(c*lc/nl+rho*c+math.E))
}

func TestFixture(t *testing.T) {
	var p Page
	p.Parse(fixture(), Options{})
	b := p.Body()
	equal := func(name string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	equal("rows", b.Len(), 64)
	equal("C", b.Sum(b.Chars, 0), 615)
	equal("W", b.Sum(b.TextWords, 0), 152)
	equal("Ca", b.Sum(b.AnchorChars, 0), 137)
	equal("Cah", b.Sum(b.HrefChars, 0), 137)
	equal("Cl", b.Sum(b.LinkChars, 0), 137)
	equal("E inside body", b.Sum(b.Elements, 0)-1, 41)
	equal("A", b.Sum(b.Anchors, 0), 15)
	equal("Ah", b.Sum(b.Hrefs, 0), 15)
	equal("L", b.Sum(b.Leaves, 0), 22)
	equal("UL", b.Sum(b.Lists, 0), 15)
	equal("tokens", p.Tokens().Len(), 234)
	equal("words", len(b.Words().Span), 152)
	if got := string(p.Title()); got != "t" {
		t.Errorf("title %q", got)
	}

	rho := float64(b.Sum(b.LinkChars, 0)) / float64(b.Sum(b.Chars, 0))
	for _, w := range []struct {
		name            string
		row             Row
		c, lc, t, lt, l int
		ctd             float64
	}{
		{"outer div", 1, 615, 137, 40, 31, 22, 15.430734},
		{"nav div", 2, 56, 56, 17, 17, 8, 0},
		{"content div", 28, 452, 7, 5, 1, 6, 337.232606},
		{"p one", 31, 239, 0, 0, 0, 1, 937.038050},
		{"p two", 33, 165, 7, 1, 1, 3, 387.110535},
		{"p tri", 38, 31, 0, 0, 0, 1, 123.786162},
		{"side div", 40, 74, 70, 12, 11, 6, 0.445995},
		{"foot div", 59, 33, 4, 2, 1, 2, 46.877055},
	} {
		c, lc := b.Sum(b.Chars, w.row), b.Sum(b.LinkChars, w.row)
		tags, lt := b.Sum(b.Elements, w.row)-1, int(b.LinkTags[w.row])
		equal(w.name+" C", c, w.c)
		equal(w.name+" LC", lc, w.lc)
		equal(w.name+" T", tags, w.t)
		equal(w.name+" LT", lt, w.lt)
		equal(w.name+" L", b.Sum(b.Leaves, w.row), w.l)
		got := ctd(float64(c), float64(tags), float64(lc), float64(lt), rho)
		if math.Abs(got-w.ctd) > 1e-6 {
			t.Errorf("%s CTD: got %f, want %f", w.name, got, w.ctd)
		}
	}
}
