package mask

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// Entry says on which pages a key occurs.
type Entry struct{ Key, Mask uint64 }

// Repeated reports whether the key occurs on more than one page.
func (e Entry) Repeated() bool { return e.Mask&(e.Mask-1) != 0 }

// EntrySize is the number of bytes of an encoded Entry.
const EntrySize = 16

// Keys sorts keys and drops repeated ones, in place. The result is a page's sketch.
func Keys(keys []uint64) []uint64 {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Fold merges the sorted lists of keys of the pages of a sample into one list, sorted
// by key; pages[r] is that of page r. The time is linear in their total length, because
// there are at most algorithms.MaxSample lists.
func Fold(pages [][]uint64) []Entry {
	queue := make(queue, 0, len(pages))
	for r, keys := range pages {
		if len(keys) > 0 {
			queue = append(queue, head{keys[0], r, keys[1:]})
		}
	}
	for i := len(queue)/2 - 1; i >= 0; i-- {
		queue.down(i)
	}
	var out []Entry
	for len(queue) > 0 {
		top := &queue[0]
		if n := len(out); n > 0 && out[n-1].Key == top.key {
			out[n-1].Mask |= 1 << top.page
		} else {
			out = append(out, Entry{top.key, 1 << top.page})
		}
		if len(top.rest) > 0 {
			top.key, top.rest = top.rest[0], top.rest[1:]
		} else {
			*top = queue[len(queue)-1]
			queue = queue[:len(queue)-1]
		}
		queue.down(0)
	}
	return out
}

// head is the position of the merge in one page's keys.
type head struct {
	key  uint64
	page int
	rest []uint64
}

// queue is a heap of heads, the smallest key first.
type queue []head

func (q queue) down(i int) {
	for {
		least := i
		for _, c := range [2]int{2*i + 1, 2*i + 2} {
			if c < len(q) && q[c].key < q[least].key {
				least = c
			}
		}
		if least == i {
			return
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}

// Common keeps, in place, the entries that occur on at least df pages.
func Common(entries []Entry, df int) []Entry {
	kept := entries[:0]
	for _, e := range entries {
		if bits.OnesCount64(e.Mask) >= df {
			kept = append(kept, e)
		}
	}
	return kept
}

// fit keeps, in place, as many entries as size bytes hold, and reports whether it left
// any out. It keeps those that most pages have, and among equals those with small keys.
func fit(entries []Entry, size int) (kept []Entry, cut bool) {
	room := max(size, 0) / EntrySize
	if len(entries) <= room {
		return entries, false
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(bits.OnesCount64(b.Mask), bits.OnesCount64(a.Mask)), cmp.Compare(a.Key, b.Key))
	})
	entries = entries[:room]
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries, true
}

// WriteKeys writes a sorted list of keys.
func WriteKeys(w *codec.Writer, keys []uint64) {
	w.Int(len(keys))
	for _, k := range keys {
		w.Hash(k)
	}
}

// ReadKeys reads what WriteKeys wrote.
func ReadKeys(r *codec.Reader) []uint64 {
	keys := make([]uint64, r.Count(8))
	for i := range keys {
		keys[i] = r.Hash()
		if i > 0 && keys[i] <= keys[i-1] {
			r.Fail("keys are not in order")
			return nil
		}
	}
	return keys
}

// Write writes entries that are sorted by key.
func Write(w *codec.Writer, entries []Entry) {
	w.Int(len(entries))
	for _, e := range entries {
		w.Hash(e.Key)
		w.Hash(e.Mask)
	}
}

// Map finds the mask of a key. It does not change.
type Map struct {
	entries []Entry
	first   [prefixes + 1]int32 // entry with at least this prefix
}

// Keys are hashes, so their first bits spread them evenly. A template that was not
// written here may have uneven ones, which cost a binary search.
const (
	prefixBits = 10
	prefixes   = 1 << prefixBits
)

// Read reads the entries that Write wrote of a sample of n pages.
func Read(r *codec.Reader, n int) *Map {
	if n > algorithms.MaxSample {
		r.Fail("too many pages")
	}
	entries := make([]Entry, r.Count(EntrySize))
	for i := range entries {
		e := Entry{r.Hash(), r.Hash()}
		if i > 0 && e.Key <= entries[i-1].Key || e.Mask == 0 || bits.Len64(e.Mask) > n {
			r.Fail("entry")
			break
		}
		entries[i] = e
	}
	if r.Err() != nil {
		entries = nil
	}
	return newMap(entries)
}

// newMap makes a Map of entries that are sorted by key; they must not change.
func newMap(entries []Entry) *Map {
	m := &Map{entries: entries}
	at := 0
	for p := range m.first {
		for at < len(entries) && entries[at].Key>>(64-prefixBits) < uint64(p) {
			at++
		}
		m.first[p] = int32(at)
	}
	return m
}

// Len is the number of keys.
func (m *Map) Len() int { return len(m.entries) }

// Of returns the mask of a key, or 0 if the key does not occur.
func (m *Map) Of(key uint64) uint64 {
	p := key >> (64 - prefixBits)
	lo, hi := int(m.first[p]), int(m.first[p+1])
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		switch e := &m.entries[mid]; {
		case e.Key == key:
			return e.Mask
		case e.Key < key:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0
}
