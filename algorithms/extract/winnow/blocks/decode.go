package blocks

import "math"

// grades is the number of steps of probability that Choose tells apart.
const grades = 32

// grade returns the step of a probability.
func grade(p float32) int { return max(0, min(int(p*grades), grades-1)) }

// reach has, for each grade, the probability that the gold has the blocks of that grade:
// the probability in the middle of the grade, to a power less than 1, because golds are
// more generous than the probabilities say.
var reach = func() (t [grades]float32) {
	for g := range t {
		t[g] = float32(math.Pow((float64(g)+.5)/grades, .75))
	}
	return t
}()

// Choose finds the blocks of the answer: those of at least the returned threshold, which
// maximises the expected word F1. It returns that F1 and the threshold, which is above 1
// if no block has a word. Blocks of probability 0 are in no answer.
//
// Whether two blocks are gold is not independent: an annotator who leaves out one comment of a page
// leaves out all of them. Choose takes the other extreme. The golds that a page may have
// are the sets of all blocks at or above some probability, so a gold with a block has
// also every likelier one, and reach says how probable it is that the gold reaches down
// to a grade. With independent blocks, a thousand words of unlikely comments would promise
// hundreds of gold words, and the answer would have the comments too.
func (p *Page) Choose(probability []float32) (f1, threshold float32) {
	var words [grades]float32
	for i, q := range probability {
		if q > 0 {
			words[grade(q)] += float32(p.Blocks[i].Words)
		}
	}
	// The possible golds and answers, from the smallest to the largest.
	var sets [grades]struct {
		grade          int
		words          float32
		chance, expect float32 // probability that it is the gold; expected F1 if it is the answer
	}
	n := 0
	sum := float32(0)
	for g := grades - 1; g >= 0; g-- {
		if words[g] == 0 {
			continue
		}
		sum += words[g]
		sets[n].grade, sets[n].words, sets[n].chance = g, sum, reach[g]
		if n > 0 {
			sets[n-1].chance -= reach[g] // the gold is a set if it reaches that far down and not farther
		}
		n++
	}
	for i := range n {
		a := &sets[i]
		a.expect += a.chance
		for k := range i {
			b := &sets[k]
			f := 2 * b.words / (a.words + b.words) // F1 of one if the other is the gold
			a.expect += float32(b.chance * f)
			b.expect += float32(a.chance * f)
		}
	}
	threshold = 2
	for i := range n {
		if sets[i].expect > f1 {
			f1, threshold = sets[i].expect, max(float32(sets[i].grade)/grades, math.SmallestNonzeroFloat32)
		}
	}
	return f1, threshold
}

// bins is the number of steps between 0 and 1 to which Independent rounds probabilities.
const bins = 1 << 10

// Independent finds the threshold of probability that would maximise the expected word F1
// if blocks were gold independently of each other, 2·Σ(p·w) / (Σw + G). G is the number of
// gold words on the page, which is expected to be Σ(p·w) over all blocks. It returns
// that F1 and the threshold, which is above 1 if no block has a word. The threshold is a
// feature of the second stage; the F1 tells pages without content from others.
func (p *Page) Independent(probability []float32) (f1, threshold float32) {
	var words, mass [bins + 1]float32
	var gold float32
	for i := range p.Blocks {
		w, q := float32(p.Blocks[i].Words), probability[i]
		bin := int(q * bins)
		words[bin] += w
		mass[bin] += w * q
		gold += w * q
	}
	threshold = 2
	var w, m float32
	for bin := bins; bin >= 0; bin-- {
		if words[bin] == 0 {
			continue
		}
		w += words[bin]
		m += mass[bin]
		if f := 2 * m / (w + gold); f > f1 {
			f1, threshold = f, float32(bin)/bins
		}
	}
	return f1, threshold
}
