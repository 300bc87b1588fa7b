package compact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func TestSorterIsStableWhateverFitsInMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]schemas.Failure, 3000) // runs of one row each are merged into runs of three generations
	for i := range rows {
		rows[i] = schemas.Failure{File: fmt.Sprint(r.IntN(20)), Offset: int64(i), Detail: fmt.Sprint("row ", i)}
	}
	byFile := func(a, b *schemas.Failure) int { return cmp.Compare(a.File, b.File) }
	want := slices.Clone(rows)
	slices.SortStableFunc(want, func(a, b schemas.Failure) int { return byFile(&a, &b) })
	for _, limit := range []int{4000, 3000, 2999, 600, 101, 37, 2, 1} {
		dir := t.TempDir()
		s := &sorter[schemas.Failure]{table: columnar.Failures, compare: byFile, limit: limit, dir: dir}
		for i := range rows {
			if err := s.add(&rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		if most := 3 * fanIn; len(s.runs) > most {
			t.Errorf("limit %d: %d runs are open, want at most %d", limit, len(s.runs), most)
		}
		var got []schemas.Failure
		for row, err := range s.sorted(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, *row)
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: other order", limit)
		}
		for range s.sorted(t.Context()) { // a caller that stops early leaves no file open
			break
		}
		s.close()
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("limit %d: left %v", limit, left)
		}
	}
}

func TestSorterReportsTemporaryFilesThatFail(t *testing.T) {
	s := &sorter[schemas.Failure]{table: columnar.Failures, compare: schemas.CompareFailures, limit: 1, dir: "/does/not/exist"}
	defer s.close()
	if err := s.add(&schemas.Failure{}); err != nil {
		t.Fatal(err)
	}
	if err := s.add(&schemas.Failure{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
	s = &sorter[schemas.Failure]{table: columnar.Failures, compare: schemas.CompareFailures, limit: 5, dir: t.TempDir()}
	defer s.close()
	for range 20 {
		if err := s.add(&schemas.Failure{}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.sorted(ctx) {
		if err == nil {
			t.Fatal("a cancelled sort yields rows")
		}
	}
}

// Rows as large as those of hostile pages are spilled before their number reaches the
// limit.
func TestSorterBoundsBytes(t *testing.T) {
	s := &sorter[schemas.Document]{table: columnar.Documents, compare: schemas.CompareDocuments, limit: 1000, dir: t.TempDir()}
	defer s.close()
	row := schemas.Document{Spans: make([]int32, sortBytes/4/3)} // a third of the memory limit
	for i := range 10 {
		row.DocID = fmt.Sprint(9 - i)
		if err := s.add(&row); err != nil {
			t.Fatal(err)
		}
		if s.weight > sortBytes {
			t.Fatalf("%d bytes are held, want at most %d", s.weight, sortBytes)
		}
	}
	if len(s.runs) != 3 {
		t.Errorf("%d runs of three rows, want 3", len(s.runs))
	}
	n := 0
	for got, err := range s.sorted(t.Context()) {
		if err != nil || got.DocID != fmt.Sprint(n) || len(got.Spans) != len(row.Spans) {
			t.Fatalf("row %d: %s with %d spans, %v", n, got.DocID, len(got.Spans), err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
}

// A temporary file with changed bytes causes an error, and not other rows.
func TestSorterReportsDamage(t *testing.T) {
	for name, harm := range map[string]func(f *os.File) error{
		"cut":     func(f *os.File) error { return f.Truncate(100) },
		"changed": func(f *os.File) error { _, err := f.WriteAt([]byte{1, 2, 3, 4}, 60); return err },
	} {
		s := &sorter[schemas.Failure]{table: columnar.Failures, compare: schemas.CompareFailures, limit: 50, dir: t.TempDir()}
		defer s.close()
		for i := range 60 {
			if err := s.add(&schemas.Failure{File: fmt.Sprint(i*7919%60, " of many")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := harm(s.runs[0].file); err != nil {
			t.Fatal(err)
		}
		var failed error
		for _, err := range s.sorted(t.Context()) {
			failed = err
		}
		if failed == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
