package dedup

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
)

// entry is what a sorter sorts, by key and then by value.
type entry struct{ key, value uint64 }

const entrySize = 16

func (e entry) compare(o entry) int {
	if c := cmp.Compare(e.key, o.key); c != 0 {
		return c
	}
	return cmp.Compare(e.value, o.value)
}

// sorter sorts entries outside of memory: what is more than limit goes to sorted files.
type sorter struct {
	dir     string
	limit   int
	entries []entry
	// levels hold files whose sizes grow from level to level. When a level is full its
	// files become one of the next, so that few files are open and each entry is
	// written only as often as there are levels.
	levels [][]*spool
}

// perLevel is the number of files that are merged at a time.
const perLevel = 32

func newSorter(dir string, limit int) *sorter { return &sorter{dir: dir, limit: max(limit, 1)} }

func (s *sorter) add(e entry) error {
	if len(s.entries) == s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.entries = append(s.entries, e)
	return nil
}

// spill moves the entries in memory to a file.
func (s *sorter) spill() error {
	slices.SortFunc(s.entries, entry.compare)
	file, err := s.store(func(yield func(entry, error) bool) {
		for _, e := range s.entries {
			if !yield(e, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	s.entries = s.entries[:0]
	for level := 0; ; level++ {
		if level == len(s.levels) {
			s.levels = append(s.levels, nil)
		}
		s.levels[level] = append(s.levels[level], file)
		if len(s.levels[level]) < perLevel {
			return nil
		}
		if file, err = s.store(merge(s.levels[level], nil)); err != nil {
			return err
		}
		for _, f := range s.levels[level] {
			f.close()
			_ = os.Remove(f.file.Name())
		}
		s.levels[level] = nil
	}
}

// store writes entries to a new file.
func (s *sorter) store(entries iter.Seq2[entry, error]) (*spool, error) {
	file, err := newSpool(s.dir)
	if err != nil {
		return nil, err
	}
	var b [entrySize]byte
	for e, err := range entries {
		if err == nil {
			binary.LittleEndian.PutUint64(b[:], e.key)
			binary.LittleEndian.PutUint64(b[8:], e.value)
			err = file.write(b[:])
		}
		if err != nil {
			file.close()
			return nil, err
		}
	}
	if err := file.flush(); err != nil {
		file.close()
		return nil, err
	}
	return file, nil
}

// all yields the entries in order. Nothing may be added afterwards; it may be called again.
func (s *sorter) all() iter.Seq2[entry, error] {
	slices.SortFunc(s.entries, entry.compare)
	return merge(slices.Concat(s.levels...), s.entries)
}

// close deletes the files.
func (s *sorter) close() {
	for _, f := range slices.Concat(s.levels...) {
		f.close()
		_ = os.Remove(f.file.Name())
	}
	s.levels, s.entries = nil, nil
}

// cursor is a sorted sequence and its first entry.
type cursor struct {
	head   entry
	memory []entry       // what follows, in memory
	file   *bufio.Reader // or in a file
}

func (c *cursor) next() (more bool, err error) {
	if c.file == nil {
		if len(c.memory) == 0 {
			return false, nil
		}
		c.head, c.memory = c.memory[0], c.memory[1:]
		return true, nil
	}
	var b [entrySize]byte
	if _, err := io.ReadFull(c.file, b[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		return false, err
	}
	c.head = entry{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
	return true, nil
}

// cursors is a heap: the cursor with the smallest head is the first.
type cursors []*cursor

func (c cursors) Len() int           { return len(c) }
func (c cursors) Less(i, j int) bool { return c[i].head.compare(c[j].head) < 0 }
func (c cursors) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *cursors) Push(x any)        { *c = append(*c, x.(*cursor)) }
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// merge yields the entries of sorted files and a sorted slice in order.
func merge(files []*spool, memory []entry) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		all := cursors{{memory: memory}}
		for _, f := range files {
			all = append(all, &cursor{file: bufio.NewReaderSize(io.NewSectionReader(f.file, 0, f.size), spoolBuffer)})
		}
		var open cursors
		for _, c := range all {
			more, err := c.next()
			if err != nil {
				yield(entry{}, err)
				return
			}
			if more {
				open = append(open, c)
			}
		}
		heap.Init(&open)
		for len(open) > 0 {
			c := open[0]
			if !yield(c.head, nil) {
				return
			}
			more, err := c.next()
			switch {
			case err != nil:
				yield(entry{}, err)
				return
			case !more:
				heap.Pop(&open)
			case len(open) > 1:
				heap.Fix(&open, 0)
			}
		}
	}
}
