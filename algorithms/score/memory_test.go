package score_test

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/score/arias"
	"github.com/winnow/winnow/algorithms/score/gottron"
)

// held returns the live memory after a garbage collection.
func held() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemoryOfCharacters checks that the memory that scorers of characters keep, for a
// gold of a million characters and an extraction of that length, is within what the
// driver reserves.
func TestMemoryOfCharacters(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const n = 1 << 20
	r := rand.New(rand.NewPCG(7, 8))
	words := strings.Join(prose(r, n), "\n")[:n]
	random := func(first rune, symbols int) string {
		out := make([]rune, n)
		for i := range out {
			out[i] = first + rune(r.IntN(symbols))
		}
		return string(out)
	}
	for name, gold := range map[string]string{
		"prose": words, "repeated": strings.Repeat("abcdefghij", n/10),
		// Two bytes each, and as many as have a row of their own in the masks.
		"500 letters": random(0x100, 500), "2 letters": random('a', 2), "20000 signs": random(0x4e00, 20_000),
	} {
		before := held()
		var g algorithms.Gold
		var x algorithms.Trial
		g.Text = gold
		half := []byte(gold[:len(gold)/2] + " and another end")
		x.Reset(&g, half, nil, false)
		for _, s := range append(append([]*algorithms.Scorer{}, gottron.Scorers...), arias.Scorers...) {
			s.Score(&x)
		}
		grown := held() - before
		t.Logf("%s: %.1f bytes a byte of text", name, float64(grown)/float64(len(gold)))
		if most := driver.ScoreMemory(len(gold)); grown > most {
			t.Errorf("%s: %d bytes are kept, want at most %d", name, grown, most)
		}
		runtime.KeepAlive(&g)
		runtime.KeepAlive(&x)
	}
}
