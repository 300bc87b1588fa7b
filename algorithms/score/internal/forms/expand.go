package forms

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// numbers gives the atoms of a page's extractions their numbers, for all forms.
var numbers = &algorithms.GoldFeature[tokens.Dict]{Name: "numbers of atoms", Compute: func(dst *tokens.Dict, _ *algorithms.Gold) {
	dst.Reset()
}}

// atoms holds the atoms of an extraction.
var atoms = &algorithms.TrialFeature[tokens.Atoms]{Name: "atoms", Compute: func(dst *tokens.Atoms, t *algorithms.Trial) {
	dst.Cut(numbers.Of(t.Gold), t.Text)
}}

// expansions holds what atoms become in one form, by the number of the atom.
type expansions struct {
	of    []place
	items []int32
}

// place is a range of items, with one added to both ends. The zero place means that the
// atom has not been expanded yet.
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

// expander appends what an atom becomes.
type expander func(dst []int32, g *Gold, atom []byte) []int32

// find returns the items of an atom, valid until the next call.
func (x *expansions) find(id int32, g *Gold, dict *tokens.Dict, expand expander) []int32 {
	if int(id) < len(x.of) {
		if p := x.of[id]; p.end != 0 {
			return x.items[p.start : p.end-1]
		}
	}
	return x.add(id, g, dict, expand)
}

// add does what find does, for an atom that is not known yet.
func (x *expansions) add(id int32, g *Gold, dict *tokens.Dict, expand expander) []int32 {
	for int(id) >= len(x.of) {
		x.of = append(x.of, place{})
	}
	start := len(x.items)
	x.items = expand(x.items, g, dict.Word(id))
	x.of[id] = place{int32(start), int32(len(x.items)) + 1}
	return x.items[start:]
}

// appendFew appends items, of which there are usually only a few. If both slices have
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

// none is the number that stands for the absence of an item.
const none = -2

// between holds the items that stand between those of atoms: one before the first item
// of every line, or one between any two atoms that have items. Either may be none.
type between struct{ line, blank int32 }

// expand appends the items of t.
func (g *Gold) expand(dst []int32, t *algorithms.Trial, expand expander, b between) []int32 {
	a, dict := atoms.Of(t), numbers.Of(t.Gold)
	begins, next := false, 0 // whether a line begins, as far as its items are known
	for i, id := range a.IDs {
		if next < len(a.Lines) && int(a.Lines[next]) == i {
			begins = true
			next++
		}
		before := len(dst)
		if begins && b.line != none {
			dst = append(dst, b.line)
		} else if before > 0 && b.blank != none {
			dst = append(dst, b.blank)
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
		} else {
			begins = false
		}
	}
	return dst
}
