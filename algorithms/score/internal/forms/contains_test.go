package forms

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestContains compares Contains with bytes.Contains for pieces of any length that a
// text has, almost has, or has after many that have only their beginning.
func TestContains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(strings.Repeat("grain"[:1+r.IntN(5)], r.IntN(20)))
		}
		text := []byte(b.String())
		from := r.IntN(len(text) + 1)
		piece := bytes.Clone(text[from : from+r.IntN(len(text)-from+1)])
		switch n := len(piece); {
		case n > 0 && r.IntN(3) == 0:
			piece[r.IntN(n)] = 'x'
		case n > 0 && r.IntN(3) == 0:
			text = append(bytes.Repeat(piece[:n-1], 12), text...)
		}
		if got, want := Contains(text, piece), bytes.Contains(text, piece); got != want {
			t.Fatalf("%q in %q: %v, want %v", piece, text, got, want)
		}
	}
}
