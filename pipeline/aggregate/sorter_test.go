package aggregate

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
	rows := make([]schemas.Failure, 500)
	for i := range rows {
		rows[i] = schemas.Failure{File: fmt.Sprint(r.IntN(20)), Offset: int64(i), Detail: fmt.Sprint("row ", i)}
	}
	byFile := func(a, b *schemas.Failure) int { return cmp.Compare(a.File, b.File) }
	want := slices.Clone(rows)
	slices.SortStableFunc(want, func(a, b schemas.Failure) int { return byFile(&a, &b) })
	for _, limit := range []int{1000, 500, 499, 100, 37, 9} {
		dir := t.TempDir()
		s := &sorter[schemas.Failure]{table: columnar.Failures, compare: byFile, limit: limit, dir: dir}
		for i := range rows {
			if err := s.add(&rows[i]); err != nil {
				t.Fatal(err)
			}
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
		for range s.sorted(t.Context()) { // whoever stops early leaves nothing open
			break
		}
		s.close()
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("limit %d: left %v", limit, left)
		}
	}
}

func TestSorterReportsTemporaryFilesThatFail(t *testing.T) {
	s := &sorter[schemas.Failure]{table: columnar.Failures, compare: compareFailures, limit: 1, dir: "/does/not/exist"}
	defer s.close()
	if err := s.add(&schemas.Failure{}); err != nil {
		t.Fatal(err)
	}
	if err := s.add(&schemas.Failure{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
	s = &sorter[schemas.Failure]{table: columnar.Failures, compare: compareFailures, limit: 5, dir: t.TempDir()}
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
