package extsort

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// row is what the tests sort, by key.
type row struct {
	key, seq int
	list     []byte
}

func compareRows(a, b *row) int { return cmp.Compare(a.key, b.key) }

type codec struct{}

func (codec) Pack(b []byte, r *row) []byte {
	return append(binary.AppendVarint(binary.AppendVarint(b, int64(r.key)), int64(r.seq)), r.list...)
}

func (codec) Unpack(b []byte, r *row) error {
	key, n := binary.Varint(b)
	seq, m := binary.Varint(b[n:])
	*r = row{int(key), int(seq), slices.Clone(b[n+m:])}
	return nil
}

func (codec) Weight(r *row) int { return len(r.list) }

// add adds n rows with random keys.
func add(t *testing.T, s *Sorter[row], n int) []row {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	rows := make([]row, n)
	for i := range rows {
		rows[i] = row{random.IntN(20), i, fmt.Append(nil, "row ", i)}
		if err := s.Add(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func TestOrderIsStableWhateverFitsInMemory(t *testing.T) {
	for _, limit := range []int{4000, 3000, 2999, 600, 101, 37, 2, 1} { // one row in each run makes three generations
		dir := t.TempDir()
		s := &Sorter[row]{Codec: codec{}, Compare: compareRows, Rows: limit, Dir: dir}
		want := add(t, s, 3000)
		slices.SortStableFunc(want, func(a, b row) int { return compareRows(&a, &b) })
		if most := 3 * fanIn; len(s.runs) > most {
			t.Errorf("limit %d: %d runs are open, want at most %d", limit, len(s.runs), most)
		}
		for range 2 {
			var got []row
			for r, err := range s.Sorted(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, *r)
			}
			if !slices.EqualFunc(got, want, func(a, b row) bool {
				return a.key == b.key && a.seq == b.seq && slices.Equal(a.list, b.list)
			}) {
				t.Errorf("limit %d: other rows, or another order", limit)
			}
			for range s.Sorted(t.Context()) { // the next caller begins at the first row again
				break
			}
		}
		s.Close()
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("limit %d: left %v", limit, left)
		}
	}
}

func TestTemporaryFilesThatFailAreReported(t *testing.T) {
	s := &Sorter[row]{Codec: codec{}, Compare: compareRows, Rows: 1, Dir: "/does/not/exist"}
	defer s.Close()
	if err := s.Add(&row{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(&row{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
}

func TestSortingIsCancelled(t *testing.T) {
	s := &Sorter[row]{Codec: codec{}, Compare: compareRows, Rows: 5, Dir: t.TempDir()}
	defer s.Close()
	add(t, s, 20)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	n := 0
	for _, err := range s.Sorted(ctx) {
		if n++; !errors.Is(err, stopped) {
			t.Errorf("%v, want %v", err, stopped)
		}
	}
	if n != 1 {
		t.Errorf("%d values, want the error alone", n)
	}
}

// Rows as large as those of hostile pages are spilled before their number reaches the
// limit.
func TestBytesAreBounded(t *testing.T) {
	s := &Sorter[row]{Codec: codec{}, Compare: compareRows, Rows: 1000, Dir: t.TempDir()}
	defer s.Close()
	list := make([]byte, weightBytes/3)
	for i := range 10 {
		if err := s.Add(&row{key: 9 - i, list: list}); err != nil {
			t.Fatal(err)
		}
		if s.weight > weightBytes {
			t.Fatalf("%d bytes are held, want at most %d", s.weight, weightBytes)
		}
	}
	if len(s.runs) != 3 {
		t.Errorf("%d runs of three rows, want 3", len(s.runs))
	}
	n := 0
	for got, err := range s.Sorted(t.Context()) {
		if err != nil || got.key != n || len(got.list) != len(list) {
			t.Fatalf("row %d: %d with %d bytes, %v", n, got.key, len(got.list), err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
}

// A temporary file with changed bytes causes an error, and not other rows.
func TestDamageIsReported(t *testing.T) {
	for name, harm := range map[string]func(f *os.File) error{
		"cut":     func(f *os.File) error { return f.Truncate(100) },
		"changed": func(f *os.File) error { _, err := f.WriteAt([]byte{1, 2, 3, 4}, 60); return err },
	} {
		s := &Sorter[row]{Codec: codec{}, Compare: compareRows, Rows: 50, Dir: t.TempDir()}
		defer s.Close()
		add(t, s, 60)
		if err := harm(s.runs[0].file); err != nil {
			t.Fatal(err)
		}
		var failed error
		for _, err := range s.Sorted(t.Context()) {
			failed = err
		}
		if failed == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type pairCodec struct{}

func (pairCodec) Pack(b []byte, p *[2]uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, p[0]), p[1])
}

func (pairCodec) Unpack(b []byte, p *[2]uint64) error {
	*p = [2]uint64{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
	return nil
}

func (pairCodec) Weight(*[2]uint64) int { return 0 }

// go test -run '^$' -bench Pairs -benchtime 1x ./pipeline/extsort
//
// BenchmarkPairs sorts twenty million pairs of numbers, those of the bands of a million texts.
func BenchmarkPairs(b *testing.B) {
	const pairs = 5_000_000
	for _, rows := range []int{1 << 16, 1 << 18, 1 << 20} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			b.SetBytes(16 * pairs)
			for b.Loop() {
				random := rand.New(rand.NewPCG(1, 1))
				s := &Sorter[[2]uint64]{Codec: pairCodec{}, Rows: rows, Dir: b.TempDir(), Compare: func(a, b *[2]uint64) int {
					if c := cmp.Compare(a[0], b[0]); c != 0 {
						return c
					}
					return cmp.Compare(a[1], b[1])
				}}
				for i := range uint64(pairs) {
					if err := s.Add(&[2]uint64{random.Uint64(), i}); err != nil {
						b.Fatal(err)
					}
				}
				last := uint64(0)
				for p, err := range s.Sorted(b.Context()) {
					if err != nil || p[0] < last {
						b.Fatal(err)
					}
					last = p[0]
				}
				s.Close()
			}
		})
	}
}
