package lcs

// Method says how a length was found.
type Method string

const (
	Exact Method = "exact"
	// Anchored: the sequences were cut at long runs that both have exactly once,
	// and the pieces compared exactly. Low is the length of a common
	// subsequence, High an upper bound.
	Anchored Method = "anchored"
	// Partial: as Anchored, but some piece was over the budget and counts 0.
	Partial Method = "anchored-partial"
	// Skipped: too long even for anchors; Low says nothing.
	Skipped Method = "skipped-size"
)

// DefaultCells is the default budget of a comparison, in cells of the table: a
// quarter of a million items against as many, up to a second. The gold texts of
// real pages and what was extracted for them are within it.
const DefaultCells = 1 << 36

// maxAnchored is the most items, both sides together, that are compared by
// anchors: the table of runs takes up to 16 bytes an item.
const maxAnchored = 16_000_000

// Result is the length of a longest common subsequence, or bounds of it.
type Result struct {
	Low, High int
	Method    Method
}

// Compare finds the length of the longest common subsequence of m's gold
// sequence and e in at most about the given number of cells. Equal ends cost
// nothing. It never shortens a sequence silently: the Method says what was done.
//
// Expect is how many items the shorter of the two is thought to have that the
// other lacks, in their order; -1 if there is no idea. It says where to begin and
// changes no result.
func (m *Masks) Compare(s *Scratch, e []int32, cells, expect int) Result {
	return m.CompareFrom(s, e, cells, expect, 0)
}

// CompareFrom is Compare where the length is known to be at least low.
func (m *Masks) CompareFrom(s *Scratch, e []int32, cells, expect, low int) Result {
	if len(m.gold) == 0 || len(e) == 0 {
		return Result{Method: Exact}
	}
	e = m.present(s, e)
	lo, hi, e := m.trim(e)
	ends := lo + len(m.gold) - hi
	n := hi - lo
	switch {
	case n == 0 || len(e) == 0:
		return Result{ends, ends, Exact}
	case len(m.gold) <= maxItems && n <= cells/len(e):
		length := ends + m.middle(s, e, lo, hi, expect, low-ends)
		return Result{length, length, Exact}
	}
	high := ends + m.bag(s, e, lo, hi)
	if n+len(e) > maxAnchored {
		return Result{0, high, Skipped}
	}
	found, method := s.part.anchored(m.gold[lo:hi], e, len(m.row), cells)
	return Result{ends + found, high, method}
}
