package nets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/web2text/collapsed"
	"github.com/winnow/winnow/algorithms/page"
)

func TestSizes(t *testing.T) {
	if b, e := Size(BlockShapes), Size(EdgeShapes); b != 18122 || e != 13034 {
		t.Errorf("%d and %d weights, the paper has 18122 and 13034", b, e)
	}
}

func logs(p ...float64) (out []float32) {
	for _, x := range p {
		out = append(out, float32(math.Log(x)))
	}
	return out
}

// Worked example of the specification.
func TestDecode(t *testing.T) {
	w := Working{blocks: logs(.1, .9, .6, .4, .2, .8), edges: logs(.1, .1, .1, .7, .1, .1, .1, .7)}
	for lambda, want := range map[float32]string{1: "[true true true]", .1: "[true false true]"} {
		if got := fmt.Sprint(w.Decode(lambda)); got != want {
			t.Errorf("lambda %v: %s, want %s", lambda, got, want)
		}
	}
	alone := Working{blocks: logs(.4, .6)}
	if got := alone.Decode(1); !got[0] {
		t.Error("a block that is alone has not its likelier label")
	}
}

// TestDecodeTwin tries all sequences of labels.
func TestDecodeTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var w Working
	for range 2000 {
		n := random.IntN(9)
		w.blocks, w.edges = make([]float32, 2*n), make([]float32, 4*max(0, n-1))
		for _, x := range [][]float32{w.blocks, w.edges} {
			for i := range x {
				x[i] = float32(random.NormFloat64())
			}
		}
		value := func(set int) (sum float64) {
			for i := range n {
				sum += float64(w.blocks[2*i+set>>i&1])
				if i > 0 {
					sum += .5 * float64(w.edges[4*(i-1)+2*(set>>(i-1)&1)+set>>i&1])
				}
			}
			return sum
		}
		best := 0
		for set := range 1 << n {
			if value(set) > value(best) {
				best = set
			}
		}
		got := 0
		for i, l := range w.Decode(.5) {
			if l {
				got |= 1 << i
			}
		}
		if value(got) < value(best)-1e-6 {
			t.Fatalf("labels %b with %v, best are %b with %v", got, value(got), best, value(best))
		}
	}
}

// randomModel has random weights, some of them large.
func randomModel() *Model {
	random := rand.New(rand.NewPCG(3, 4))
	m := &Model{Blocks: Net{BlockShapes, make([]float32, Size(BlockShapes))}, Edges: Net{EdgeShapes, make([]float32, Size(EdgeShapes))}, Lambda: .25}
	for _, w := range [][]float32{m.Blocks.Weights, m.Edges.Weights} {
		for i := range w {
			w[i] = float32(.2 * random.NormFloat64())
		}
	}
	return m
}

// slow is a network by its definition, output by output over the whole page.
func slow(net *Net, n int, features func(to []float32, i int)) []float64 {
	in := make([]float64, 0, n*net.Shapes[0].In)
	row := make([]float32, net.Shapes[0].In)
	for i := range n {
		features(row, i)
		for _, x := range row {
			in = append(in, float64(x))
		}
	}
	for layer, s := range net.Shapes {
		w, bias := Layer(net.Shapes, net.Weights, layer)
		out := make([]float64, n*s.Out)
		for i := range n {
			for o := range s.Out {
				sum := float64(bias[o])
				for k := range s.Width {
					for c := range s.In {
						if at := i + k - s.Width/2; at >= 0 && at < n {
							sum += in[at*s.In+c] * float64(w[(k*s.In+c)*s.Out+o])
						}
					}
				}
				if layer < 4 {
					sum = max(0, sum)
				}
				out[i*s.Out+o] = sum
			}
		}
		in = out
	}
	return in
}

// TestOrderOfSums: every sum has the bits of the sum that is made product by product, with
// any number of channels that are 0.
func TestOrderOfSums(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		s := Shape{Width: 1 + 2*random.IntN(2), In: 1 + random.IntN(12), Out: 1 + random.IntN(9)}
		n := random.IntN(5)
		numbers := func(n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				if random.IntN(3) > 0 {
					x[i] = float32(random.NormFloat64())
				}
			}
			return x
		}
		in, weights, bias := numbers(n*s.In), numbers(s.Weights()), numbers(s.Out)
		got := make([]float32, n*s.Out)
		Convolve(got, in, n, s, weights, bias, true)
		for i := range n {
			for o := range s.Out {
				want := bias[o]
				for k := range s.Width {
					for c := range s.In {
						if at := i + k - s.Width/2; at >= 0 && at < n {
							want += float32(in[at*s.In+c] * weights[(k*s.In+c)*s.Out+o])
						}
					}
				}
				if got[i*s.Out+o] != want {
					t.Fatalf("%+v, position %d, output %d: %v, want %v", s, i, o, got[i*s.Out+o], want)
				}
			}
		}
	}
}

func TestNetTwin(t *testing.T) {
	m := randomModel()
	var w Working
	var pg page.Page
	var p collapsed.Page
	long := strings.Repeat("<div class=a><p>Some text, no. "+strings.Repeat("<b>More?</b> ", 9)+"</div><ul><li><a>Home 2001</a></ul>", 100) // three chunks
	for _, html := range []string{"", "<p>one", "<p>one<p>two", algotest.Conformance(), long} {
		pg.Parse([]byte(html), page.Options{})
		p.Fill(&pg)
		n := len(p.Rows)
		m.Run(&w, &p)
		for _, c := range []struct {
			got  []float32
			want []float64
			size int
		}{{w.blocks, slow(&m.Blocks, n, p.Block), 2}, {w.edges, slow(&m.Edges, max(0, n-1), p.Edge), 4}} {
			if len(c.got) != len(c.want) {
				t.Fatalf("%d outputs, want %d", len(c.got), len(c.want))
			}
			for i := 0; i < len(c.want); i += c.size {
				sum := 0.0
				for _, v := range c.want[i : i+c.size] {
					sum += math.Exp(v)
				}
				for o, v := range c.want[i : i+c.size] {
					if want := v - math.Log(sum); math.Abs(float64(c.got[i+o])-want) > 1e-3*max(1, math.Abs(want)) {
						t.Fatalf("%d blocks, output %d: %v, want %v", n, i+o, c.got[i+o], want)
					}
				}
			}
		}
	}
	if len(p.Rows) <= 2*chunk {
		t.Errorf("the long page has %d blocks, which are not three chunks", len(p.Rows))
	}
}

func TestFile(t *testing.T) {
	m := randomModel()
	got, err := Decode(m.Encode(7))
	if err != nil {
		t.Fatal(err)
	}
	if got.Lambda != m.Lambda || !slices.Equal(got.Blocks.Weights, m.Blocks.Weights) || !slices.Equal(got.Edges.Weights, m.Edges.Weights) {
		t.Error("a model that was written is read as another")
	}
}
