package forms

import (
	"slices"
	"testing"
)

// TestAppendFew checks that only the items are appended and that earlier items stay,
// whatever memory the two slices have.
func TestAppendFew(t *testing.T) {
	memory := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	for length := range 12 {
		for room := length; room <= len(memory); room++ {
			for spare := range 20 {
				items := memory[:length:room]
				dst := append(make([]int32, 0, 2+spare), -1, -2)
				got, want := appendFew(dst, items), append([]int32{-1, -2}, items...)
				if !slices.Equal(got, want) {
					t.Fatalf("%v of capacity %d to memory for %d more: %v, want %v", items, cap(items), spare, got, want)
				}
			}
		}
	}
}
