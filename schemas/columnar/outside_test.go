package columnar

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/winnow/winnow/schemas"
)

// Another implementation of the format reads the files that this package writes.
func TestAnotherLibraryReadsTheFiles(t *testing.T) {
	rows := documents(300)
	type document struct {
		Run       string  `parquet:"run"`
		DocID     string  `parquet:"doc_id"`
		Reason    *string `parquet:"reason"`
		HTMLBytes int64   `parquet:"html_bytes"`
		TextHash  int64   `parquet:"text_hash"`
	}
	for _, size := range []Size{PartSize, ShardSize, {Rows: 100}} {
		got := outside[document](t, encode(t, Documents, rows, size))
		if len(got) != len(rows) {
			t.Fatalf("%d rows, want %d", len(got), len(rows))
		}
		for i, g := range got {
			w := &rows[i]
			if g.Run != w.Run || g.DocID != w.DocID || g.HTMLBytes != w.HTMLBytes || uint64(g.TextHash) != w.TextHash ||
				(g.Reason == nil) != (w.Reason == "") || g.Reason != nil && *g.Reason != w.Reason {
				t.Fatalf("size %+v, row %d: %+v, want %+v", size, i, g, w)
			}
		}
	}
	type score struct {
		F1        *float64 `parquet:"f1"`
		Common    int64    `parquet:"common"`
		Undefined bool     `parquet:"r_undefined"`
	}
	got := outside[score](t, encode(t, Scores, []schemas.ScoreRow{{F1: 0.25, Common: 3, RUndefined: true}, {Reason: "no_gold"}, {F1: math.NaN()}}, Size{}))
	if len(got) != 3 || got[0].F1 == nil || *got[0].F1 != 0.25 || got[0].Common != 3 || !got[0].Undefined || got[1].F1 != nil || got[2].F1 != nil {
		t.Errorf("scores: %+v", got)
	}
}

// outside reads a file's rows with the other library. It reads the columns that R has.
func outside[R any](t *testing.T, data []byte) []R {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if root := file.Metadata().Schema[0]; root.RepetitionType.Valid && root.RepetitionType.V != 0 {
		t.Errorf("the root of the schema is %v, want required", root.RepetitionType.V)
	}
	if v, _ := file.Lookup(keyVersion); v != strconv.Itoa(schemas.Version) {
		t.Errorf("version %q, want %d", v, schemas.Version)
	}
	r := parquet.NewGenericReader[R](file)
	defer r.Close()
	rows := make([]R, file.NumRows()+1)
	n, err := r.Read(rows)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return rows[:n]
}
