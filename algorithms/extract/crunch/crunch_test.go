package crunch

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, Extractor) }

func TestEdges(t *testing.T) {
	algotest.Edges(t, Extractor, map[string]string{
		"empty": "", "no-body": "", "only-images": "", "only-hidden": "", "only-links": "",
		"one-text": "only words here", "one-word": "word", "deep": "bottom of the well",
		"forms": "beside the form",
	})
}

// twin removes nodes from a tree, in the order of the rules.
type twin struct {
	Params
	removed map[*algotest.Node]bool
}

func (w *twin) filter(n *algotest.Node) {
	if w.removed[n] || n.IsText() {
		return
	}
	switch n.Tag {
	case html.TagTd:
		links := n.Sum(func(m *algotest.Node) int { return b2i(!m.Hidden && isLink(m)) })
		chars := n.Sum(func(m *algotest.Node) int {
			for a := m.Parent; a != nil; a = a.Parent {
				if isLink(a) {
					return 0
				}
			}
			return m.Chars
		})
		ratio := w.NoWords
		if chars > 0 {
			ratio = float64(links) / (float64(chars) / w.Letters)
		}
		if w.LinkCells && ratio > w.LinkRatio {
			for _, m := range n.All() {
				if m.IsText() || isLink(m) {
					w.remove(m)
				}
			}
		}
	case html.TagA:
		image := false
		for _, k := range n.Kids {
			image = image || k.Tag == html.TagImg
		}
		if n.Href && (image && w.ImageLinks || !image && w.TextLinks) {
			w.remove(n)
			return
		}
	case html.TagImg, html.TagInput, html.TagSelect:
		w.remove(n)
		return
	case html.TagForm, html.TagButton:
		if n.Tag == html.TagForm && w.Forms || n.Tag == html.TagButton && w.Buttons {
			w.remove(n)
			return
		}
	}
	for _, k := range n.Kids {
		w.filter(k)
	}
	if n.Tag == html.TagTable && w.EmptyTables && n.Sum(func(m *algotest.Node) int {
		return b2i(!w.removed[m] && (m.IsText() && !m.Hidden ||
			m.Tag == html.TagA || m.Tag == html.TagButton || m.Tag == html.TagIframe || m.Tag == html.TagTextarea))
	}) == 0 {
		w.remove(n)
	}
}

func (w *twin) remove(n *algotest.Node) {
	for _, m := range n.All() {
		w.removed[m] = true
	}
}

func isLink(n *algotest.Node) bool { return n.Tag == html.TagA && n.Href }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p Params) twin(pass *algorithms.Pass) (s page.Selection) {
	root := algotest.Tree(pass.Body)
	if root == nil {
		return s
	}
	w := twin{p, map[*algotest.Node]bool{}}
	w.filter(root)
	for _, n := range root.All() {
		if !w.removed[n] {
			s.AddRows(pass.Body, page.Rows{Start: n.Row, End: n.Row + 1})
		}
	}
	return s
}

func TestTwin(t *testing.T) {
	all := []Params{Default, {LinkRatio: 0.1, Letters: 3, LinkCells: true}} // all other filters off
	for _, change := range []func(*Params){
		func(p *Params) { p.LinkRatio, p.Letters = 1, 3 }, func(p *Params) { p.NoWords = 0.1 },
		func(p *Params) { p.LinkCells = false }, func(p *Params) { p.TextLinks = false },
		func(p *Params) { p.ImageLinks = false }, func(p *Params) { p.Forms = false },
		func(p *Params) { p.Buttons = false }, func(p *Params) { p.EmptyTables = false },
	} {
		p := Default
		change(&p)
		all = append(all, p)
	}
	for _, p := range all {
		algotest.Twin(t, New(p), 300, p.twin)
	}
}

// TestSwitches switches one filter off and looks at its text.
func TestSwitches(t *testing.T) {
	const html = "<body><p>prose</p><p><a href=/>text</a></p><p><a href=/>image<img src=x></a></p>" +
		"<form><p>form</p></form><button>button</button><table><tr><td>cell<a href=/></a><a href=/></a></table></body>"
	f := func(name, value, want string) {
		t.Helper()
		e, err := Extractor.With(map[string]string{name: value})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(algotest.Text(t, e, html)), " "); got != want {
			t.Errorf("%s=%s: %q, want %q", name, value, got, want)
		}
	}
	f("forms", "true", "prose") // as by default
	f("text_links", "false", "prose text")
	f("image_links", "false", "prose image")
	f("forms", "false", "prose form")
	f("buttons", "false", "prose button")
	f("link_cells", "false", "prose cell")
	f("link_ratio", "3", "prose cell")
}

// TestCell works out cells around the ratio: a link in 20 characters outside
// of links is one link in 4 words.
func TestCell(t *testing.T) {
	f := func(cell, want string) {
		t.Helper()
		if got := algotest.Text(t, Extractor, "<body><table><tr><td>"+cell+"</td></tr></table></body>"); got != want {
			t.Errorf("%s: %q, want %q", cell, got, want)
		}
	}
	const twenty = "twenty letters of it"
	f(twenty+"<a href=/>x</a>", twenty)       // 0.25 is not more than 0.25
	f(twenty+"<a href=/>x</a><a href=/>", "") // 0.5
	f(twenty[1:]+"<a href=/>x</a>", "")       // 19 characters
	f("<a name=x>named</a>", "named")         // not a link
	f("<a href=/>x</a>", "")                  // no words: 1.25
	// The inner cell is judged for itself, the outer one with all that is in it.
	f("long enough text of the outer cell<table><tr><td>y<a href=/>x</a></td></tr></table>", "long enough text of the outer cell")
}

// TestRows looks at what is left besides text.
func TestRows(t *testing.T) {
	f := func(e *algorithms.Extractor, html string, want ...string) {
		t.Helper()
		p := algotest.Pass(html)
		if err := e.Run(p); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range p.Out.Rows {
			for i := r.Start; i < r.End; i++ {
				got = append(got, p.Page.TagName(p.Body.Tag[i]))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: rows %v, want %v", html, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: rows %v, want %v", html, got, want)
			}
		}
	}
	f(Extractor, "<body><table><tr><td><img src=x></td></tr></table><p>a</p>", "body", "p", "#text")
	f(Extractor, "<body><table><tr><td><iframe src=x></iframe></td></tr></table>", "body", "table", "tbody", "tr", "td", "iframe")
	f(Extractor, "<body><table><tr><td><table><tr><td></td></tr></table>a</td></tr></table>", "body", "table", "tbody", "tr", "td", "#text")

	const page = "<body><iframe src='http://Ads.Example:80/x'></iframe><iframe src='//ads.example/'></iframe><p>a</p>"
	f(Extractor, page, "body", "iframe", "iframe", "p", "#text")
	ads, err := Extractor.With(map[string]string{"ads": "Tracker.example ADS.example"})
	if err != nil {
		t.Fatal(err)
	}
	f(ads, page, "body", "iframe", "p", "#text")
}

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"http://Example.org/a": "example.org", "https://u:p@h.example:8080?q": "h.example",
		"//h.example/": "", "/a://b": "", "": "", "http://": "", "http://[::1]:80/": "[::1]",
		"http://[::1]/": "[::1]", "\n http://h.example ": "h.example",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
