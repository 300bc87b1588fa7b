package agreement

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Spans compares the selections of extractors on one page after another. It is not safe
// for concurrent use.
type Spans struct {
	family  []int   // by extractor
	members [][]int // by family: its extractors
	words   []page.Span
	stride  int // machine words a row of bits
	bits    []uint64
	sizes   []int // words chosen; -1 for no answer
	vote    vote
	page    Page
}

// NewSpans returns a Spans for extractors. families has the family of each.
func NewSpans(families []string) *Spans {
	s := &Spans{sizes: make([]int, len(families))}
	number := map[string]int{}
	for i, name := range families {
		f, ok := number[name]
		if !ok {
			f = len(s.members)
			number[name] = f
			s.members = append(s.members, nil)
		}
		s.family = append(s.family, f)
		s.members[f] = append(s.members[f], i)
	}
	return s
}

// Begin starts the page with body b, which no extractor has answered yet.
func (s *Spans) Begin(b *page.Body) {
	s.words = b.AllWords().Span
	s.stride = (len(s.words) + 63) / 64
	n := s.stride * len(s.sizes)
	if cap(s.bits) < n {
		s.bits = make([]uint64, n)
	}
	s.bits = s.bits[:n]
	clear(s.bits)
	for i := range s.sizes {
		s.sizes[i] = -1
	}
	s.vote.edges = s.vote.edges[:0]
}

// Add adds the answer of extractor i: the words that lie wholly in its spans.
func (s *Spans) Add(i int, sel *page.Selection) {
	row := s.row(i)
	s.sizes[i] = 0
	from := 0
	for _, span := range sel.Spans {
		// There are few spans and many words, so each search starts where the last one
		// ended.
		from += sort.Search(len(s.words)-from, func(k int) bool { return s.words[from+k].Start >= span.Start })
		to := from + sort.Search(len(s.words)-from, func(k int) bool { return s.words[from+k].End > span.End })
		if to > from {
			set(row, from, to)
			s.sizes[i] += to - from
			s.vote.edges = append(s.vote.edges, int32(from), int32(to))
		}
		from = to
	}
}

// Finish compares all answers. The Page is valid until the next call.
func (s *Spans) Finish() *Page {
	s.page.fill(s.sizes, func(i, j int) int { return both(s.row(i), s.row(j)) })
	s.means()
	s.consensus()
	return &s.page
}

// means fills each extractor's mean agreement with the others: the mean over
// families of the mean over their members.
func (s *Spans) means() {
	p := &s.page
	p.Means = p.Means[:0]
	for i := range s.sizes {
		total, voices := 0.0, 0
		for _, members := range s.members {
			sum, known := 0.0, 0
			for _, j := range members {
				if j == i {
					continue
				}
				if x := p.Pair(i, j); x.State == Known {
					sum += x.Value
					known++
				}
			}
			if known > 0 {
				total += sum / float64(known)
				voices++
			}
		}
		if voices == 0 {
			p.Means = append(p.Means, Figure{})
			continue
		}
		p.Means = append(p.Means, Figure{total / float64(voices), true})
	}
}

func (s *Spans) row(i int) []uint64 { return s.bits[i*s.stride : (i+1)*s.stride] }

// set sets the bits [from, to).
func set(row []uint64, from, to int) {
	first, last := from>>6, (to-1)>>6
	low, high := ^uint64(0)<<(from&63), ^uint64(0)>>(63-(to-1)&63)
	if first == last {
		row[first] |= low & high
		return
	}
	row[first] |= low
	for w := first + 1; w < last; w++ {
		row[w] = ^uint64(0)
	}
	row[last] |= high
}

// both counts the bits that a and b share.
func both(a, b []uint64) int {
	b = b[:len(a)]
	n := 0
	for w, x := range a {
		n += bits.OnesCount64(x & b[w])
	}
	return n
}

// vote is the working memory of consensus.
type vote struct {
	edges []int32 // where a word range of any answer begins or ends
	// By family: whether a word has a majority without one member, for a member that
	// chose the word and for one that did not.
	with, without []uint64
	answered      []int // members of each family
	chose         []int // members of each family that chose the current stretch
	share, less   []int // a member's part of its family's vote, and without one member
}

