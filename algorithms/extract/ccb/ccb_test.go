package ccb

import (
	"math"
	"testing"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/codevector"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, CCB, ACCB, TCCB) }

func TestNoGarbage(t *testing.T) {
	for _, e := range []*algorithms.Extractor{CCB, ACCB, TCCB} {
		algotest.NoGarbage(t, e)
	}
}

func TestEdges(t *testing.T) {
	for _, e := range []*algorithms.Extractor{CCB, ACCB, TCCB} {
		algotest.Edges(t, e, map[string]string{
			"empty": "", "no-body": "", "only-images": "", "only-hidden": "",
			"one-text": "", "one-word": "", "deep": "", // too short to be noticed
		})
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestKernel(t *testing.T) {
	f := func(width int, one, four, variance float64) {
		t.Helper()
		g := gauss(width, 3)
		near(t, "k(0)", g[width], one, 5e-7)
		k := newKernel(Params{Range: width, Iterations: 4, Sigmas: 3})
		if int(k.radius) != 4*width {
			t.Errorf("radius %d, want %d", k.radius, 4*width)
		}
		near(t, "largest weight", k.steep, four, 5e-8)
		sum, spread := 0.0, 0.0
		for d := -k.radius; d <= k.radius; d++ {
			w := k.upTo(d+1) - k.upTo(d)
			sum += w
			spread += w * float64(d) * float64(d)
		}
		near(t, "sum", sum, 1, 1e-12)
		near(t, "variance", spread, variance, 5e-4)
		near(t, "all", k.upTo(math.MaxInt32/2), 1, 1e-12)
		near(t, "nothing", k.upTo(-math.MaxInt32/2), 0, 0)
	}
	f(40, 0.029992, 0.0150767, 693.999)
	f(25, 0.0479786, 0.0241096, 271.506)
}

// TestSettling checks the figures that the number of iterations is chosen by:
// the largest change of a cell at the border of long text and long code.
func TestSettling(t *testing.T) {
	cells := make([]float64, 2000)
	for i := range cells[:1000] {
		cells[i] = 1
	}
	for i, want := range []float64{0.485, 0.083, 0.049, 0.035, 0.027} {
		next := blur(cells, gauss(40, 3))
		most := 0.0
		for x := 400; x < 1600; x++ { // away from the ends of the document
			most = max(most, math.Abs(next[x]-cells[x]))
		}
		near(t, "change", most, want, 5e-4)
		cells, _ = next, i
	}
}

// blur is one iteration as the paper says it.
func blur(cells, kernel []float64) []float64 {
	next := make([]float64, len(cells))
	for x := range cells {
		for i, w := range kernel {
			if y := x + i - len(kernel)/2; y >= 0 && y < len(cells) {
				next[x] += w * cells[y]
			}
		}
	}
	return next
}

// first returns the first cell of an array of content and code that is above
// the threshold; −1 if there is none.
func first(p Params, code, content, codeAfter int) int {
	s := scan{kernel: newKernel(p), threshold: p.Threshold,
		runs: []codevector.Run{{Start: int32(code), End: int32(code + content)}}}
	for x := range code + content + codeAfter {
		if s.bright(int32(x), int32(x+1)) {
			return x - code
		}
	}
	return -1
}

func TestBorders(t *testing.T) {
	f := func(p Params, border, shortest int) {
		t.Helper()
		if got := first(p, 500, 2000, 0); got != border {
			t.Errorf("%d cells of long text are dark, want %d", got, border)
		}
		if first(p, 500, shortest-1, 500) >= 0 || first(p, 500, shortest, 500) < 0 {
			t.Errorf("isolated text is noticed from %d cells on, want no", shortest)
		}
	}
	f(DefaultChars, 18, 61)
	f(DefaultTokens, 11, 39)
}

// twin expands the vector into cells, blurs them directly and looks at every
// cell of every word.
func twin(v Variant, p Params) func(*algorithms.Pass) page.Selection {
	return func(pass *algorithms.Pass) (s page.Selection) {
		tokens, body := pass.Page.Tokens(), pass.Body
		var cells []float64
		add := func(value float64, n int) {
			for range n {
				cells = append(cells, value)
			}
		}
		// Outside of the document is code that is blurred like any other.
		add(0, p.Range*p.Iterations)
		type word struct{ start, end, token int }
		var words []word
		for i := range tokens.Kind {
			src := pass.Page.Source[tokens.Src[i].Start:tokens.Src[i].End]
			if tokens.Kind[i] != page.TokenWord {
				switch {
				case v.name == "tccb":
					add(0, 1)
				case v.name == "ccb" || tokens.Tag[i] != html.TagA:
					add(0, utf8.RuneCount(src))
				}
				continue
			}
			n := utf8.RuneCount(body.Text[tokens.Text[i].Start:tokens.Text[i].End])
			if n == 0 {
				n = utf8.RuneCount(src)
			}
			if v.name == "tccb" {
				n = 1
			} else if tokens.Lead[i] {
				add(1, 1)
			}
			words = append(words, word{len(cells), len(cells) + n, i})
			add(1, n)
		}
		add(0, p.Range*p.Iterations)
		for range p.Iterations {
			cells = blur(cells, gauss(p.Range, p.Sigmas))
		}
		for _, w := range words {
			for _, c := range cells[w.start:w.end] {
				if c > p.Threshold {
					s.AddSource(body, tokens.Text[w.token])
					break
				}
			}
		}
		s.SortSource(body)
		return s
	}
}

func TestTwin(t *testing.T) {
	for _, v := range []Variant{Chars, Adapted, Tokens} {
		for _, p := range []Params{DefaultChars, DefaultTokens,
			{Range: 3, Threshold: 0.5, Iterations: 2, Sigmas: 3}, {Range: 10, Threshold: 0.9, Iterations: 1, Sigmas: 1.5}} {
			algotest.Twin(t, New(v, p), 25, twin(v, p))
		}
	}
}

func FuzzTwin(f *testing.F) {
	for _, p := range algotest.Pages() {
		if len(p.HTML) < 4000 {
			f.Add(p.HTML)
		}
	}
	f.Add(algotest.Random(1))
	p := Params{Range: 7, Threshold: 0.6, Iterations: 3, Sigmas: 2}
	methods := map[*algorithms.Extractor]func(*algorithms.Pass) page.Selection{}
	for _, v := range []Variant{Chars, Adapted, Tokens} {
		methods[New(v, p)] = twin(v, p)
	}
	f.Fuzz(func(t *testing.T, html string) {
		html = html[:min(len(html), 4000)] // the twin is slow on longer inputs
		for e, twin := range methods {
			algotest.SameAsTwin(t, e, html, twin)
		}
	})
}
