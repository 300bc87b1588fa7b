package model

import "github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"

// Comments says what becomes of readers' comments.
type Comments string

const (
	Auto    Comments = "auto" // out, but on pages that are a discussion
	Exclude Comments = "exclude"
	Include Comments = "include"
)

// EmptyBelow is the expected F1 below which an answer is empty: pages without
// content are better answered by nothing.
const EmptyBelow = .3

// Judgement is what a model says of a page. Its memory is used again.
type Judgement struct {
	P        []float32  // of each block, that it is content, after Comments was applied
	Comment  []float32  // of each block, that it is of readers' comments
	Types    [7]float32 // of the page
	Expected float32    // word F1 of the answer
	From     float32    // blocks of this probability and above are the answer; above 1: none

	sums []int32
	part []float32
}

const forum = 3 // in blocks.PageTypes

// Judge judges the page p, whose features are filled, and fills the rest of them.
func (m *Model) Judge(j *Judgement, p *blocks.Page, comments Comments) {
	m.judgeTypes(j, p)
	n := len(p.Blocks)
	j.P, j.Comment, j.part, j.sums = grow(j.P, n), grow(j.Comment, n), grow(j.part, n), grow(j.sums, n)
	for i := range m.First {
		j.score(&m.First[i], p.Rows, j.part)
		p.SetSecond(j.part)
		j.score(&m.Second[i], p.Rows, j.part)
		for b, q := range j.part {
			if i == 0 {
				j.P[b] = 0
			}
			j.P[b] += q / float32(len(m.First))
		}
	}
	j.score(&m.Comments, p.Rows, j.Comment)
	f := max(0, 1-2*j.Types[forum])
	for b, c := range j.Comment {
		switch comments {
		case Exclude:
			j.P[b] *= 1 - c
		case Include:
			j.P[b] = max(j.P[b], c)
		default:
			j.P[b] *= 1 - c*f
		}
	}
	j.Expected, j.From = p.Decode(j.P)
	if j.Expected < EmptyBelow {
		j.From = 2
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

// score sets out to the probabilities of rows by one forest.
func (j *Judgement) score(f *Forest, rows []blocks.Row, out []float32) {
	sums := j.sums[:len(rows)]
	for i := range sums {
		sums[i] = f.Base
	}
	f.Add(sums, rows)
	for i, s := range sums {
		out[i] = Probability(s)
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
