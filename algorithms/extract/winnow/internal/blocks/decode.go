package blocks

// bins is the number of steps between 0 and 1 to which Decode rounds probabilities.
const bins = 1 << 10

// Decode finds the threshold of probability that maximises the expected word F1 of the
// blocks at or above it, 2·Σ(p·w) / (Σw + G). G is the number of gold words on the
// page, which is expected to be Σ(p·w) over all blocks. Decode returns that F1 and the
// threshold, which is above 1 if no block has a word.
func (p *Page) Decode(probability []float32) (f1, threshold float32) {
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
