package agreement

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-7 }

// words is a page of n words and its body.
func words(n int) *page.Body {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d ", i)
	}
	p := new(page.Page)
	p.Parse([]byte("<p>"+b.String()), page.Options{})
	return p.Body()
}

func choose(b *page.Body, chosen []bool) *page.Selection {
	var s page.Selection
	for i, c := range chosen {
		if c {
			s.AddWords(b, i, i+1)
		}
	}
	return &s
}

func TestSpansExample(t *testing.T) {
	b := words(10)
	s := NewSpans([]string{"a", "b", "c"})
	pick := func(at ...int) *page.Selection {
		chosen := make([]bool, 10)
		for _, i := range at {
			chosen[i] = true
		}
		return choose(b, chosen)
	}
	for range 2 {
		s.Begin(b)
		s.Add(0, pick(1, 2, 3))
		s.Add(1, pick(2, 3, 4))
		s.Add(2, pick(3, 9))
		p := s.Finish()
		if got := p.Pair(0, 1); !near(got.Value, 2./3) {
			t.Errorf("0 and 1: %+v", got)
		}
		if got := p.Pair(0, 2); !near(got.Value, 0.4) {
			t.Errorf("0 and 2: %+v", got)
		}
		// A12 = 2/3, A13 = 2/5, A23 = 2/5.
		for i, want := range []float64{(2./3 + 0.4) / 2, (2./3 + 0.4) / 2, 0.4} {
			if got := p.Means[i]; !got.Known || !near(got.Value, want) {
				t.Errorf("mean of %d: %+v, want %v", i, got, want)
			}
		}
		// More than half of the two others: both. Without 0 that is word 3,
		// without 2 it is words 2 and 3.
		for i, want := range []float64{0.5, 0.5, 0.5} {
			if got := p.Consensus[i]; !got.Known || !near(got.Value, want) {
				t.Errorf("consensus of %d: %+v, want %v", i, got, want)
			}
		}
	}
	// A family counts once: c agrees with a by 0.4, with b by 1.
	f := NewSpans([]string{"x", "x", "x", "y"})
	f.Begin(b)
	f.Add(0, pick(1, 2, 3))
	f.Add(1, pick(2, 3, 4))
	f.Add(3, pick(3, 9))
	if got := f.Finish().Means; !near(got[3].Value, 0.4) || !near(got[0].Value, (2./3+0.4)/2) || got[2].Known {
		t.Errorf("means of a family: %+v", got)
	}
	f.Begin(b)
	f.Add(0, pick(1, 2, 3))
	f.Add(1, pick(3, 9))
	f.Add(2, pick(3, 9))
	f.Add(3, pick(3, 9))
	if got := f.Finish().Means[3]; !near(got.Value, (0.4+1+1)/3) {
		t.Errorf("mean over a family: %+v", got)
	}
	// Alone, or failed: nothing to agree with.
	s.Begin(b)
	s.Add(1, pick(1))
	p := s.Finish()
	if p.Consensus[0].Known || p.Consensus[1].Known || p.Strength.Known {
		t.Errorf("alone: %+v, %+v", p.Consensus, p.Strength)
	}
}

// A word that is cut is not chosen, and neither is a page without words.
func TestSpansEdges(t *testing.T) {
	b := words(3) // w0 w1 w2
	s := NewSpans([]string{"a", "b"})
	s.Begin(b)
	s.Add(0, &page.Selection{Spans: []page.Span{{Start: 1, End: 5}}})
	s.Add(1, &page.Selection{Spans: []page.Span{{Start: 3, End: 5}, {Start: 6, End: 7}}})
	if got := s.Finish().Pair(0, 1); got.Value != 1 {
		t.Errorf("cut words: %+v", got)
	}
	s.Begin(words(0))
	s.Add(0, &page.Selection{})
	s.Add(1, &page.Selection{})
	if got := s.Finish(); got.Pair(0, 1).State != BothEmpty || got.Consensus[0].Known {
		t.Errorf("no words: %+v", got)
	}
}

