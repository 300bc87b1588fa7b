package winnow

import (
	"slices"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// choose fills s.in: the blocks whose probability is high enough, and the structure that
// belongs to them. Code, headings and cells of tables have few of the words that the trees
// know, so they are judged by what is around them, too. A block without words can be one of
// them: a brace on a line of its own, a check mark in a cell. Copies of others, whose
// probability is 0, are added to nothing but code.
func (s *state) choose(b *page.Table) {
	s.in, s.worded = s.in[:0], s.worded[:0]
	before := false // the last block with words is chosen
	for i := range s.blocks.Blocks {
		k := &s.blocks.Blocks[i]
		chosen := s.prediction.P[i] >= s.prediction.From || before && s.blocks.InPre(k)
		s.in = append(s.in, chosen)
		if k.Words > 0 {
			before = chosen
			s.worded = append(s.worded, int32(i))
		}
	}
	s.completeTables(b)
	s.addHeadings()
}

// maxClimb is how many elements are examined from a block up to the table that it is in.
const maxClimb = 6

// cellOf returns the cell that block k is in, and its table; 0 if there is none.
func (s *state) cellOf(b *page.Table, k *blocks.Block) (cell, table page.Row) {
	if !s.blocks.InTable(k) {
		return 0, 0
	}
	r := k.Cont
	for range maxClimb {
		switch b.Tag[r] {
		case html.TagTd, html.TagTh:
			if cell == 0 {
				cell = r
			}
		case html.TagTable:
			return cell, r
		}
		r = b.Parent[r]
	}
	return 0, 0
}

// A table of data has at least dataCells cells with words, and at most dataWords of them in
// each in the mean. Other tables lay out a page.
const (
	dataCells = 4
	dataWords = 30
)

// completeTables chooses all of a table of data if half of its blocks are chosen, or the
// blocks before and after it.
func (s *state) completeTables(b *page.Table) {
	for from, to := 0, 0; from < len(s.worded); from = to {
		_, table := s.cellOf(b, &s.blocks.Blocks[s.worded[from]])
		var last page.Row
		cells, words, chosen := 0, 0, 0
		for to = from; to < len(s.worded); to++ {
			i := s.worded[to]
			k := &s.blocks.Blocks[i]
			cell, t := s.cellOf(b, k)
			if t != table {
				break
			}
			if cell != last {
				cells, last = cells+1, cell
			}
			words += int(k.Words)
			if s.in[i] {
				chosen++
			}
		}
		if table == 0 || cells < dataCells || words > dataWords*cells {
			continue
		}
		before, after := -1, len(s.in) // the blocks with words on either side of the table
		if from > 0 {
			before = int(s.worded[from-1])
		}
		if to < len(s.worded) {
			after = int(s.worded[to])
		}
		between := before >= 0 && s.in[before] && after < len(s.in) && s.in[after]
		if !between && 2*chosen < to-from {
			continue
		}
		for i := before + 1; i < after; i++ {
			if _, t := s.cellOf(b, &s.blocks.Blocks[i]); t == table {
				s.in[i] = s.prediction.P[i] > 0
			}
		}
	}
}

// headingShare is the share of the probability that other blocks need that is enough for a
// heading of chosen text.
const headingShare = .3

// addHeadings chooses headings. The text of a heading ends before the next heading: half of
// its words must be chosen. A heading without text follows the next heading, if that is of a
// lower level.
func (s *state) addHeadings() {
	words, chosen := int32(0), int32(0) // totals of the blocks before the next heading
	next, nextIn := uint8(0), false     // level of the next heading, and whether it is chosen
	for _, i := range slices.Backward(s.worded) {
		k := &s.blocks.Blocks[i]
		if k.Heading == 0 {
			words += k.Words
			if s.in[i] {
				chosen += k.Words
			}
			continue
		}
		if p := s.prediction.P[i]; p > 0 && p >= s.prediction.From*headingShare {
			s.in[i] = s.in[i] || words > 0 && 2*chosen >= words || words == 0 && nextIn && next > k.Heading
		}
		words, chosen, next, nextIn = 0, 0, k.Heading, s.in[i]
	}
}
