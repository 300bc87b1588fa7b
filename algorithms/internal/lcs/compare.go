package lcs

// Method is the way in which a length was found.
type Method string

const (
	Exact Method = "exact"
	// Anchored means that the sequences were cut at long runs that both have exactly
	// once, and the pieces compared exactly. Low is the length of a common subsequence,
	// and High an upper bound.
	Anchored Method = "anchored"
	// Partial is like Anchored, but some piece exceeded the budget and counts 0.
	Partial Method = "anchored-partial"
	// Skipped means that the sequences were too long even for anchors. Low then says
	// nothing.
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
// nothing. It never shortens a sequence silently: the Method is what was done.
//
// expect is an estimate of how many items of the shorter sequence have no partner in
// the other one, in their order, or -1 if there is none. It says where to begin and
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