// TestSpansAgainstDefinition compares with the definition in exact fractions.
func TestSpansAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		n := []int{5, 64, 65, 200}[round%4]
		b := words(n)
		k := 1 + r.IntN(8)
		families := make([]string, k)
		for i := range families {
			families[i] = fmt.Sprint("f", r.IntN(4))
		}
		chosen := make([][]bool, k)
		s := NewSpans(families)
		s.Begin(b)
		for i := range chosen {
			if r.IntN(6) == 0 {
				continue // failed
			}
			chosen[i] = make([]bool, n)
			for w, on := 0, r.IntN(2) == 0; w < n; w++ {
				if r.IntN(8) == 0 {
					on = !on
				}
				chosen[i][w] = on && r.IntN(9) > 0
			}
			s.Add(i, choose(b, chosen[i]))
		}
		p := s.Finish()
		for i := range chosen {
			for j := range chosen {
				if i != j && chosen[i] != nil && chosen[j] != nil {
					if want, known := f1(chosen[i], chosen[j]); p.Pair(i, j).State == Known != known || !near(p.Pair(i, j).Value, want) {
						t.Fatalf("pair %d %d: %+v, want %v", i, j, p.Pair(i, j), want)
					}
				}
			}
			if chosen[i] == nil {
				continue
			}
			want, known := 0.0, false
			if m := majority(families, chosen, i); m != nil {
				want, known = f1(chosen[i], m)
			}
			if got := p.Consensus[i]; got.Known != known || !near(got.Value, want) {
				t.Fatalf("round %d: consensus of %d in families %v: %+v, want %v %v", round, i, families, got, want, known)
			}
		}
	}
}

func f1(a, b []bool) (float64, bool) {
	common, total := 0, 0
	for w := range a {
		if a[w] {
			total++
		}
		if b[w] {
			total++
		}
		if a[w] && b[w] {
			common++
		}
	}
	if total == 0 {
		return 0, false
	}
	return 2 * float64(common) / float64(total), true
}

// majority is the words that more than half of the families chose, i left out;
// nil if no other answered.
func majority(families []string, chosen [][]bool, i int) []bool {
	size := map[string]int64{}
	for j, c := range chosen {
		if j != i && c != nil {
			size[families[j]]++
		}
	}
	if len(size) == 0 {
		return nil
	}
	out := make([]bool, len(chosen[i]))
	for w := range out {
		votes := new(big.Rat)
		for j, c := range chosen {
			if j != i && c != nil && c[w] {
				votes.Add(votes, big.NewRat(1, size[families[j]]))
			}
		}
		out[w] = votes.Cmp(big.NewRat(int64(len(size)), 2)) > 0
	}
	return out
}

func TestMatrix(t *testing.T) {
	families := []string{"lqf", "lqf", "bte", "dsc"}
	r := rand.New(rand.NewPCG(3, 4))
	b := words(100)
	var pages []*Page
	for range 20 {
		s := NewSpans(families)
		s.Begin(b)
		for i := range families {
			if r.IntN(5) > 0 {
				chosen := make([]bool, 100)
				for w := range chosen {
					chosen[w] = r.IntN(3) > 0
				}
				s.Add(i, choose(b, chosen))
			}
		}
		pages = append(pages, s.Finish())
	}
	whole, back := NewMatrix(families), NewMatrix(families)
	for i := range pages {
		whole.Add(pages[i])
		back.Add(pages[len(pages)-1-i])
	}
	if fmt.Sprint(whole) != fmt.Sprint(back) {
		t.Errorf("added in another order:\n%v\n%v", whole, back)
	}
	c := whole.At(2, 0)
	if c != whole.At(0, 2) || c.Agreement.N+c.BothEmpty+c.Failed != 20 {
		t.Errorf("pair 0 2: %+v", c)
	}
	// A family counts once.
	got := whole.Mean(2)
	want := ((whole.At(2, 0).Agreement.Mean().Value+whole.At(2, 1).Agreement.Mean().Value)/2 + whole.At(2, 3).Agreement.Mean().Value) / 2
	if !got.Known || !near(got.Value, want) {
		t.Errorf("mean of 2: %+v, want %v", got, want)
	}
	if NewMatrix(families).Mean(0).Known {
		t.Error("a mean of nothing is known")
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	b := words(500)
	s := NewSpans([]string{"a", "a", "b", "c"})
	sel := choose(b, func() []bool {
		c := make([]bool, 500)
		for i := range c {
			c[i] = i%7 < 4
		}
		return c
	}())
	m := NewMatrix([]string{"a", "a", "b", "c"})
	run := func() {
		s.Begin(b)
		for i := range 4 {
			s.Add(i, sel)
		}
		m.Add(s.Finish())
	}
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%v allocations a page, want none", n)
	}
}

// go test -run - -bench . ./algorithms/compare/agreement
func BenchmarkAgreement(b *testing.B) {
	const n, k = 8000, 30
	body := words(n)
	r := rand.New(rand.NewPCG(5, 6))
	var families []string
	var chosen []*page.Selection
	for i := range k {
		families = append(families, fmt.Sprint("f", i/3))
		c := make([]bool, n)
		for w, on := 0, false; w < n; w++ {
			if r.IntN(150) == 0 {
				on = !on
			}
			c[w] = on
		}
		chosen = append(chosen, choose(body, c))
	}
	s := NewSpans(families)
	b.Run("by=spans/extractors=30/words=8000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Begin(body)
			for i, c := range chosen {
				s.Add(i, c)
			}
			s.Finish()
		}
	})
}
