package columnar

import (
	"bytes"
	"slices"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// Columns that are left out are neither packed nor compared.
func TestDifferingColumns(t *testing.T) {
	a := filled[schemas.Document]()
	b := a
	b.TextHash++
	b.ExtractNS++
	if got := Documents.Differing(&a, &b); !slices.Equal(got, []string{"extract_ns", "text_hash"}) {
		t.Errorf("%q", got)
	}
	few := Documents.Without("extract_ns", "text_hash")
	if got := few.Differing(&a, &b); got != nil {
		t.Errorf("%q", got)
	}
	if !bytes.Equal(few.Pack(nil, &a), few.Pack(nil, &b)) || len(few.Columns()) != len(Documents.Columns())-2 {
		t.Error("a column that was left out is packed")
	}
}
