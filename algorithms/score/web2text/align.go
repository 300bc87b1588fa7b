package web2text

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
)

// aligner aligns texts with a source. It makes the choices of the authors' program,
// which are not optimal: anchors are taken in the order in which they occur, and
// whether a gap is open is remembered for one path to each cell only.
type aligner struct {
	text     []uint16
	aligned  []bool // by unit of the source
	segments []segment
	table    table
	cells    int  // left for tables
	coarse   bool // the cells were not enough
	over     bool // the rest is too large for any way to align

	folded, ids []int32
	pairs       []lcs.Pair
	at          []int32
}

// segment is a range of the source with the range of the text that corresponds to it:
// equal units, or units that remain to be aligned.
type segment struct {
	from, to         int // range of the source
	textFrom, textTo int // range of the text; its end precedes its start where an anchor reached back
	same             bool
}

// align fills aligned and returns the share of the text's units, white space
// aside, that were found.
func (a *aligner) align(s *source) float64 {
	a.aligned = algorithms.Zeros(a.aligned, len(s.units))
	a.cells, a.coarse, a.over = maxTotal, false, false
	a.anchor(s)
	for _, x := range a.segments {
		switch {
		case x.same:
			for i := x.from; i < x.to; i++ {
				a.aligned[i] = a.text[x.textFrom+i-x.from] != gap
			}
		case x.textFrom < x.textTo:
			a.gap(s.units[x.from:x.to], a.text[x.textFrom:x.textTo], a.aligned[x.from:x.to])
		}
	}
	solid, found := 0, 0
	for _, u := range a.text {
		if !isWhite(u) {
			solid++
		}
	}
	if solid == 0 {
		return 1
	}
	for i, aligned := range a.aligned {
		if aligned && !isWhite(s.units[i]) {
			found++
		}
	}
	return min(1, float64(found)/float64(solid))
}

// anchor cuts source and text into segments. An anchor that precedes the
// last one in the source removes that one and is not taken itself.
func (a *aligner) anchor(s *source) {
	a.segments = a.segments[:0]
	var last segment
	for i := 0; i+piece <= len(a.text); {
		at, ok := s.once(a.text[i : i+piece])
		switch {
		case !ok:
			i++
		case at <= last.from:
			// The anchor is dropped with the segment that was open before it.
			a.segments = a.segments[:max(0, len(a.segments)-2)]
			last = segment{}
			if n := len(a.segments); n > 0 {
				last = a.segments[n-1]
			}
			i++
		case at < last.to:
			i++
		default:
			left, right := 0, piece
			for i+right < len(a.text) && at+right < len(s.units) && fold(a.text[i+right]) == fold(s.units[at+right]) {
				right++
			}
			for left < i && left < at && at-left > last.to && fold(a.text[i-left-1]) == fold(s.units[at-left-1]) {
				left++
			}
			a.open(last, at-left, i-left)
			last = segment{at - left, at + right, i - left, i + right, true}
			a.segments = append(a.segments, last)
			i += right
		}
	}
	a.open(last, len(s.units), len(a.text))
}

// open appends the segment between the last one and the given positions.
func (a *aligner) open(last segment, to, textTo int) {
	if to > last.to || textTo > last.textTo {
		a.segments = append(a.segments, segment{last.to, to, last.textTo, textTo, false})
	}
}

// gap aligns the units between two anchors, by a longest common subsequence where the
// table would be too large.
func (a *aligner) gap(source, text []uint16, aligned []bool) {
	if used, ok := a.table.fill(source, text, min(a.cells, maxCells)); ok {
		a.cells -= used
		a.table.walk(aligned)
		return
	}
	a.coarse = true
	a.folded, a.ids, a.at = a.folded[:0], a.ids[:0], a.at[:0]
	for i, u := range source {
		if u != gap {
			a.folded, a.at = append(a.folded, int32(fold(u))), append(a.at, int32(i))
		}
	}
	for _, u := range text {
		a.ids = append(a.ids, int32(fold(u)))
	}
	var ok bool
	if a.pairs, ok = lcs.Trace(a.pairs[:0], a.folded, a.ids, 1<<16); !ok {
		a.over = true
		return
	}
	for _, x := range a.pairs {
		aligned[a.at[x.G]] = true
	}
}
