package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/html/worst"
)

// TestWorst checks the trees that are built from all worst-case pages, within and beyond
// the bounds.
func TestWorst(t *testing.T) {
	var p Document
	for _, w := range worst.Pages {
		src := []byte(w.Make(20_000))
		for _, opt := range []Bounds{{}, {MaxDepth: 5, MaxAttrs: 3}, {MaxDepth: 60, MaxNodes: 300}} {
			p.Parse(src, opt)
			if !t.Run(w.Name, func(t *testing.T) { checkBuilt(t, &p) }) {
				t.Logf("with %+v", opt)
			}
			if p.Tree.Len() > p.bounds.MaxNodes {
				t.Errorf("%s: %d nodes, %d allowed", w.Name, p.Tree.Len(), p.bounds.MaxNodes)
			}
		}
	}
}

// BenchmarkWorst parses worst-case pages whose sizes double. The speed must not fall.
//
//	go test -run '^$' -bench 'Worst' -benchtime 3x -cpu 1
func BenchmarkWorst(b *testing.B) {
	for _, w := range worst.Pages {
		for size := 1 << 17; size <= 1<<20; size *= 2 {
			b.Run(fmt.Sprintf("page=%s/kib=%d", strings.ReplaceAll(w.Name, " ", "-"), size>>10), func(b *testing.B) {
				src := []byte(w.Make(size))
				var p Document
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					p.Parse(src, Bounds{})
				}
			})
		}
	}
}
