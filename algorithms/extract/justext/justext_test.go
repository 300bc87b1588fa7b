package justext

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func family() []*algorithms.Extractor { return []*algorithms.Extractor{Extractor, Bench, Traf} }

func TestProperties(t *testing.T) {
	for _, e := range family() {
		algotest.Extractor(t, e)
		algotest.NoGarbage(t, e)
	}
}

func TestGolden(t *testing.T) { algotest.Golden(t, family()...) }

func classes(w *working) string {
	var b strings.Builder
	for _, g := range w.paragraphs {
		b.WriteByte("bsng"[g.class])
	}
	return b.String()
}

// Worked example of the specification, constants of justext-bench.
func TestWorkedExample(t *testing.T) {
	params := &Params{LengthLow: 50, LengthHigh: 200, StopLow: 0.1, StopHigh: 0.2, MaxLinkDensity: 0.2}
	w := &working{paragraphs: []paragraph{
		{chars: 250, words: 100, stops: 35},
		{chars: 30, words: 5},
		{chars: 220, words: 100, stops: 30},
		{chars: 40, words: 5, linkChars: 9},
		{chars: 20, words: 5},
	}}
	w.judgeAlone(params)
	if got := classes(w); got != "gsgbs" {
		t.Errorf("alone: %s, want gsgbs", got)
	}
	w.judgeInContext(params)
	if got := classes(w); got != "gggbb" {
		t.Errorf("in context: %s, want gggbb", got)
	}
}

// literal is the context step as the thesis tells it: neighbours are looked
// for from each paragraph anew.
func literal(in string) string {
	c := []byte(in)
	neighbour := func(c []byte, i, step int, strongOnly bool) byte {
		for i += step; i >= 0 && i < len(c); i += step {
			if c[i] == 'g' || c[i] == 'b' || c[i] == 'n' && !strongOnly {
				return c[i]
			}
		}
		return 'b'
	}
	decided := append([]byte(nil), c...)
	for i := range c {
		if c[i] != 's' {
			continue
		}
		p, n := neighbour(c, i, -1, true), neighbour(c, i, 1, true)
		switch {
		case p == n:
			decided[i] = p
		case p == 'b' && neighbour(c, i, -1, false) == 'n', n == 'b' && neighbour(c, i, 1, false) == 'n':
			decided[i] = 'g'
		default:
			decided[i] = 'b'
		}
	}
	c = decided
	for i := range c {
		if c[i] == 'n' {
			if neighbour(c, i, -1, true) == 'b' && neighbour(c, i, 1, true) == 'b' {
				c[i] = 'b'
			} else {
				c[i] = 'g'
			}
		}
	}
	return string(c)
}

func TestContextTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		in := make([]byte, random.IntN(12))
		w := &working{}
		for i := range in {
			c := random.IntN(4)
			in[i] = "bsng"[c]
			w.paragraphs = append(w.paragraphs, paragraph{class: class(c)})
		}
		w.judgeInContext(&Params{})
		if got, want := classes(w), literal(string(in)); got != want {
			t.Fatalf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	w := &working{paragraphs: []paragraph{
		{chars: 20, heading: true, alone: short, class: short}, // saved by the good one 100 characters on
		{chars: 100, alone: nearGood, class: nearGood},
		{chars: 300, alone: good, class: good},
		{chars: 20, heading: true, alone: short, class: short}, // nothing good behind it
		{chars: 300, alone: bad, class: bad},
	}}
	w.judgeInContext(&Default)
	if got := classes(w); got != "gggbb" {
		t.Errorf("%s, want gggbb", got)
	}
}

func paragraphsOf(html string) []string {
	var pg page.Page
	pg.Parse([]byte(html), page.Options{})
	var p algorithms.Pass
	p.Reset(&pg, "")
	var w working
	w.cut(&p)
	var out []string
	for _, g := range w.paragraphs {
		s := string(w.text[g.textStart:g.textEnd])
		if g.heading {
			s = "# " + s
		}
		if g.linkChars > 0 {
			s += " @" + strings.Repeat("i", g.linkChars)
		}
		out = append(out, s)
	}
	return out
}

func TestParagraphs(t *testing.T) {
	for html, want := range map[string]string{
		"<p>one <b>two</b>three<p>four":            "one twothree|four",
		"a<br>b<br><br>c":                          "a b|c",
		"a<br> <br>b":                              "a|b",
		"x<div>y</div>z":                           "x|y|z",
		"<h2>head <i>line</i></h2>text":            "# head line|text",
		"<p>see <a>this</a> page":                  "see this page @iiii",
		"a<button>no</button>b<p hidden>no</p>c":   "a b|c",
		"<section>a</section><section>b</section>": "a b",
		"<table><tr><td>1<td>2</table>after":       "1|2|after",
		"<ul><li>1<ul><li>2</ul>still 1</ul>":      "1|2|still 1",
	} {
		if got := strings.Join(paragraphsOf("<body>"+html), "|"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", html, got, want)
		}
	}
}
