package columnar

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/winnow/winnow/schemas"
)

func templateRows(sites int) []schemas.TemplateRow {
	var rows []schemas.TemplateRow
	for i := range sites {
		for _, m := range []string{"a", "b"} {
			rows = append(rows, schemas.TemplateRow{Run: "r", Site: fmt.Sprintf("s%03d.example", i), Method: m, Status: "ok",
				Sample: "0000000000000001", Body: bytes.Repeat([]byte{0, 0xff, byte(i)}, i)})
		}
	}
	return rows
}

// A row is found by the row groups that may have it, and by no other.
func TestRowsOfAGroup(t *testing.T) {
	data := encode(t, Templates, templateRows(50), Size{Rows: 7, Fast: true})
	r, err := NewReader(Templates, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	bounds, err := r.Bounds("site")
	if err != nil || len(bounds) != 15 {
		t.Fatalf("%d groups, %v", len(bounds), err)
	}
	for i, want := range templateRows(50) {
		var groups []int
		for g, b := range bounds {
			if b.May(want.Site) {
				groups = append(groups, g)
			}
		}
		if len(groups) == 0 || len(groups) > 2 {
			t.Fatalf("%s may be in the groups %v", want.Site, groups)
		}
		var found []schemas.TemplateRow
		for row, err := range r.Groups(t.Context(), groups) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Site == want.Site && row.Method == want.Method {
				found = append(found, *row)
			}
		}
		if len(found) != 1 || !bytes.Equal(found[0].Body, want.Body) || found[0].Sample != want.Sample {
			t.Fatalf("row %d: %+v", i, found)
		}
	}
	if slices.ContainsFunc(bounds, func(b Bounds) bool { return b.May("a.example") || b.May("z.example") }) {
		t.Error("a site that there is not may be there")
	}
	if none, err := r.Bounds("body"); err != nil || none[0].Stated || !none[0].May("x") {
		t.Errorf("bounds of a column without: %+v, %v", none, err)
	}
}
