package unfluff

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
)

// election finds the element whose paragraphs look most like running text.
type election struct {
	candidates []int32
	stops      []int32   // function words of each candidate
	score      []float64 // by row of the flat document
	scored     []bool
	parents    []int32 // rows that were given a score, in the order of the first time
}

// winner returns the winner's row, or -1 if there is no candidate.
func (e *election) winner(f *flat) int32 {
	e.candidates, e.stops, e.parents = e.candidates[:0], e.stops[:0], e.parents[:0]
	e.score, e.scored = algorithms.Zeros(e.score, len(f.tag)), algorithms.Zeros(e.scored, len(f.tag))
	for i, tag := range f.tag {
		if tag != html.TagP && tag != html.TagPre && tag != html.TagTd {
			continue
		}
		if n := f.stopWords(int32(i)); n > 2 && !f.linkHeavy(int32(i)) {
			e.candidates = append(e.candidates, int32(i))
			e.stops = append(e.stops, int32(n))
		}
	}
	n := len(e.candidates)
	bottom := float64(n) * 0.25
	boosts := 1.0
	for k, i := range e.candidates {
		boost := 0.0
		if textBefore(f, i) {
			boost = 1 / boosts * 50
			boosts++
		}
		if left := float64(n - k); n > 15 && left <= bottom {
			if boost = -(bottom - left) * (bottom - left); -boost > 40 {
				boost = 5
			}
		}
		up := math.Floor(float64(e.stops[k]) + boost)
		if p := f.parent[i]; p >= 0 {
			e.add(p, up)
			if p = f.parent[p]; p >= 0 {
				e.add(p, up/2)
			}
		}
	}
	best, most := int32(-1), 0.0
	for _, i := range e.parents {
		if s := e.scoreOf(i); s > most {
			best, most = i, s
		} else if best < 0 {
			best = i
		}
	}
	return best
}

// textBefore reports whether one of the three nearest paragraphs before i with the same
// parent has more than five function words.
func textBefore(f *flat, i int32) bool {
	p := f.prevP[i]
	for step := 0; step < 3 && p >= 0; step++ {
		if f.stopWords(p) > 5 {
			return true
		}
		p = f.prevP[p]
	}
	return false
}

// scoreOf returns the score of row i. The program stores scores as text and reads them as
// integers.
func (e *election) scoreOf(i int32) float64 { return math.Trunc(e.score[i]) }

func (e *election) add(i int32, n float64) {
	if !e.scored[i] {
		e.scored[i] = true
		e.parents = append(e.parents, i)
	}
	e.score[i] = math.Trunc(e.score[i]) + n
}
