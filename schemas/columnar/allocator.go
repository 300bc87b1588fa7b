package columnar

import "github.com/apache/arrow/go/v15/arrow/memory"

// growing is the allocator of Arrow's package memory, except that memory that becomes
// larger becomes larger by half at least. The library's encoder of definition levels asks
// for 64 bytes more whenever a run of levels ends, and would copy all levels of a page each
// time: that took half of the time of writing a column in which nulls alternate with
// values.
type growing struct{ memory.GoAllocator }

// Reallocate implements memory.Allocator.
func (a *growing) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	larger := a.Allocate(size + size/2)[:size]
	copy(larger, b)
	return larger
}

// The library's encoder of levels takes its memory from this variable, whichever allocator its
// writer has.
func init() { memory.DefaultAllocator = new(growing) }
