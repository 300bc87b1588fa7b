package web2text

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// piece is how many consecutive units must be equal and occur exactly once on both
// sides to be an anchor.
const piece = 10

// source is the HTML of a page in UTF-16 units, with gaps for markup.
type source struct {
	units  []uint16
	runs   []run
	places []int32 // positions of the gapless pieces, in the order of the pieces

	// The units that are neither white space nor gaps, one after the other:
	// repeated[i] is how many from the i-th on, at most piece, are elsewhere in the
	// same order, too. before[i] of them come before unit i.
	solid    []uint16
	repeated []uint8
	before   []int32
	order    []int32
}

// run is a text of the source: units that belong to a row of the body.
type run struct {
	row      page.Row
	from, to int32
}

// keepUnits is the longest source whose memory is kept for the next page.
const keepUnits = 1 << 20

func (s *source) fill(p *page.Page) {
	if cap(s.units) > keepUnits {
		*s = source{}
	}
	s.units, s.runs = s.units[:0], s.runs[:0]
	s.read(p)
	s.index()
}

// read fills units and runs: one pass over the source for the units, which stops
// where a text that reached the body begins or ends.
func (s *source) read(p *page.Page) {
	b, lex := p.Body(), &p.Lex
	m := newMasker(p.Source)
	at, masked := 0, 0 // bytes read; bytes up to which all is markup
	to := func(end int) int32 {
		for at < end {
			if masked <= at {
				masked = m.end(at)
			}
			next := at + 1
			if masked > at {
				next = min(masked, end)
			} else {
				for next < end && p.Source[next] != '<' && p.Source[next] != '&' {
					next++
				}
			}
			first := len(s.units)
			s.units = appendUnits(s.units, p.Source[at:next])
			if masked > at {
				for i := first; i < len(s.units); i++ {
					s.units[i] = gap
				}
			}
			at = next
		}
		return int32(len(s.units))
	}
	for i, kind := range lex.Kind {
		if kind != html.LexText || lex.Node[i] == 0 {
			continue
		}
		row, ok := b.Row(lex.Node[i])
		if !ok || int(lex.Src[i].Start) < at {
			continue
		}
		from := to(int(lex.Src[i].Start))
		s.runs = append(s.runs, run{row, from, to(int(lex.Src[i].End))})
	}
	to(len(p.Source))
}

// index fills the columns that tell which pieces occur once.
func (s *source) index() {
	n := len(s.units)
	s.places, s.solid = s.places[:0], s.solid[:0]
	s.before = algorithms.Zeros(s.before, n+1)
	clean := 0 // units without a gap up to here
	for i, u := range s.units {
		s.before[i] = int32(len(s.solid))
		if u == gap {
			clean = 0
			continue
		}
		if !isWhite(u) {
			s.solid = append(s.solid, u)
		}
		if clean++; clean >= piece {
			s.places = append(s.places, int32(i-piece+1))
		}
	}
	s.before[n] = int32(len(s.solid))
	slices.SortFunc(s.places, func(a, b int32) int { return slices.Compare(s.piece(a), s.piece(b)) })

	s.order = s.order[:0]
	for i := range s.solid {
		s.order = append(s.order, int32(i))
	}
	from := func(i int32) []uint16 { return s.solid[i:min(int(i)+piece, len(s.solid))] }
	slices.SortFunc(s.order, func(a, b int32) int { return slices.Compare(from(a), from(b)) })
	s.repeated = algorithms.Zeros(s.repeated, len(s.solid))
	for k := 1; k < len(s.order); k++ {
		a, b := s.order[k-1], s.order[k]
		same := uint8(commonPrefix(from(a), from(b)))
		s.repeated[a], s.repeated[b] = max(s.repeated[a], same), same
	}
}

func (s *source) piece(i int32) []uint16 { return s.units[i : i+piece] }

// commonPrefix returns the length of the common prefix of a and b.
func commonPrefix(a, b []uint16) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// once returns where the source has a piece of text, if the piece occurs exactly once,
// and still once when white space is left out of both.
func (s *source) once(text []uint16) (at int, ok bool) {
	k, found := slices.BinarySearchFunc(s.places, text, func(i int32, text []uint16) int {
		return slices.Compare(s.piece(i), text)
	})
	if !found || k+1 < len(s.places) && slices.Equal(s.piece(s.places[k+1]), text) {
		return 0, false
	}
	i := s.places[k]
	first, solid := s.before[i], s.before[i+piece]-s.before[i]
	return int(i), solid > 0 && int32(s.repeated[first]) < solid
}
