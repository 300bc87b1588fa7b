package eight

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"
)

// TestMasks compares a look at eight bytes with one at each of them.
func TestMasks(t *testing.T) {
	for c := range 256 {
		for i := range 8 {
			b := []byte("a-Z09 zA")
			b[i] = byte(c)
			want := uint64(0)
			for k, c := range b {
				if c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) {
					want |= 1 << k
				}
			}
			if got := Bits(Wordlike(Load(b))); got != want {
				t.Errorf("the bytes of %q that may be in words are %08b, want %08b", b, got, want)
			}
		}
	}
}

func TestLoadShort(t *testing.T) {
	for n := range 8 {
		b := []byte("1234567")[:n]
		if got, want := LoadShort(b, 'x'), Load([]byte(string(b)+"xxxxxxxx")); got != want {
			t.Errorf("%q is %#x, want %#x", b, got, want)
		}
	}
}

// TestEdges compares the edges of runs with those that a look at each byte finds.
func TestEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		blocks := make([]uint64, 1+random.IntN(3))
		for i := range blocks {
			if blocks[i] = random.Uint64() & random.Uint64(); random.IntN(2) == 0 {
				blocks[i] = ^blocks[i]
			}
			if random.IntN(4) == 0 {
				blocks[i] = -uint64(random.IntN(2)) // all or none
			}
		}
		var got, want Edges
		was := uint64(0)
		for i, b := range blocks {
			got = got.Append(b, i*Block)
			for k := range Block {
				if is := b >> k & 1; is != was {
					want, was = append(want, int32(i*Block+k)), is
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("edges of %064b are %v, want %v", blocks, got, want)
		}
	}
}
