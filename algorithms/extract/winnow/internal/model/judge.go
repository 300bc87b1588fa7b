package model

import (
	"math/bits"

	"github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"
)

// Comments says what becomes of readers' comments.
type Comments string

const (
	Auto    Comments = "auto" // out, but on pages that are a discussion
	Exclude Comments = "exclude"
	Include Comments = "include"
)

// EmptyBelow is the expected F1 below which an answer is empty: pages without
// content are better answered by nothing. A page with as many words in paragraphs as
// MuchText has content, however unlike the pages that were learned from.
const (
	EmptyBelow = .3
	MuchText   = 2000
)

// Judgement is what a model says of a page. Its memory is used again.
type Judgement struct {
	P        []float32  // of each block, that it is content, after Comments was applied
	Comment  []float32  // of each block, that it is of readers' comments
	Types    [7]float32 // of the page
	Expected float32    // word F1 of the answer
	From     float32    // blocks of this probability and above are the answer; above 1: none

	part  []float32
	asked []uint32 // by tile: bit i is set if a forest is asked about block i of the tile
}

const forum = 3 // in blocks.PageTypes

// Forests are asked only about blocks where their answer can matter.
const (
	sureBelow    = .03           // the second stage is not asked about blocks of less by the first
	commentAbove = .02           // the forest of comments is not asked about blocks of less
	doubt        = -5 * Unit / 2 // a forest stops where a third of its trees sum up to no more
)

// Judge judges the page p, whose features are filled, and fills the rest of them.
func (m *Model) Judge(j *Judgement, p *blocks.Page, comments Comments) {
	p.SetNames(m.Names)
	m.judgeTypes(j, p)
	n := len(p.Blocks)
	j.P, j.Comment, j.part, j.asked = grow(j.P, n), grow(j.Comment, n), grow(j.part, n), grow(j.asked, len(p.Tiles))
	clear(j.P)
	for i := range m.First {
		j.choose(func(int) bool { return true })
		j.score(&m.First[i], p.Tiles, j.part)
		p.SetSecond(j.part)
		j.choose(func(b int) bool { return j.part[b] >= sureBelow })
		j.score(&m.Second[i], p.Tiles, j.part)
		for b, q := range j.part {
			j.P[b] += q / float32(len(m.First))
		}
	}
	m.judgeComments(j, p, comments)
	j.Expected, j.From = p.Decode(j.P)
	if j.Expected < EmptyBelow && p.TextWords() < MuchText {
		j.From = 2
	}
}

// judgeComments lowers the probability of comments, or raises it.
func (m *Model) judgeComments(j *Judgement, p *blocks.Page, comments Comments) {
	clear(j.Comment)
	strength := float32(1)
	if comments == Auto {
		strength = max(0, 1-2*j.Types[forum])
	}
	if strength == 0 {
		return
	}
	j.choose(func(b int) bool { return comments == Include || j.P[b] >= commentAbove })
	j.score(&m.Comments, p.Tiles, j.Comment)
	for b, c := range j.Comment {
		if comments == Include {
			j.P[b] = max(j.P[b], c)
		} else {
			j.P[b] *= 1 - sharpened(c)*strength // c is 0 for blocks that the forest was not asked about
		}
	}
}

// sharpened moves a probability away from one half, so that a doubtful comment costs
// a block less and a sure one more.
func sharpened(c float32) float32 {
	yes, no := c*c, (1-c)*(1-c)
	return yes / (yes + no)
}

// choose sets asked to the blocks that ok says yes to.
func (j *Judgement) choose(ok func(block int) bool) {
	clear(j.asked)
	for b := range j.P {
		if ok(b) {
			j.asked[b/blocks.Lanes] |= 1 << (b % blocks.Lanes)
		}
	}
}

func (m *Model) judgeTypes(j *Judgement, p *blocks.Page) {
	var mean blocks.Row
	p.Mean(&mean)
	for t := range m.Types {
		j.Types[t] = Probability(m.Types[t].Sum(&mean))
	}
	p.SetTypes(&j.Types)
}

// score asks one forest about the chosen blocks and sets their probabilities in out.
func (j *Judgement) score(f *Forest, tiles []blocks.Tile, out []float32) {
	first := len(f.Trees) / 3
	for t, asked := range j.asked {
		if asked == 0 {
			continue
		}
		var sums Sums
		for lane := range sums {
			sums[lane] = f.Base
		}
		add(f.Trees[:first], &tiles[t], &sums)
		of := out[t*blocks.Lanes:]
		set(of, asked, &sums)
		var left uint32
		for lane, sum := range sums {
			if sum > doubt {
				left |= 1 << lane
			}
		}
		if left &= asked; left != 0 {
			add(f.Trees[first:], &tiles[t], &sums)
			set(of, left, &sums)
		}
	}
}

// set sets out to the probabilities of those blocks of a tile that which names.
func set(out []float32, which uint32, sums *Sums) {
	for ; which != 0; which &= which - 1 {
		lane := bits.TrailingZeros32(which)
		out[lane] = Probability(sums[lane&(blocks.Lanes-1)])
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
