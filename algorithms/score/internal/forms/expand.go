package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// numbers gives the atoms and lines of a page's extractions their numbers, for all forms.
var numbers = &algorithms.GoldFeature[tokens.Numbers]{Name: "numbers of atoms", Compute: func(dst *tokens.Numbers, _ *algorithms.Gold) {
	dst.Reset()
}}

// atoms holds the atoms of an extraction.
var atoms = &algorithms.TrialFeature[tokens.Atoms]{Name: "atoms", Compute: func(dst *tokens.Atoms, t *algorithms.Trial) {
	dst.Cut(numbers.Of(t.Gold), t.Text)
}}

// expansions holds what atoms or lines become in one form, by their number.
type expansions struct {
	of    []place
	items []int32
}

// place is a range of items, with one added to both ends. The zero place means that
// there is none yet.
type place struct{ start, end int32 }

// keepItems is the most items whose memory is kept for the next page.
const keepItems = 1 << 20

func (x *expansions) reset() {
	if cap(x.items) > keepItems || cap(x.of) > keepItems {
		*x = expansions{}
		return
	}
	x.of, x.items = x.of[:0], x.items[:0]
}

// get returns the items of a number, and whether they are known.
func (x *expansions) get(id int32) ([]int32, bool) {
	if uint32(id) < uint32(len(x.of)) {
		if p := x.of[id]; p.end != 0 {
			return x.items[p.start : p.end-1], true
		}
	}
	return nil, false
}

// put makes the items from start on those of a number, and returns them.
func (x *expansions) put(id int32, start int) []int32 {
	for int(id) >= len(x.of) {
		x.of = append(x.of, place{})
	}
	x.of[id] = place{int32(start), int32(len(x.items)) + 1}
	return x.items[start:]
}

// expander appends what an atom becomes.
type expander func(dst []int32, g *Gold, atom []byte) []int32

// find returns the items of an atom, valid until the next call.
func (x *expansions) find(id int32, g *Gold, dict *tokens.Dict, expand expander) []int32 {
	if items, ok := x.get(id); ok {
		return items
	}
	start := len(x.items)
	x.items = expand(x.items, g, dict.Word(id))
	return x.put(id, start)
}

// appendFew appends items; there are usually only a few. If both slices have
// the memory it copies eight items at once, which costs less than copying by their
// number.
func appendFew(dst, items []int32) []int32 {
	const few = 8
	n, m := len(dst), len(items)
	if m > few || cap(items) < few || cap(dst)-n < few {
		return append(dst, items...)
	}
	*(*[few]int32)(dst[n : n+few]) = [few]int32(items[:few])
	return dst[:n+m]
}

// none is the number that represents the absence of an item.
const none = -2

// between holds the items between those of atoms: one before the first item
// of every line, or one between any two atoms that have items. Either may be none.
type between struct{ line, blank int32 }

// keepLines is the most items of lines that a form keeps for other texts of a page.
const keepLines = 1 << 17

// expand appends the items of t. The texts of a page have most of their lines in common,
// so what a line becomes is kept.
func (g *Gold) expand(dst []int32, t *algorithms.Trial, expand expander, b between) []int32 {
	a := atoms.Of(t)
	for i, line := range a.Lines {
		ids := a.IDs[line.First:]
		if i+1 < len(a.Lines) {
			ids = a.IDs[line.First:a.Lines[i+1].First]
		}
		before := len(dst)
		if b.line != none {
			dst = append(dst, b.line)
		} else if before > 0 && b.blank != none {
			dst = append(dst, b.blank)
		}
		after := len(dst)
		if items, known := g.lines.get(line.Number); known {
			dst = append(dst, items...)
		} else if line.Number < 0 || len(g.lines.items) > keepLines {
			dst = g.expandLine(dst, t, ids, expand, b.blank)
		} else {
			start := len(g.lines.items)
			g.lines.items = g.expandLine(g.lines.items, t, ids, expand, b.blank)
			dst = append(dst, g.lines.put(line.Number, start)...)
		}
		if len(dst) == after {
			dst = dst[:before]
		}
	}
	return dst
}

// expandLine appends the items of a line with the given atoms.
func (g *Gold) expandLine(dst []int32, t *algorithms.Trial, ids []int32, expand expander, blank int32) []int32 {
	a, dict, start := atoms.Of(t), &numbers.Of(t.Gold).Atoms, len(dst)
	for _, id := range ids {
		before := len(dst)
		if before > start && blank != none {
			dst = append(dst, blank)
		}
		after := len(dst)
		if id < 0 {
			long := a.Long[-1-id]
			dst = expand(dst, g, t.Text[long.Start:long.End])
		} else {
			dst = appendFew(dst, g.known.find(id, g, dict, expand))
		}
		if len(dst) == after {
			dst = dst[:before]
		}
	}
	return dst
}
