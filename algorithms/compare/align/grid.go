package align

import (
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms/internal/lcs"
)

// maxCells is the largest table of a gap. Each cell takes one byte, and the whole some
// tenths of a second.
const maxCells = 1 << 26

// Scores are in half characters, so that opening a gap costs four characters
// and a half: a lone word of four is not worth two gaps instead of one.
const (
	perRune = 2
	open    = 9
)

// grid is the table of one gap without what cannot match: text words that the page's
// piece lacks, and page words that the text's piece lacks. A run of any number of such
// page words counts as one.
type grid struct {
	rows  []int32 // index of a page word that may match; -1 for a row of others
	cols  []int32 // index of a text word that may match
	ids   []int32 // the numbers of the cols
	side  []uint8 // by number: on which sides it occurs
	steps []uint8 // how each cell was reached, by row

	matched, skipped []int32 // scores of a row of cells
	page             []int32
	pairs            []lcs.Pair
}

const (
	onPage uint8 = 1 << iota
	inText
)

// How a cell was reached, for the two states in which a row can end: its page word is
// matched (low bits) or left out (high bits).
const (
	fromMatched uint8 = 1 + iota // a match, and the page word before is matched
	fromSkipped                  // a match after a gap
	skipText                     // a text word is left out

	leave    = 1 << 2 // a text word is left out
	opened   = 2 << 2 // a gap begins
	extended = 3 << 2 // a gap goes on
)

// never is less than every score.
const never = math.MinInt32 / 2

// fill computes the table; it reports false if that would take too many cells.
func (g *grid) fill(ids, text []int32, runes []int32) bool {
	if len(g.side) < len(runes) {
		g.side = append(g.side, make([]uint8, len(runes)-len(g.side))...)
	}
	for _, id := range ids {
		g.side[id] |= onPage
	}
	for _, id := range text {
		g.side[id] |= inText
	}
	g.rows, g.cols, g.ids, g.page = g.rows[:0], g.cols[:0], g.ids[:0], ids
	for j, id := range text {
		if g.side[id]&onPage != 0 {
			g.cols = append(g.cols, int32(j))
			g.ids = append(g.ids, id)
		}
	}
	for i, id := range ids {
		switch {
		case g.side[id]&inText != 0:
			g.rows = append(g.rows, int32(i))
		case len(g.rows) == 0 || g.rows[len(g.rows)-1] >= 0:
			g.rows = append(g.rows, -1)
		}
	}
	for _, id := range ids {
		g.side[id] = 0
	}
	for _, id := range text {
		g.side[id] = 0
	}
	if len(g.rows) > maxCells/(len(g.cols)+1) {
		return false
	}
	g.compute(runes)
	return true
}

func (g *grid) compute(runes []int32) {
	width := len(g.cols) + 1
	g.steps = sized(g.steps, len(g.rows)*width)
	g.matched, g.skipped = sized(g.matched, width), sized(g.skipped, width)
	for j := range width {
		g.matched[j], g.skipped[j] = 0, never
	}
	for r, row := range g.rows {
		steps := g.steps[r*width : (r+1)*width]
		id, worth := int32(-1), int32(0)
		if row >= 0 {
			id = g.page[row]
			worth = perRune * runes[id]
		}
		// These are the scores of the row before, one column to the left.
		matchedBefore, skippedBefore := int32(never), int32(never)
		for j := range width {
			matchedUp, skippedUp := g.matched[j], g.skipped[j]
			var step uint8

			matched := int32(never)
			if j > 0 && g.ids[j-1] == id {
				matched, step = matchedBefore+worth, fromMatched
				if skippedBefore > matchedBefore {
					matched, step = skippedBefore+worth, fromSkipped
				}
			}
			if j > 0 && g.matched[j-1] > matched {
				matched, step = g.matched[j-1], skipText
			}

			skipped, how := matchedUp-open, uint8(opened)
			if skippedUp > skipped {
				skipped, how = skippedUp, extended
			}
			if j > 0 && g.skipped[j-1] >= skipped {
				skipped, how = g.skipped[j-1], leave
			}

			steps[j] = step | how
			g.matched[j], g.skipped[j] = matched, skipped
			matchedBefore, skippedBefore = matchedUp, skippedUp
		}
	}
}

// walk calls match for the pairs of the best alignment, in order. i and j are indexes
// into the two pieces.
func (g *grid) walk(match func(i, j int)) {
	width := len(g.cols) + 1
	g.pairs = g.pairs[:0]
	r, j := len(g.rows), width-1
	matched := g.matched[j] >= g.skipped[j]
	for r > 0 {
		step := g.steps[(r-1)*width+j]
		if !matched {
			switch step &^ 3 {
			case leave:
				j--
			case opened:
				matched = true
				r--
			default:
				r--
			}
			continue
		}
		if step&3 == skipText {
			j--
			continue
		}
		r, j = r-1, j-1
		g.pairs = append(g.pairs, lcs.Pair{G: g.rows[r], E: g.cols[j]})
		matched = step&3 == fromMatched
	}
	for _, x := range slices.Backward(g.pairs) {
		match(int(x.G), int(x.E))
	}
}

func sized[T uint8 | int32](s []T, n int) []T {
	if cap(s) < n || cap(s) > 1<<22 && cap(s)/8 > n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
