package model

import (
	"math/bits"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
)

// Comments determines what happens to readers' comments.
type Comments string

const (
	Auto    Comments = "auto" // left out, except on pages that are a discussion
	Exclude Comments = "exclude"
	Include Comments = "include"
)

// For pages without content, an empty answer is better. An answer is empty if its
// expected F1, with blocks taken to be independent, is below EmptyBelow on a page of less
// than SomeText words in paragraphs.
const (
	EmptyBelow = .25
	SomeText   = 100
)

// Prediction is what a model predicts for a page. Its memory is reused.
type Prediction struct {
	P        []float32  // for each block, the probability that it is content, after Comments was applied; 0 for copies of other blocks
	Comment  []float32  // for each block, the probability that it is part of readers' comments
	Types    [7]float32 // for the page, the probability of each type
	Expected float32    // expected word F1 of the answer
	From     float32    // blocks of at least this probability are the answer; above 1: none

	odds  []int32  // for each block, log-odds in 1/Unit by the forest that was last applied to it
	asked []uint32 // by tile: bit i is set if a forest is applied to block i of the tile
	left  []uint32 // by tile, as asked: the blocks that the trees after the first third are applied to
	sums  []Sums   // by tile: what the trees so far give to its blocks
	tiles []int32  // the numbers of the tiles that have a block in asked
}

const forum = 3 // index of the type forum in blocks.PageTypes

// A forest is only applied to blocks for which its result can matter.
const (
	sureBelow    = .03           // the second stage skips blocks whose first probability is lower
	commentAbove = .02           // the forest of comments skips blocks of lower probability
	doubt        = -5 * Unit / 2 // a forest stops for blocks whose sum after a third of its trees is not above this
)

// Predict applies the model to the page p, on which Fill was called, and sets the
// features that Fill does not set.
func (m *Model) Predict(j *Prediction, p *blocks.Page, comments Comments) {
	p.SetNames(m.Names)
	m.predictTypes(j, p)
	n := len(p.Blocks)
	j.P, j.Comment, j.odds, j.asked = grow(j.P, n), grow(j.Comment, n), grow(j.odds, n), grow(j.asked, len(p.Tiles))
	j.choose(func(int) bool { return true })
	j.score(&m.First, p.Tiles)
	j.fromOdds()
	p.SetSecond(j.P)
	j.choose(func(b int) bool { return j.P[b] >= sureBelow })
	j.score(&m.Second, p.Tiles)
	p.EvenOut(j.odds)
	j.fromOdds()
	m.predictComments(j, p, comments)
	p.DropCopies(j.P)
	j.Expected, j.From = p.Choose(j.P)
	if f1, _ := p.Independent(j.P); f1 < EmptyBelow && p.TextWords() < SomeText {
		j.From = 2
	}
}

// predictComments lowers the probability of blocks of comments, or raises it for Include.
func (m *Model) predictComments(j *Prediction, p *blocks.Page, comments Comments) {
	clear(j.Comment)
	strength := float32(1)
	if comments == Auto {
		strength = max(0, 1-2*j.Types[forum])
	}
	if strength == 0 {
		return
	}
	j.choose(func(b int) bool { return comments == Include || j.P[b] >= commentAbove })
	j.score(&m.Comments, p.Tiles)
	for b := range j.Comment {
		if j.asked[b/blocks.Lanes]>>(b%blocks.Lanes)&1 == 0 {
			continue
		}
		c := Probability(j.odds[b])
		j.Comment[b] = c
		if comments == Include {
			j.P[b] = max(j.P[b], c)
		} else {
			j.P[b] *= 1 - c*strength
		}
	}
}

// choose sets asked to the blocks for which ok returns true.
func (j *Prediction) choose(ok func(block int) bool) {
	clear(j.asked)
	for b := range j.P {
		if ok(b) {
			j.asked[b/blocks.Lanes] |= 1 << (b % blocks.Lanes)
		}
	}
}

func (m *Model) predictTypes(j *Prediction, p *blocks.Page) {
	var mean blocks.Row
	p.Mean(&mean)
	for t := range m.Types {
		j.Types[t] = Probability(m.Types[t].Sum(&mean))
	}
	p.SetTypes(&j.Types)
}

// score applies one forest to the chosen blocks and stores their log-odds.
func (j *Prediction) score(f *Forest, tiles []blocks.Tile) {
	j.sums, j.left = grow(j.sums, len(tiles)), grow(j.left, len(tiles))
	j.tiles = j.tiles[:0]
	for t, asked := range j.asked {
		if asked == 0 {
			continue
		}
		for lane := range j.sums[t] {
			j.sums[t][lane] = f.Base
		}
		j.tiles = append(j.tiles, int32(t))
	}
	first := len(f.Trees) / 3
	add(f.Trees[:first], tiles, j.sums, j.tiles)
	rest := j.tiles[:0]
	for _, t := range j.tiles {
		set(j.odds[int(t)*blocks.Lanes:], j.asked[t], &j.sums[t])
		j.left[t] = 0
		for lane, sum := range j.sums[t] {
			if sum > doubt {
				j.left[t] |= 1 << lane
			}
		}
		if j.left[t] &= j.asked[t]; j.left[t] != 0 {
			rest = append(rest, t)
		}
	}
	add(f.Trees[first:], tiles, j.sums, rest)
	for _, t := range rest {
		set(j.odds[int(t)*blocks.Lanes:], j.left[t], &j.sums[t])
	}
}

// set stores in out the sums of those blocks of a tile whose bits are set in which.
func set(out []int32, which uint32, sums *Sums) {
	for ; which != 0; which &= which - 1 {
		lane := bits.TrailingZeros32(which)
		out[lane] = sums[lane&(blocks.Lanes-1)]
	}
}

// fromOdds sets the probabilities of all blocks to those of their log-odds.
func (j *Prediction) fromOdds() {
	for b, odds := range j.odds {
		j.P[b] = Probability(odds)
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
