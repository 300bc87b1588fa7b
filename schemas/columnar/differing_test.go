package columnar

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/schemas"
)

func TestDifferingColumns(t *testing.T) {
	a := filled[schemas.Document]()
	b := a
	b.TextHash++
	b.ExtractNS++
	if got := Documents.Differing(&a, &b); !slices.Equal(got, []string{"extract_ns", "text_hash"}) {
		t.Errorf("%q", got)
	}
	if got := Documents.Differing(&a, &a); got != nil {
		t.Errorf("%q", got)
	}
}
