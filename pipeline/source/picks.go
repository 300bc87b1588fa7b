package source

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
)

// pick is a record that an index chose.
type pick struct {
	file   int32 // number of the file
	offset int64
	length int64
	url    uint64 // hash of its URL, 0 if the index does not give the URL
}

func comparePicks(a, b pick) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset), cmp.Compare(a.length, b.length), cmp.Compare(a.url, b.url))
}

// pickBytes is the size of a pick in a temporary file.
const pickBytes = 4 + 8 + 8 + 8

// picksHeld is how many picks are held in memory; more are sorted in a temporary file.
const picksHeld = 1 << 20

// picks sorts any number of records that an index chose. The zero picks is empty.
type picks struct {
	held   []pick
	most   int      // most picks held in memory; default picksHeld
	file   *os.File // runs of sorted picks; nil while all are held
	runs   []int64  // ends of the runs in file
	buffer []byte
}

// add adds one pick.
func (p *picks) add(k pick) error {
	if p.most == 0 {
		p.most = picksHeld
	}
	if p.held = append(p.held, k); len(p.held) >= p.most {
		return p.spill()
	}
	return nil
}

// spill sorts the picks in memory and writes them to the temporary file as one run.
func (p *picks) spill() (err error) {
	if p.file == nil {
		if p.file, err = os.CreateTemp("", "winnow-selection-*"); err != nil {
			return fmt.Errorf("sort the records of an index: %w", err)
		}
		os.Remove(p.file.Name()) // without a name, the file disappears when this process ends
	}
	slices.SortFunc(p.held, comparePicks)
	w := bufio.NewWriterSize(p.file, 1<<20)
	for _, k := range p.held {
		p.buffer = binary.LittleEndian.AppendUint32(p.buffer[:0], uint32(k.file))
		p.buffer = binary.LittleEndian.AppendUint64(p.buffer, uint64(k.offset))
		p.buffer = binary.LittleEndian.AppendUint64(p.buffer, uint64(k.length))
		p.buffer = binary.LittleEndian.AppendUint64(p.buffer, k.url)
		w.Write(p.buffer) // Flush returns the error, if there is one
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("sort the records of an index: %w", err)
	}
	end := int64(len(p.held)) * pickBytes
	if n := len(p.runs); n > 0 {
		end += p.runs[n-1]
	}
	p.runs, p.held = append(p.runs, end), p.held[:0]
	return nil
}

// close removes the temporary file.
func (p *picks) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}

// sorted yields all picks in the order of comparePicks. An error ends the sequence.
func (p *picks) sorted() iter.Seq2[pick, error] {
	return func(yield func(pick, error) bool) {
		slices.SortFunc(p.held, comparePicks)
		runs := make(pickRuns, 0, len(p.runs)+1)
		start := int64(0)
		for _, end := range p.runs {
			r := &pickRun{r: bufio.NewReaderSize(io.NewSectionReader(p.file, start, end-start), 64<<10)}
			if !r.next() {
				yield(pick{}, cmp.Or(r.err, io.ErrUnexpectedEOF))
				return
			}
			runs, start = append(runs, r), end
		}
		if r := (&pickRun{held: p.held}); r.next() {
			runs = append(runs, r)
		}
		heap.Init(&runs)
		for len(runs) > 0 {
			r := runs[0]
			if !yield(r.now, nil) {
				return
			}
			if r.next() {
				heap.Fix(&runs, 0)
				continue
			}
			if r.err != nil {
				yield(pick{}, r.err)
				return
			}
			heap.Pop(&runs)
		}
	}
}

// pickRun is a sequence of sorted picks: in memory, or in a file.
type pickRun struct {
	now  pick
	held []pick
	r    *bufio.Reader
	err  error
}

// next moves to the next pick. It returns false at the end, or if it sets err.
func (r *pickRun) next() bool {
	if r.r == nil {
		if len(r.held) == 0 {
			return false
		}
		r.now, r.held = r.held[0], r.held[1:]
		return true
	}
	var b [pickBytes]byte
	if _, err := io.ReadFull(r.r, b[:]); err != nil {
		if !errors.Is(err, io.EOF) {
			r.err = fmt.Errorf("sort the records of an index: %w", err)
		}
		return false
	}
	r.now = pick{int32(binary.LittleEndian.Uint32(b[:])), int64(binary.LittleEndian.Uint64(b[4:])),
		int64(binary.LittleEndian.Uint64(b[12:])), binary.LittleEndian.Uint64(b[20:])}
	return true
}

// pickRuns is a heap.Interface of runs by their first picks.
type pickRuns []*pickRun

func (h pickRuns) Len() int           { return len(h) }
func (h pickRuns) Less(i, j int) bool { return comparePicks(h[i].now, h[j].now) < 0 }
func (h pickRuns) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *pickRuns) Push(x any)        { *h = append(*h, x.(*pickRun)) }
func (h *pickRuns) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
