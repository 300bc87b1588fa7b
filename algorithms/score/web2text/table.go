package web2text

import "github.com/winnow/winnow/algorithms"

const (
	// maxCells is the largest table of a gap, a byte a cell: the bound of package
	// align's. maxTotal is for all tables of a text together, a second or so.
	maxCells = 1 << 26
	maxTotal = 1 << 28

	sameWorth  = 3 // a letter or digit that is the same on both sides
	otherWorth = 1 // another character, or one in another case
	skipCost   = 6 // a character of the text that is not white space is left out
	openCost   = 2 // a gap in the source begins
)

// How a cell was reached.
const (
	pair       uint8 = iota // the two units are matched
	skipText                // the unit of the text is left out
	skipSource              // the unit of the source is left out
)

// table is the program's table for one gap. After the first of several units of the
// source that the text does not have, the others leave all scores of a row unchanged,
// so one row represents any number of them.
type table struct {
	rows   []row
	source []uint16
	text   []uint16
	folded []uint16 // text with its case folded
	steps  []uint8  // by row, one for each unit of the text
	scores []int32
	inGap  []bool
	member [1 << 10]uint64 // the units of folded, as bits
}

// row is a unit of the source that may be matched, or a run of units that cannot.
type row struct {
	at     int32 // -1 for a run
	folded uint16
}

// fill computes the table and returns the number of its cells; it reports false
// if they are more than limit.
func (t *table) fill(source, text []uint16, limit int) (cells int, ok bool) {
	t.source, t.text, t.folded, t.rows = source, text, t.folded[:0], t.rows[:0]
	for _, u := range text {
		f := fold(u)
		t.folded = append(t.folded, f)
		t.member[f>>6] |= 1 << (f & 63)
	}
	for i, u := range source {
		f := fold(u)
		switch {
		case t.member[f>>6]>>(f&63)&1 != 0:
			t.rows = append(t.rows, row{int32(i), f})
		case len(t.rows) == 0 || t.rows[len(t.rows)-1].at >= 0:
			t.rows = append(t.rows, row{at: -1})
		}
	}
	for _, f := range t.folded {
		t.member[f>>6] = 0
	}
	if len(t.rows) > limit/len(text) {
		return 0, false
	}
	cells = len(t.rows) * len(text)
	if cap(t.steps) < cells || cap(t.steps) > 1<<22 && cap(t.steps)/8 > cells {
		t.steps = make([]uint8, cells)
	}
	t.steps = t.steps[:cells]
	t.compute()
	return cells, true
}

func (t *table) compute() {
	n := len(t.text)
	t.scores, t.inGap = algorithms.Zeros(t.scores, n), algorithms.Zeros(t.inGap, n)
	for j := range n { // before any unit of the source: the program's own beginning
		t.scores[j], t.inGap[j] = -int32(j+1), true
	}
	for r, row := range t.rows {
		steps := t.steps[r*n : (r+1)*n]
		var unit uint16
		same, other := int32(otherWorth), int32(otherWorth)
		if row.at >= 0 {
			unit = t.source[row.at]
			switch {
			case isAlphanumeric(unit):
				same = sameWorth
			case row.folded == ' ':
				other = 0 // two kinds of white space
			}
		}
		diagonal, left, leftInGap := int32(0), int32(0), true // column 0: all of the source is left out
		for j := range steps {
			up, upInGap := t.scores[j], t.inGap[j]
			best, step, inGap := up, skipSource, true
			if !upInGap {
				best -= openCost
			}
			skipped := left
			if t.folded[j] != ' ' {
				skipped -= skipCost
			}
			if skipped > best {
				best, step, inGap = skipped, skipText, leftInGap
			}
			if row.at >= 0 && t.folded[j] == row.folded {
				matched := diagonal + other
				if t.text[j] == unit {
					matched = diagonal + same
				}
				if matched > best {
					best, step, inGap = matched, pair, false
				}
			}
			steps[j], t.scores[j], t.inGap[j] = step, best, inGap
			diagonal, left, leftInGap = up, best, inGap
		}
	}
}

// walk notes the units of the source that are matched.
func (t *table) walk(aligned []bool) {
	n := len(t.text)
	for r, j := len(t.rows), n; r > 0 && j > 0; {
		switch t.steps[(r-1)*n+j-1] {
		case pair:
			at := t.rows[r-1].at
			aligned[at] = t.source[at] != gap
			r, j = r-1, j-1
		case skipText:
			j--
		default:
			r--
		}
	}
}
