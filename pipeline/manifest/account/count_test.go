package account

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 no pages", 1: "1 no page", 2: "2 no pages"} {
		if got := Count(n, "no page"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
