package columnar

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestConcurrentWriter: a file has the same bytes whether its row groups are encoded while
// further rows are appended or not.
func TestConcurrentWriter(t *testing.T) {
	rows := documents(3000)
	size := Size{Rows: 256}
	want := encode(t, Documents, rows, size)
	size.Concurrent = true
	if got := encode(t, Documents, rows, size); !bytes.Equal(got, want) {
		t.Error("the file is another one")
	}
}

// full is a disk on which no more than n bytes can be written.
type full struct{ n int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestConcurrentWriterFails: an error of a row group is the error of a later call, at the
// latest of Close.
func TestConcurrentWriterFails(t *testing.T) {
	for _, room := range []int{0, 1 << 19} {
		w, err := NewWriter(Documents, &full{room}, "r", "", Size{Rows: 64, Concurrent: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range documents(6000) {
			row.Reason = string(bytes.Repeat([]byte{'x', byte(row.Offset)}, 200))
			if err = w.Append(&row); err != nil {
				break
			}
		}
		if closed := w.Close(); !errors.Is(closed, errFull) || err != nil && !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v, and then %v, want %v", room, err, closed, errFull)
		}
	}
}

// TestReaderEnds: a caller may stop at any row, and gets its own panic.
func TestReaderEnds(t *testing.T) {
	data := encode(t, Documents, documents(3*batchRows), PartSize)
	each := func(f func(*schemas.Document) bool) (n int) {
		r, err := NewReader(Documents, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; !f(row) {
				break
			}
		}
		return n
	}
	if n := each(func(*schemas.Document) bool { return true }); n != 3*batchRows {
		t.Errorf("%d rows, want %d", n, 3*batchRows)
	}
	if n := each(func(*schemas.Document) bool { return false }); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	defer func() {
		if p := recover(); p != io.ErrNoProgress {
			t.Errorf("the panic is %v", p)
		}
	}()
	each(func(*schemas.Document) bool { panic(io.ErrNoProgress) })
}
