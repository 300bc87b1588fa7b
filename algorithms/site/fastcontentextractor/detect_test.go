package fastcontentextractor

import (
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/vector"
)

// hashOf is the hash of a path below HTML.BODY, as in "DIV.TABLE.P".
func hashOf(path string) uint64 {
	h := canon.Join(0, xxhash.Sum64String("body"))
	for _, name := range strings.Split(path, ".") {
		if name == "#own" {
			return canon.Join(h, ownLeaves)
		}
		h = canon.Join(h, xxhash.Sum64String(strings.ToLower(name)))
	}
	return h
}

// templateOf has the given paths and, at each path of nonContent, the blocks of
// a page.
func templateOf(t *testing.T, paths string, nonContent map[string]string) *template {
	t.Helper()
	var out template
	for _, p := range strings.Fields(paths) {
		out.paths = append(out.paths, hashOf(p))
	}
	slices.Sort(out.paths)
	for p, html := range nonContent {
		at, ok := slices.BinarySearch(out.paths, hashOf(p))
		if !ok {
			t.Fatalf("%s is not in P", p)
		}
		vectors := vector.Classic.Of(algotest.Pass(html))
		for i := range vectors.Len() {
			out.set.Add(vectors.View(i))
			out.at = append(out.at, int32(at))
		}
	}
	out.index = vector.NewIndex(&out.set, Default.Eps)
	return &out
}

func detect(t *testing.T, p Params, l *template, html string) *algorithms.Pass {
	t.Helper()
	pass := algotest.Pass(html)
	pass.Template = &algorithms.Template{Value: l, Page: -1}
	if err := New(p).Run(pass); err != nil {
		t.Fatal(err)
	}
	if err := pass.Out.Validate(pass.Body); err != nil {
		t.Fatal(err)
	}
	return pass
}

func textOf(pass *algorithms.Pass) string { return string(pass.Out.AppendText(nil, pass.Body)) }

// TestRules has a page for each rule and for each way to read it.
func TestRules(t *testing.T) {
	f := func(paths, html, want string) {
		t.Helper()
		if got := textOf(detect(t, Default, templateOf(t, paths, nil), html)); got != want {
			t.Errorf("P = %s: %s: %q, want %q", paths, html, got, want)
		}
	}
	const figure = `<p>the US <span>House</span> passed <span>CSM</span></p>`
	f("P P.SPAN", figure, "the US House passed CSM")
	f("P", figure, "the US passed")
	const nested = `<div>lead<ul>menu</ul><table><tr><td>cap<p>body text</p></td></tr><tr><td><ul>z</ul></td></tr></table></div>`
	f("DIV DIV.TABLE.TR.P", nested, "lead\ncap\nbody text")
	f("DIV.TABLE.TR.P", nested, "body text")    // the outer block is not extracted
	f("DIV DIV.TABLE.TR.UL", nested, "lead\nz") // the row of cap has no path of P below it, that of z has
	f("DIV DIV.UL DIV.TABLE.TR.P DIV.TABLE.TR.UL", nested, "lead\nmenu\ncap\nbody text\nz")
	f("UL", nested, "")
	f("#own", `own <b>text</b> <div>not</div>`, "own text")
	f("#own DIV.P", `own <div>no<p>in</p></div>`, "own\nin")
	f("P", `<p>a</p><div><p>b</p></div><p>c <i>d</i></p>`, "a\nc d")
	f("P.SPAN", `<p>"<span>(</span><span>x</span>`, "(x") // what has no words is part of an extracted block
}

// The table of the second case of TestRules, without the rows that a parser inserts.
func TestRulesOfUnparsedTable(t *testing.T) {
	// DIV(lead, UL(menu), DIV(cap, P(body text), UL(z))): as there, with a DIV for the table.
	l := templateOf(t, "DIV DIV.DIV.P", nil)
	if got := textOf(detect(t, Default, l, `<div>lead<ul>menu</ul><div>cap<p>body text</p><ul>z</ul></div></div>`)); got != "lead\ncap\nbody text" {
		t.Errorf("%q", got)
	}
}

func TestNonContent(t *testing.T) {
	l := templateOf(t, "DIV DIV.P", map[string]string{"DIV.P": `<p>all rights reserved</p>`})
	const html = `<div>all rights reserved<p>all rights reserved</p><p>all rights reversed by nobody</p></div>`
	if got := textOf(detect(t, Default, l, html)); got != "all rights reserved\nall rights reversed by nobody" {
		t.Errorf("atomic: %q", got) // the div has another path
	}
	whole := Default
	whole.Compare = Whole
	// All that is extracted: {all 3, rights 3, reserved 2, reversed, by, nobody}, cosine 8/√(3·25) = 0.924.
	if got := textOf(detect(t, whole, l, html)); got != "" {
		t.Errorf("whole: %q", got)
	}
	// With three words more: 8/√(3·28) = 0.873.
	if got := textOf(detect(t, whole, l, strings.Replace(html, "nobody", "nobody on this farm", 1))); !strings.HasPrefix(got, "all rights reserved\nall rights reserved") {
		t.Errorf("whole: %q", got)
	}
	if got := textOf(detect(t, whole, l, `<div>all rights <p>reserved</p></div><div>content</div>`)); got != "content" {
		t.Errorf("whole: %q", got) // together it is {all, rights, reserved}
	}
}

func TestNoMatch(t *testing.T) {
	p := detect(t, Default, templateOf(t, "DIV.P", nil), `<p>nothing of the kind</p>`)
	if !p.Out.Empty() || !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("%q, notes %v", textOf(p), p.Notes)
	}
}
