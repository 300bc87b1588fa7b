package page

import (
	"testing"
	"unicode/utf8"
)

func TestRuneCount(t *testing.T) {
	const s = "Grain & chaff: Körner, 穀物, зерно, 🌾🌾 — " // characters of one to four bytes
	text := []byte(s + s + s)
	for i := range text {
		if !utf8.RuneStart(text[i]) {
			continue
		}
		for j := i; j <= len(text); j++ {
			if j < len(text) && !utf8.RuneStart(text[j]) {
				continue
			}
			if got, want := RuneCount(text[i:j]), utf8.RuneCount(text[i:j]); got != want {
				t.Fatalf("%q: %d, want %d", text[i:j], got, want)
			}
		}
	}
}
