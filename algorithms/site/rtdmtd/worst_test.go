package rtdmtd

import (
	"fmt"
	"testing"
)

// BenchmarkBudget is what a mapping costs that uses its steps up: lists whose
// items are all made alike, and all different.
//
//	go test ./algorithms/site/rtdmtd -run '^$' -bench Budget
func BenchmarkBudget(b *testing.B) {
	for _, items := range []int{500, 1500, 4000} {
		list := func(seed uint64) side {
			v := n(0)
			for i := range uint64(items) {
				v.kids = append(v.kids, n(1, n(seed<<32+2*i), n(seed<<32+2*i+1)))
			}
			return v.side()
		}
		x, y := list(1), list(2)
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			var m mapper
			used := 0
			for b.Loop() {
				m.run(x, y, Default.Steps)
				used = Default.Steps - m.left
			}
			b.ReportMetric(float64(used), "steps")
			b.ReportMetric(float64(len(m.costs.slots)), "costs")
		})
	}
}
