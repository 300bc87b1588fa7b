package ccb

import "github.com/winnow/winnow/algorithms/feature/codevector"

// slack is far above the rounding error of a blurred value and far below the change
// from one cell to the next. If a value is within slack of the threshold, cells are
// examined one by one.
const slack = 1e-9

// scan walks the words of a vector from left to right.
type scan struct {
	*kernel
	runs      []codevector.Run // those that can still meet a window
	threshold float64
	settled   int32 // cells before it are known: bright if lit, else dark
	lit       bool
}

// bright reports whether a cell of [start, end) is above the threshold.
func (s *scan) bright(start, end int32) bool {
	if start < s.settled {
		if s.lit {
			return true
		}
		start = s.settled
	}
	for x := start; x < end; x = s.settled {
		v := s.blurred(x)
		s.lit = v > s.threshold
		margin := s.threshold - v
		if s.lit {
			margin = -margin
		}
		s.settled = x + 1
		if margin > slack {
			s.settled += int32((margin - slack) / s.steep)
		}
		if s.lit {
			return true
		}
	}
	return false
}

// blurred returns the value of cell x, which must not be left of an x of an earlier
// call.
func (s *scan) blurred(x int32) float64 {
	from, to := x-s.radius, x+s.radius+1
	for len(s.runs) > 0 && s.runs[0].End <= from {
		s.runs = s.runs[1:]
	}
	v := 0.0
	for _, r := range s.runs {
		if r.Start >= to {
			break
		}
		v += s.upTo(r.End-x) - s.upTo(r.Start-x)
	}
	return v
}
