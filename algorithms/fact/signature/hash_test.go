package signature

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// TestHashOfWords compares hashes of words of all lengths with those of the twin, and
// hashes of short words in two numbers with those of the same words, whatever follows
// them.
func TestHashOfWords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		word := make([]byte, 70)
		for i := range word {
			word[i] = byte(random.Uint32())
		}
		for n := 1; n <= len(word); n++ {
			want := twinHash(string(word[:n]))
			if got := hashWord(word[:n]); got != want {
				t.Fatalf("the hash of % x is %#x, want %#x", word[:n], got, want)
			}
			if n > piece {
				continue
			}
			first, second := eight.Load(word)&masks[n][0], eight.Load(word[8:])&masks[n][1]
			if got := hashPiece(uint64(n), first, second); got != want {
				t.Fatalf("the hash of the first %d of % x is %#x, want %#x", n, word[:piece], got, want)
			}
		}
	}
}

// manyWords calls yield with all words of one to three letters, all numbers up to a million,
// and the same with letters in front, so that they differ in each of three pieces.
func manyWords(yield func(word string)) {
	for _, before := range []string{"", "straße", "donaudampfschiff", "donaudampfschifffahrtsgesellschaft"} {
		const letters = "abcdefghijklmnopqrstuvwxyz"
		for _, a := range letters {
			yield(before + string(a))
			for _, b := range letters {
				yield(before + string(a) + string(b))
				for _, c := range letters {
					yield(before + string(a) + string(b) + string(c))
				}
			}
		}
		numbers := 1_000_000
		if testing.Short() {
			numbers /= 10
		}
		for n := range numbers + 1 {
			yield(before + strconv.Itoa(n))
		}
	}
}

// TestHashesDiffer has no collision among four million words, and words that differ little
// spread evenly over the upper and over the lower bits of their hashes.
func TestHashesDiffer(t *testing.T) {
	var hashes []uint64
	const spread = 1 << 10
	var upper, lower [spread]float64
	manyWords(func(word string) {
		h := hashWord([]byte(word))
		hashes = append(hashes, h)
		upper[h>>54]++
		lower[h%spread]++
	})
	n := len(hashes)
	slices.Sort(hashes)
	if different := len(slices.Compact(hashes)); different != n {
		t.Errorf("%d words have %d different hashes", n, different)
	}
	for _, counts := range [][spread]float64{upper, lower} {
		squares, expected := 0., float64(n)/spread
		for _, c := range counts {
			squares += (c - expected) * (c - expected) / expected
		}
		// The sum is distributed as chi-squared, almost as a normal distribution.
		if deviation := (squares - (spread - 1)) / math.Sqrt(2*(spread-1)); deviation > 6 {
			t.Errorf("hashes are spread unevenly: chi-squared is %.1f, %.1f deviations above its mean", squares, deviation)
		}
	}
}

// TestShinglesDiffer has no collision among the shingles of words that differ little.
func TestShinglesDiffer(t *testing.T) {
	var text strings.Builder
	for a := range 10 {
		for b := range 10 {
			for c := range 10 {
				for d := range 10 {
					for _, n := range []int{a, b, c, d} {
						text.WriteString(strconv.Itoa(n) + " ")
					}
					text.WriteString("and on\n")
				}
			}
		}
	}
	var s Signer
	shingles := s.AppendShingles(nil, []byte(text.String()))
	words := strings.Fields(text.String())
	want := map[[width]string]bool{}
	for i := range shingles {
		want[[width]string(words[i:])] = true
	}
	slices.Sort(shingles)
	if got := len(slices.Compact(shingles)); got != len(want) {
		t.Errorf("%d different shingles have %d different hashes", len(want), got)
	}
}

// TestOneBit changes one bit of a word: half of the bits of its hash change on average, and
// never only a few.
func TestOneBit(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for n := 1; n <= 40; n++ {
		changed, least, times := 0, 64, 0
		for range 200 {
			word := make([]byte, n)
			for i := range word {
				word[i] = 'a' + byte(random.IntN(26))
			}
			h := hashWord(word)
			for bit := range 8 * n {
				word[bit/8] ^= 1 << (bit % 8)
				c := bits.OnesCount64(h ^ hashWord(word))
				word[bit/8] ^= 1 << (bit % 8)
				changed, least, times = changed+c, min(least, c), times+1
			}
		}
		if mean := float64(changed) / float64(times); mean < 30 || mean > 34 || least < 5 {
			t.Errorf("words of %d bytes: one bit changes %.1f bits of the hash, at least %d", n, mean, least)
		}
	}
}
