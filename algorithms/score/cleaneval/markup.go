package cleaneval

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// aligner is the working memory of text and markup.
type aligner struct {
	table  lcs.Table
	pairs  []lcs.Pair
	places []int32 // by position of the alignment: the token that both sides have there, else apart
}

// apart marks a position of the alignment at which one side has no token.
const apart = -1

// maxCells is the largest number of cells for which the program's own alignment is
// found, which takes some tens of milliseconds. Beyond it another alignment of the same
// length is found, up to the bound of lcs.Trace.
const maxCells = 1 << 28

// score compares text and tags, read in the form marked; plain is without tags.
func (a *aligner) score(t *algorithms.Trial, plain, marked *forms.Form) algorithms.Score {
	g, e := marked.Gold(t.Gold), marked.Trial(t)
	s := algorithms.Score{Method: "tags"}
	if !goldText.Of(t.Gold).marked {
		s.Method = "lines"
	}
	if len(g.IDs) <= maxCells/max(1, len(e)) {
		// The tokens without tags that both texts have in common are also in common if
		// tags are included.
		common := plain.Subsequence(t, lcs.DefaultCells).Common
		a.walk(marked.Masks(t.Gold), g.IDs, e, len(g.IDs)-int(common))
	} else {
		s.Method = "canonical"
		var ok bool
		if a.pairs, ok = lcs.Trace(a.pairs[:0], g.IDs, e, g.Distinct); !ok {
			return algorithms.Score{Method: string(lcs.Skipped), Reason: algorithms.ReasonTooLong}
		}
	}
	a.lay(g.IDs, len(e))
	text := similarity(int64(len(a.pairs)), int64(len(e)), int64(len(g.IDs)))
	s.Value = (text + a.validity(g, e)) / 2
	return s
}

// walk finds the alignment that the program finds. From the end it steps to the
// neighbouring cell with the smallest distance. Of several it prefers a pair (equal or
// not), then a token of the extraction alone, then a token of the gold alone.
//
// The distance of two prefixes is i+j-2·L(i,j). Of the three cells before (i,j) the
// pair is therefore best unless leaving out a token keeps a length that is one more
// than the pair's. The choice needs differences of L only, which the table has.
//
// loss is an upper estimate of how many tokens of the gold have no partner.
func (a *aligner) walk(masks *lcs.Masks, g, e []int32, loss int) {
	a.pairs = a.pairs[:0]
	if len(g) == 0 || len(e) == 0 {
		return
	}
	if !a.table.Fill(masks, e, loss) {
		a.table.Fill(masks, e, len(g))
	}
	for i, j := len(g), len(e); i > 0 && j > 0; {
		switch {
		case a.table.Gain(i, j-1) == 1: // L(i,j-1) = L(i-1,j-1)+1
			j--
		case a.table.Rise(i-1, j) == 1: // L(i-1,j) = L(i-1,j-1)+1
			i--
		default:
			i, j = i-1, j-1
			if g[i] == e[j] {
				a.pairs = append(a.pairs, lcs.Pair{G: int32(i), E: int32(j)})
			}
		}
	}
	slices.Reverse(a.pairs)
}

// lay fills places from the pairs. Each token between two pairs gets a position of its
// own, so the order of two such tokens does not matter.
func (a *aligner) lay(g []int32, extracted int) {
	a.places = a.places[:0]
	i, j := 0, 0
	gap := func(iEnd, jEnd int) {
		for range iEnd - i + jEnd - j {
			a.places = append(a.places, apart)
		}
	}
	for _, p := range a.pairs {
		gap(int(p.G), int(p.E))
		a.places = append(a.places, g[p.G])
		i, j = int(p.G)+1, int(p.E)+1
	}
	gap(len(g), extracted)
}

// sides lists the six F-measures of segment validity. A tag is right if the given
// number of positions after it (before it, where negative) hold a token on both sides.
var sides = [...]struct {
	tag    string
	beside int
}{{"<p>", 2}, {"<p>", -2}, {"<h>", 1}, {"<h>", -1}, {"<l>", 1}, {"<l>", -1}}

// validity is the mean of the six F-measures, 0 to 100.
func (a *aligner) validity(g *forms.Gold, e []int32) float64 {
	sum := 0.0
	for _, s := range sides {
		tag := g.Number([]byte(s.tag))
		correct, inGold, inText := 0, 0, 0
		for _, id := range g.IDs {
			if id == tag {
				inGold++
			}
		}
		for _, id := range e {
			if id == tag {
				inText++
			}
		}
		for at, id := range a.places {
			if id == tag && a.right(at, s.beside) {
				correct++
			}
		}
		sum += fMeasure(correct, inText, inGold)
	}
	return sum / float64(len(sides))
}

// right reports whether the positions beside at hold tokens on both sides. Positions
// beyond the ends are ignored.
func (a *aligner) right(at, beside int) bool {
	from, to := at+1, at+beside
	if beside < 0 {
		from, to = at+beside, at-1
	}
	for k := max(from, 0); k <= min(to, len(a.places)-1); k++ {
		if a.places[k] == apart {
			return false
		}
	}
	return true
}

func fMeasure(correct, inText, inGold int) float64 {
	switch {
	case inText == 0 && inGold == 0:
		return 100
	case correct == 0:
		return 0
	}
	p, r := 100*float64(correct)/float64(inText), 100*float64(correct)/float64(inGold)
	return 2 * p * r / (p + r)
}
