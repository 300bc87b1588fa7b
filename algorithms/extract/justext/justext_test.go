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
	w.classifyContextFree(params)
	if got := classes(w); got != "gsgbs" {
		t.Errorf("alone: %s, want gsgbs", got)
	}
	w.classifyInContext(params)
	if got := classes(w); got != "gggbb" {
		t.Errorf("in context: %s, want gggbb", got)
	}
}

// literal is the context step as the thesis tells it: neighbours are looked
// for from each paragraph again.
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
		w.classifyInContext(&Params{})
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
		{chars: 20, heading: true, alone: short, class: short}, // nothing good after it
		{chars: 300, alone: bad, class: bad},
	}}
	w.classifyInContext(&Default)
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
		// White space is folded in pre, too, whatever character it is.
		"<pre>a \f\t b&nbsp;c\n\nd&#x2003;é</pre>": "a b c d é",
	} {
		if got := strings.Join(paragraphsOf("<body>"+html), "|"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", html, got, want)
		}
	}
}

// TestAlone goes along the edges of the first step: each paragraph has 40 words
// of which stops are function words.
func TestAlone(t *testing.T) {
	f := func(params Params, chars, linkChars, stops int, want byte) {
		t.Helper()
		// The second paragraph tells that there is a list for the language.
		w := &working{paragraphs: []paragraph{{chars: chars, linkChars: linkChars, words: 40, stops: stops}, {chars: 1, words: 1, stops: 1}}}
		w.classifyContextFree(&params)
		if got := classes(w)[0]; got != want {
			t.Errorf("%d characters, %d in links, %d of 40 stop words: %c, want %c", chars, linkChars, stops, got, want)
		}
	}
	// Stop shares: 11/40 = 0.275, 12/40 = 0.3, 13/40 = 0.325.
	f(Default, 69, 0, 40, 's')
	f(Default, 69, 1, 40, 'b')  // short, with a link
	f(Default, 70, 14, 13, 'n') // exactly 0.2 in links
	f(Default, 70, 15, 13, 'b') // above
	f(Default, 200, 0, 13, 'n') // not longer than 200
	f(Default, 201, 0, 13, 'g') // longer
	f(Default, 201, 0, 12, 'n') // exactly the low share
	f(Default, 201, 0, 11, 'b') // below
	odd := Default              // with the shares the wrong way round the rules
	odd.StopLow = 0.5           // still apply in their order
	f(odd, 100, 0, 13, 'n')
}

func TestCopyright(t *testing.T) {
	const text = "The grain of the harvest is on the floor and it is for the people of the town in the hills by the sea. "
	for html, want := range map[string]string{
		"<p>" + text + "</p>":                  "n",
		"<p>" + text + "&copy; Winnow</p>":     "b",
		"<p>" + text + "&amp;copy; Winnow</p>": "b", // written down twice
		"<p>" + text + "Copyright 2001</p>":    "n",
	} {
		p := algotest.Pass("<html lang=en><body>" + html)
		var w working
		w.cut(p)
		w.countStopWords(p, &Default)
		w.classifyContextFree(&Default)
		if got := classes(&w); got != want {
			t.Errorf("%s: %s, want %s", html, got, want)
		}
	}
}

// TestLanguage: which list counts the words of a page.
func TestLanguage(t *testing.T) {
	const text = "<body>the grain is on the floor und der Wind" // 4 English words, 2 German
	for html, want := range map[string]int{
		text:                            4, // most hits
		"<html lang=en-GB>" + text:      4,
		"<html lang=DE>" + text:         2,
		"<html lang=ko>" + text:         0, // no list: none is guessed
		"<html lang='{{lang}}'>" + text: 4, // no language
		"<meta http-equiv=content-language content=de>" + text: 2,
	} {
		p := algotest.Pass(html)
		var w working
		w.cut(p)
		w.countStopWords(p, &Default)
		if got := w.paragraphs[0].stops; got != want {
			t.Errorf("%s: %d stop words, want %d", html, got, want)
		}
	}
	e, err := Extractor.With(map[string]string{"language": "de"})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Params[len(e.Params)-1]; got.Name != "language" || got.Value != "de" {
		t.Errorf("%v", got)
	}
	if _, err := Extractor.With(map[string]string{"language": "tlh"}); err == nil {
		t.Error("there is no Klingon list")
	}
}

// A page without one function word of a list: justext-bench, whose list is
// English whatever the page says, finds nothing, and so does justext if the page
// claims to be English. Without any list, length and links alone decide.
func TestNoHit(t *testing.T) {
	text := "<p>" + strings.Repeat("слово ", 60)
	for _, c := range []struct {
		e    *algorithms.Extractor
		lang string
		want bool
	}{
		{Bench, "", false}, {Bench, " lang=xx", false}, {Bench, " lang=en", false}, {Traf, "", false},
		{Extractor, " lang=en", false}, {Extractor, " lang=xx", true}, {Extractor, "", true},
	} {
		if got := algotest.Text(t, c.e, "<html"+c.lang+"><body>"+text) != ""; got != c.want {
			t.Errorf("%s on a page with%s: text %v, want %v", c.e.Name, c.lang, got, c.want)
		}
	}
}