// consensus fills each extractor's agreement with the majority of the others.
//
// Between two edges nothing changes, so the votes are counted once for each stretch of
// words. Votes are whole numbers: a family's vote is the least common multiple of all
// shares that occur.
func (s *Spans) consensus() {
	v := &s.vote
	families := len(s.members)
	v.with, v.without = algorithms.Zeros(v.with, families*s.stride), algorithms.Zeros(v.without, families*s.stride)
	v.answered, v.chose = algorithms.Zeros(v.answered, families), algorithms.Zeros(v.chose, families)
	voices := 0 // families with an answer
	for f, members := range s.members {
		for _, i := range members {
			if s.sizes[i] >= 0 {
				v.answered[f]++
			}
		}
		if v.answered[f] > 0 {
			voices++
		}
	}
	unit := 1
	for _, n := range v.answered {
		unit = lcm(lcm(unit, max(n, 1)), max(n-1, 1))
	}
	if unit > maxUnit {
		unit = maxUnit // shares are then rounded down
	}
	v.share, v.less = algorithms.Zeros(v.share, families), algorithms.Zeros(v.less, families)
	for f, n := range v.answered { // once a page: a division costs more than a stretch's sums
		if n > 0 {
			v.share[f] = unit / n
		}
		if n > 1 {
			v.less[f] = unit / (n - 1)
		}
	}
	slices.Sort(v.edges)
	v.edges = slices.Compact(v.edges)
	for k := 0; k+1 < len(v.edges); k++ {
		s.stretch(int(v.edges[k]), int(v.edges[k+1]), unit, voices)
	}
	s.page.Consensus = s.page.Consensus[:0]
	for i := range s.sizes {
		s.page.Consensus = append(s.page.Consensus, s.against(i, voices))
	}
}

// stretch counts the votes on the words [from, to).
func (s *Spans) stretch(from, to, unit, voices int) {
	v := &s.vote
	all := 0 // votes of all families
	word, bit := from>>6, from&63
	for f, members := range s.members {
		chose := 0
		for _, i := range members {
			chose += int(s.bits[i*s.stride+word] >> bit & 1)
		}
		v.chose[f] = chose
		if chose > 0 {
			all += v.share[f] * v.chose[f]
		}
	}
	if all == 0 {
		return
	}
	for f, n := range v.answered {
		if n == 0 {
			continue
		}
		// Without one member the family has n-1 members, or no vote if n is 1.
		others, rest, share := voices, all-v.share[f]*v.chose[f], v.less[f]
		if n == 1 {
			others--
		}
		with, without := rest+share*(v.chose[f]-1), rest+share*v.chose[f]
		if v.chose[f] > 0 && 2*with > others*unit {
			set(v.with[f*s.stride:(f+1)*s.stride], from, to)
		}
		if v.chose[f] < n && 2*without > others*unit {
			set(v.without[f*s.stride:(f+1)*s.stride], from, to)
		}
	}
}

// against returns the agreement of extractor i with the majority of the others.
func (s *Spans) against(i, voices int) Figure {
	f := s.family[i]
	if s.sizes[i] < 0 || voices < 1 || voices == 1 && s.vote.answered[f] == 1 {
		return Figure{} // it has no answer, or no other family has one
	}
	row := s.row(i)
	with, without := s.vote.with[f*s.stride:][:s.stride], s.vote.without[f*s.stride:][:s.stride]
	common, outside := 0, 0
	for w, x := range row {
		common += bits.OnesCount64(x & with[w])
		outside += bits.OnesCount64(without[w] &^ x)
	}
	x := agree(s.sizes[i], common+outside, func() int { return common })
	return Figure{x.Value, x.State == Known}
}

// maxUnit bounds a family's vote. Only dozens of families of different sizes come near
// it.
const maxUnit = 1 << 40

func lcm(a, b int) int {
	if a > maxUnit {
		return a
	}
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
