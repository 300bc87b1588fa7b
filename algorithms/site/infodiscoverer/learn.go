package infodiscoverer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// term has the entropy of a term.
type term struct {
	hash    uint32
	entropy uint8
}

// finish finds the entropies of the sample's terms, the way to cut and τ.
func (m method) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	var pages []*pageSketch
	spreads := make(map[uint32]*spread)
	for _, data := range s.Pages {
		page, err := readSketch(data.Data)
		if err != nil {
			return algorithms.Learned{}, err
		}
		pages = append(pages, page)
		for i, hash := range page.terms {
			if spreads[hash] == nil {
				spreads[hash] = new(spread)
			}
			spreads[hash].add(page.counts[i])
		}
	}
	entropies := make(map[uint32]uint8, len(spreads))
	var terms []term
	for hash, s := range spreads {
		if h := s.rounded(len(pages)); h > 0 {
			entropies[hash] = h
			terms = append(terms, term{hash, h})
		}
	}
	cut := m.cut(pages)
	tau := scan(reach(pages, cut, entropies))
	learned := algorithms.Learned{Nothing: len(terms) == 0}
	terms, truncated := fit(terms)
	if truncated {
		learned.Notes = []string{algorithms.NoteTruncated}
	}
	var w codec.Writer
	w.Byte(byte(cut))
	w.Byte(byte(tau))
	w.Int(len(terms))
	for _, t := range terms {
		w.Word(t.hash)
		w.Byte(t.entropy)
	}
	learned.Body = w.Out
	return learned, nil
}

// cut chooses the way to cut the pages of the site.
func (m method) cut(pages []*pageSketch) int {
	switch m.Delims {
	case Table:
		return atTables
	case Layout:
		return atLayout
	}
	inTables := 0
	for _, p := range pages {
		if p.words > 0 && 2*p.inside >= p.words {
			inTables++
		}
	}
	if 2*inTables >= len(pages) {
		return atTables
	}
	return atLayout
}

// reach counts the terms of the sample by the least entropy, in tenths, of a block that
// contains them.
func reach(pages []*pageSketch, cut int, entropies map[uint32]uint8) (first [11]int) {
	least := make(map[uint32]int)
	for _, p := range pages {
		for _, block := range p.blocks[cut] {
			sum := 0
			for _, at := range block {
				sum += int(entropies[p.terms[at]])
			}
			t := tenth(sum, len(block))
			for _, at := range block {
				if old, ok := least[p.terms[at]]; !ok || t < old {
					least[p.terms[at]] = t
				}
			}
		}
	}
	for _, t := range least {
		first[t]++
	}
	return first
}

// headSize is an upper bound of the bytes of a template before its terms, and termSize
// is the number of bytes of a term.
const headSize, termSize = 16, 5

// fit keeps as many terms as a template can hold, those of the highest entropy, and
// sorts them.
func fit(terms []term) (fitting []term, cut bool) {
	if most := (algorithms.MaxTemplate - headSize) / termSize; len(terms) > most {
		slices.SortFunc(terms, func(a, b term) int {
			return cmp.Or(cmp.Compare(b.entropy, a.entropy), cmp.Compare(a.hash, b.hash))
		})
		terms, cut = terms[:most], true
	}
	slices.SortFunc(terms, func(a, b term) int { return cmp.Compare(a.hash, b.hash) })
	return terms, cut
}

// template is what open returns.
type template struct {
	cut   int
	tau   int // threshold in tenths
	terms []uint32
	units []uint8
	first [prefixes + 1]int32 // term with at least this prefix
}

// Terms are hashes, so their first bits spread them evenly. A template that was not
// written here may have uneven ones, which cost a binary search.
const (
	prefixBits = 12
	prefixes   = 1 << prefixBits
)

func open(body []byte) (any, error) {
	r := codec.NewReader(body)
	t := &template{cut: int(r.Byte()), tau: int(r.Byte())}
	if t.cut >= numCuts || t.tau < 1 || t.tau > 9 {
		r.Fail("settings")
	}
	n := r.Count(termSize)
	t.terms, t.units = make([]uint32, n), make([]uint8, n)
	for i := range n {
		t.terms[i], t.units[i] = r.Word(), r.Byte()
		if t.units[i] == 0 || i > 0 && t.terms[i] <= t.terms[i-1] {
			r.Fail("term")
			break
		}
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("info-discoverer: %w", err)
	}
	at := 0
	for p := range t.first {
		for at < n && t.terms[at]>>(32-prefixBits) < uint32(p) {
			at++
		}
		t.first[p] = int32(at)
	}
	return t, nil
}

// entropy returns the entropy of a term in units, or 0 if the term is not known.
func (t *template) entropy(hash uint32) uint8 {
	p := hash >> (32 - prefixBits)
	lo, hi := t.first[p], t.first[p+1]
	if at, ok := slices.BinarySearch(t.terms[lo:hi], hash); ok {
		return t.units[int(lo)+at]
	}
	return 0
}
