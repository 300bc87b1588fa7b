package worker

import (
	"fmt"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

// What may go away, or be another worker's to do, is tried again; what stays is
// given up for its reason.
func TestFinal(t *testing.T) {
	for class, want := range map[error]string{
		blob.ErrTransient:         "",
		blob.ErrDenied:            "",
		blob.ErrNotFound:          "missing",
		blob.ErrChanged:           "changed",
		fmt.Errorf("bad request"): "unreadable",
	} {
		if got := final(fmt.Errorf("read: %w", class)); got != want {
			t.Errorf("%v: %q, want %q", class, got, want)
		}
	}
}
