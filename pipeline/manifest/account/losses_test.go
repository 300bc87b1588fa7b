package account

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// Every byte of a file is lost once, however many rows are about it, and a record
// that was refused is no lost byte.
func TestBytesAreLostOnce(t *testing.T) {
	var s span
	for _, r := range []schemas.Failure{
		{Offset: 10, Length: 5, Stage: "read", Reason: "unit-corrupt"},
		{Offset: 12, Length: 10, Stage: "read", Reason: "gap"},
		{Offset: 13, Length: 2, Stage: "read", Reason: "gap"},
		{Offset: 50, Length: 0, Stage: "read", Reason: "truncated"},
		{Offset: 60, Length: 40, Stage: "item", Reason: "crash"},
		{Offset: 60, Length: 0, Stage: "index", Reason: "index-outside"},
	} {
		if !isLoss(&r) {
			t.Errorf("%+v is no loss", r)
		}
		s.add(r.Offset, r.Length, r.Reason)
	}
	if s.Bytes != 12+40 || !slices.Equal(s.Reasons, []string{"unit-corrupt", "gap", "truncated", "crash", "index-outside"}) {
		t.Errorf("%+v", s.Loss)
	}
	for _, r := range []schemas.Failure{{Stage: "page", Reason: "charset", Severity: "lost"}, {Stage: "read", Reason: "length-long"}, {Stage: "gold", Reason: "gold-bad"}} {
		if isLoss(&r) {
			t.Errorf("%+v is a loss", r)
		}
	}
}
