package chain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/crf/blocks"
	"github.com/winnow/winnow/algorithms/page"
)

// Worked example of the specification.
func TestDecode(t *testing.T) {
	m := Model{Transition: [2][2]float32{{.5, 0}, {0, .5}}}
	if got, _ := m.Decode(nil, nil, []float64{1, -.4}); !got[0] || !got[1] {
		t.Errorf("labels %v, want content, content", got)
	}
	if got, _ := m.Decode(nil, nil, []float64{1, -.6}); !got[0] || got[1] {
		t.Errorf("labels %v, want content, noise", got)
	}
	if got, _ := m.Decode(nil, nil, nil); len(got) != 0 {
		t.Errorf("labels %v of no block", got)
	}
}

// TestDecodeTwin tries all sequences of labels.
func TestDecodeTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var labels []bool
	var back []uint8
	for range 3000 {
		var m Model
		for k := range 4 {
			m.Transition[k/2][k%2] = float32(random.NormFloat64())
		}
		scores := make([]float64, random.IntN(9))
		for i := range scores {
			scores[i] = random.NormFloat64()
		}
		value := func(set int) (sum float64) {
			for i, s := range scores {
				sum += float64(set>>i&1) * s
				if i > 0 {
					sum += float64(m.Transition[set>>(i-1)&1][set>>i&1])
				}
			}
			return sum
		}
		best := 0
		for set := range 1 << len(scores) {
			if value(set) > value(best) {
				best = set
			}
		}
		labels, back = m.Decode(labels, back, scores)
		got := 0
		for i, l := range labels {
			if l {
				got |= 1 << i
			}
		}
		if value(got) < value(best)-1e-9 {
			t.Fatalf("scores %v: labels %b with %v, best are %b with %v", scores, got, value(got), best, value(best))
		}
	}
}

// randomModel has a weight for every observation.
func randomModel() *Model {
	random := rand.New(rand.NewPCG(3, 4))
	m := &Model{Weights: make([]float32, Observations)}
	for v := range m.Weights {
		m.Weights[v] = float32(random.NormFloat64())
	}
	return m
}

// TestScoreTwin names every observation of every block, and looks for its weight
// by that name.
func TestScoreTwin(t *testing.T) {
	m := randomModel()
	weight := map[string]float64{}
	at := 0
	for _, f := range blocks.Features {
		for d := -f.Reach; d <= f.Reach; d++ {
			for v := 1; v <= f.Levels; v++ {
				weight[fmt.Sprint(f.Name, d, "=", v)] = float64(m.Weights[at])
				at++
			}
		}
	}
	if at != Observations || len(weight) != at {
		t.Fatalf("%d observations with %d names, want %d", at, len(weight), Observations)
	}
	var pg page.Page
	var p blocks.Page
	for _, html := range []string{"", "<p>one", algotest.Conformance(), algotest.Random(1), strings.Repeat("<li><a>Home, 12:30</a> x. ", 7)} {
		pg.Parse([]byte(html), page.Options{})
		p.Fill(pg.Body())
		for i, got := range m.Score(nil, &p) {
			want := 0.0
			for f, feature := range blocks.Features {
				for d := -feature.Reach; d <= feature.Reach; d++ {
					if j := i + d; j >= 0 && j < len(p.Rows) {
						want += weight[fmt.Sprint(feature.Name, d, "=", p.Column(f)[j])]
					}
				}
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("block %d: score %v, want %v", i, got, want)
			}
		}
	}
}

func TestFile(t *testing.T) {
	m := randomModel()
	m.Transition = [2][2]float32{{1, 2}, {3, 4}}
	got, err := Decode(m.Encode(7))
	if err != nil {
		t.Fatal(err)
	}
	if got.Transition != m.Transition || fmt.Sprint(got.Weights) != fmt.Sprint(m.Weights) {
		t.Error("a model that was written is read as another")
	}
}
