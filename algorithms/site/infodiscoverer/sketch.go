package infodiscoverer

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/block"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// The ways to cut a page. A template stores the number of one.
const (
	atTables = iota
	atLayout
	numCuts
)

var cuts = [numCuts]*algorithms.Feature[block.Blocks]{atTables: block.Tables, atLayout: block.Layout}

// sketch writes, in this order: the number of words of the page and of those in tables;
// the sorted terms with their counts; and for each way to cut, the blocks that have
// terms, as the indexes of their terms, each as the difference from the one before.
func (m method) sketch(pass *algorithms.Pass) ([]byte, error) {
	if _, err := canon.Of(pass); err != nil {
		return nil, err
	}
	words := canon.WordsOf.Of(pass)
	var terms []uint32 // terms of the page, with repetitions
	tables := cuts[atTables].Of(pass)
	inside := 0
	for b := range tables.Len() {
		terms = m.appendTerms(terms, tables, words, b)
		if b > 0 {
			inside += int(tables.Words[b])
		}
	}
	slices.Sort(terms)
	var w codec.Writer
	w.Int(len(words.Hash))
	w.Int(inside)
	distinct := slices.Compact(slices.Clone(terms))
	w.Int(len(distinct))
	for _, term := range distinct {
		n := 0
		for n < len(terms) && terms[n] == term {
			n++
		}
		terms = terms[n:]
		w.Word(term)
		w.Int(n)
	}
	for _, cut := range cuts {
		m.writeBlocks(&w, cut.Of(pass), words, distinct)
	}
	if len(w.Out) > algorithms.MaxSketch {
		return nil, algorithms.ErrPageTooLarge
	}
	return w.Out, nil
}

func (m method) writeBlocks(w *codec.Writer, blocks *block.Blocks, words *canon.Words, distinct []uint32) {
	var (
		list  codec.Writer
		terms []uint32
		n     int
	)
	for b := range blocks.Len() {
		terms = m.appendTerms(terms[:0], blocks, words, b)
		slices.Sort(terms)
		terms = slices.Compact(terms)
		if len(terms) == 0 {
			continue
		}
		n++
		list.Int(len(terms))
		last := 0
		for _, term := range terms {
			at, _ := slices.BinarySearch(distinct, term)
			list.Int(at - last)
			last = at
		}
	}
	w.Int(n)
	w.Out = append(w.Out, list.Out...)
}

// pageSketch is a sketch that was read.
type pageSketch struct {
	words, inside int
	terms         []uint32
	counts        []uint64
	blocks        [numCuts][][]int32 // places in terms
}

// maxWords bounds the counts of a sketch, so that sums remain exact in floating point.
const maxWords = 1 << 30

func readSketch(data []byte) (*pageSketch, error) {
	r := codec.NewReader(data)
	s := &pageSketch{words: r.Int(maxWords)}
	s.inside = r.Int(s.words)
	n := r.Count(5)
	s.terms, s.counts = make([]uint32, n), make([]uint64, n)
	for i := range n {
		s.terms[i], s.counts[i] = r.Word(), r.Uint(maxWords)
		if s.counts[i] == 0 || i > 0 && s.terms[i] <= s.terms[i-1] {
			r.Fail("term")
			break
		}
	}
	for c := range s.blocks {
		for range r.Count(2) {
			list := make([]int32, r.Count(1))
			at := 0
			for i := range list {
				step := r.Int(len(s.terms))
				if at += step; at >= len(s.terms) || i > 0 && step == 0 {
					r.Fail("term of a block")
					break
				}
				list[i] = int32(at)
			}
			if len(list) == 0 {
				r.Fail("empty block")
			}
			if r.Err() != nil {
				break
			}
			s.blocks[c] = append(s.blocks[c], list)
		}
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("info-discoverer: %w", err)
	}
	return s, nil
}
