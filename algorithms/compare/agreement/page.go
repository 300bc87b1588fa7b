package agreement

// Figure is a number that may be unknown.
type Figure struct {
	Value float64
	Known bool
}

// Pair is the agreement of two extractors on one page.
type Pair struct {
	Value float64
	State State
}

// State reports whether a Pair has a value, and why not.
type State uint8

const (
	Known     State = iota
	BothEmpty       // both found nothing
	Failed          // one has no answer
)

// Page is the agreement of the extractors on one page.
type Page struct {
	extractors int
	pairs      []Pair // by row i of the triangle i < j
	// Strength is the mean of the known pairs.
	Strength Figure
	// Means holds each extractor's mean agreement with the others, where a family
	// counts once.
	Means []Figure
	// Consensus holds each extractor's agreement with the majority of the others.
	Consensus []Figure
}

// Pair is the agreement of extractors i and j, i ≠ j.
func (p *Page) Pair(i, j int) Pair { return p.pairs[triangle(p.extractors, i, j)] }

// triangle returns the index of the pair i ≠ j of n in row order.
func triangle(n, i, j int) int {
	if i > j {
		i, j = j, i
	}
	return i*(2*n-i-1)/2 + j - i - 1
}

// Pairs is the number of pairs of n extractors.
func Pairs(n int) int { return n * (n - 1) / 2 }

// fill computes the pairs from sizes and common counts. A size of -1 means that there
// is no answer.
func (p *Page) fill(sizes []int, common func(i, j int) int) {
	n := len(sizes)
	p.extractors, p.pairs = n, p.pairs[:0]
	sum, known := 0.0, 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			x := agree(sizes[i], sizes[j], func() int { return common(i, j) })
			if x.State == Known {
				sum += x.Value
				known++
			}
			p.pairs = append(p.pairs, x)
		}
	}
	p.Strength = Figure{}
	if known > 0 {
		p.Strength = Figure{sum / float64(known), true}
	}
}

// agree is the agreement of two extractions of the given sizes.
func agree(a, b int, common func() int) Pair {
	switch {
	case a < 0 || b < 0:
		return Pair{State: Failed}
	case a == 0 && b == 0:
		return Pair{State: BothEmpty}
	case a == 0 || b == 0:
		return Pair{}
	}
	return Pair{Value: 2 * float64(common()) / float64(a+b)}
}
