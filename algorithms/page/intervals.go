package page

// position is the type of the bounds of a Span or a Rows: bytes or rows.
type position interface{ ~int32 }

// interval is a half-open range of positions. Span and Rows convert to it.
type interval[P position] struct{ Start, End P }

// Each of the three operations is one merge of two sorted lists of disjoint
// intervals that do not touch, and appends such a list to dst.

func unite[I ~struct{ Start, End P }, P position](dst, a, c []I) []I {
	for len(a) > 0 || len(c) > 0 {
		var next interval[P]
		if len(c) == 0 || len(a) > 0 && interval[P](a[0]).Start <= interval[P](c[0]).Start {
			next, a = interval[P](a[0]), a[1:]
		} else {
			next, c = interval[P](c[0]), c[1:]
		}
		if n := len(dst); n > 0 {
			if last := interval[P](dst[n-1]); next.Start <= last.End {
				last.End = max(last.End, next.End)
				dst[n-1] = I(last)
				continue
			}
		}
		dst = append(dst, I(next))
	}
	return dst
}

func intersect[I ~struct{ Start, End P }, P position](dst, a, c []I) []I {
	for len(a) > 0 && len(c) > 0 {
		x, y := interval[P](a[0]), interval[P](c[0])
		if lo, hi := max(x.Start, y.Start), min(x.End, y.End); lo < hi {
			dst = append(dst, I(interval[P]{lo, hi}))
		}
		if x.End < y.End {
			a = a[1:]
		} else {
			c = c[1:]
		}
	}
	return dst
}

func subtract[I ~struct{ Start, End P }, P position](dst, a, c []I) []I {
	for _, i := range a {
		x := interval[P](i)
		for len(c) > 0 && interval[P](c[0]).End <= x.Start {
			c = c[1:]
		}
		for k := 0; k < len(c) && interval[P](c[k]).Start < x.End; k++ {
			y := interval[P](c[k])
			if x.Start < y.Start {
				dst = append(dst, I(interval[P]{x.Start, y.Start}))
			}
			x.Start = y.End
			if k > 0 { // c[0] has been passed
				c, k = c[k:], 0
			}
		}
		if x.Start < x.End {
			dst = append(dst, I(x))
		}
	}
	return dst
}
