package signature

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/winnow/winnow/algorithms/algotest"
)

// The twins follow the definitions in doc.go literally.

var twinWord = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]|[\p{L}\p{M}\p{N}]`)

func twinWords(text string) (words []string) {
	alone := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}
	inWord := false
	for _, r := range text {
		switch {
		case alone(r):
			words = append(words, string(r))
			inWord = false
		case !twinWord.MatchString(string(r)):
			inWord = false
		case inWord:
			words[len(words)-1] += string(unicode.ToLower(r))
		default:
			words = append(words, string(unicode.ToLower(r)))
			inWord = true
		}
	}
	return words
}

// twinHash hashes with numbers of any size.
func twinHash(word string) uint64 {
	number := func(digits string) *big.Int {
		n, ok := new(big.Int).SetString(digits, 16)
		if !ok {
			panic(digits)
		}
		return n
	}
	h := big.NewInt(int64(len(word)))
	for len(word) > 0 {
		var a, b big.Int // the bytes of a piece, the last one first
		for i := 7; i >= 0; i-- {
			for k, n := range []*big.Int{&a, &b} {
				c := byte(0)
				if 8*k+i < len(word) {
					c = word[8*k+i]
				}
				n.Add(n.Lsh(n, 8), big.NewInt(int64(c)))
			}
		}
		a.Xor(&a, number("243F6A8885A308D3")).Xor(&a, h)
		b.Xor(&b, number("C0AC29B7C97C50DD"))
		high, low := new(big.Int).DivMod(a.Mul(&a, &b), number("10000000000000000"), new(big.Int))
		h = high.Xor(high, low)
		word = word[min(16, len(word)):]
	}
	return h.Uint64()
}

func twinShingles(text string) (shingles []uint64) {
	words := twinWords(text)
	for i := 0; i < len(words) && (i == 0 || i+5 <= len(words)); i++ {
		sum := uint64(0)
		for _, w := range words[i:min(i+5, len(words))] {
			sum = sum*0x9E3779B97F4A7C15 + twinHash(w)
		}
		shingles = append(shingles, splitMix(sum))
	}
	return shingles
}

func twinSignature(text string) (sig Signature, ok bool) {
	shingles := twinShingles(text)
	if len(shingles) == 0 {
		return sig, false
	}
	sig.Shingles = len(shingles)
	// Algorithm 1 of Dahlgaard, Knudsen and Thorup: a value of a later round is larger than
	// all of earlier ones.
	type value struct {
		round int
		hash  uint32
	}
	var bins [128]value
	for i := range bins {
		bins[i] = value{256, math.MaxUint32}
	}
	for round := range 256 {
		for _, s := range shingles {
			h := s
			if round > 0 { // output number round of SplitMix64 with the seed s
				h = splitMix(s + uint64(round)*0x9E3779B97F4A7C15)
			}
			bin := h >> 57
			if round >= 128 {
				bin = uint64(round - 128)
			}
			v := value{round, uint32(h >> 25)}
			if old := bins[bin]; v.round < old.round || v.round == old.round && v.hash < old.hash {
				bins[bin] = v
			}
		}
	}
	for i := range sig.MinHash {
		sig.MinHash[i] = bins[i].hash
	}
	for bit := range 64 {
		sum := 0
		for _, s := range shingles {
			sum += 2*int(s>>bit&1) - 1
		}
		if sum > 0 {
			sig.SimHash |= 1 << bit
		}
	}
	return sig, true
}

func FuzzSign(f *testing.F) {
	for _, seed := range []string{"", " .", "a", "One two three", "a b c d e f G h", "日本語のテキスト and words ที่", "é\u0301 Ⅷ ½ İ ǅ x1", strings.Repeat("na ", 50)} {
		f.Add(seed)
	}
	var s Signer
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		got, ok := s.Sign([]byte(text))
		want, wantOK := twinSignature(text)
		if ok != wantOK || got != want {
			t.Errorf("%q: %v %+v, twin has %v %+v", text, ok, got, wantOK, want)
		}
	})
}

func TestTwinOnRealPages(t *testing.T) {
	var s Signer
	for _, p := range algotest.RealPages(t, 10, "cleaneval-final", "trafilatura-dev") {
		text := algotest.Pass(p.HTML).Body.Text
		got, ok := s.Sign(text)
		if want, wantOK := twinSignature(string(text)); ok != wantOK || got != want {
			t.Errorf("%s differs from its twin", p.Name)
		}
	}
}

// TestReference has a value of SplitMix64 that others published, and hashes and a signature
// that must not change, for they are compared with those of earlier runs.
func TestReference(t *testing.T) {
	// The first output of SplitMix64 for the seed 0.
	if got := splitMix(base); got != 0xE220A8397B1DCDAF {
		t.Errorf("SplitMix64 begins with %#x", got)
	}
	var s Signer
	sig, _ := s.Sign([]byte("The quick brown fox jumps over the lazy dog."))
	want := []uint64{0xc3d07d57, 0x34e4f73a, 0xd9641cb66f495a5b}
	if got := []uint64{uint64(sig.MinHash[0]), uint64(sig.MinHash[127]), sig.SimHash}; !slices.Equal(got, want) {
		t.Errorf("signature is %#x, want %#x", got, want)
	}
	again, _ := s.Sign([]byte("the QUICK, brown fox: jumps over\nthe lazy dog"))
	if again != sig {
		t.Error("case, punctuation and white space change the signature")
	}
	var back MinHash
	if !back.Read(sig.MinHash.Append(nil)) || back != sig.MinHash || back.Read(nil) {
		t.Error("a MinHash does not come back from its bytes")
	}
}

// TestWhereWordsEnd has words of all lengths end at all places of the blocks that a text is
// read in, with a letter, a character that is not a letter, or nothing after them.
func TestWhereWordsEnd(t *testing.T) {
	var s Signer
	for before := range 70 {
		for length := range 70 {
			for _, behind := range []string{"", " ", "é", "»", "日", " b"} {
				text := strings.Repeat("-", before) + strings.Repeat("aB3", 30)[:length] + behind
				got, ok := s.Sign([]byte(text))
				if want, wantOK := twinSignature(text); ok != wantOK || got != want {
					t.Fatalf("%q: %v %+v, twin has %v %+v", text, ok, got, wantOK, want)
				}
			}
		}
	}
}

// TestEstimate compares estimates with Jaccard similarities that are known.
func TestEstimate(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, similarity := range []float64{0, .2, .5, .8, .95, 1} {
		const shingles, pairs = 400, 60
		sum, squares := 0., 0.
		for range pairs {
			common := int(math.Round(2 * shingles * similarity / (1 + similarity)))
			a, b := make([]uint64, shingles), make([]uint64, shingles)
			for i := range a {
				a[i], b[i] = random.Uint64(), random.Uint64()
				if i < common {
					b[i] = a[i]
				}
			}
			exact := float64(common) / float64(2*shingles-common)
			x, _ := signatureOf(a)
			y, _ := signatureOf(b)
			e := x.MinHash.Jaccard(&y.MinHash) - exact
			sum += e
			squares += e * e
			if d := bits.OnesCount64(x.SimHash ^ y.SimHash); similarity == 1 && d != 0 || similarity == .95 && d > 20 || similarity == 0 && d < 10 {
				t.Errorf("similarity %v: SimHashes differ in %d bits", similarity, d)
			}
		}
		deviation := math.Sqrt(similarity * (1 - similarity) / Functions)
		if bias := sum / pairs; math.Abs(bias) > 4*deviation/math.Sqrt(pairs)+.001 {
			t.Errorf("similarity %v: bias %v", similarity, bias)
		}
		if rms := math.Sqrt(squares / pairs); rms > 1.5*deviation+.001 {
			t.Errorf("similarity %v: error %v, expected %v", similarity, rms, deviation)
		}
	}
}

func TestBands(t *testing.T) {
	for _, c := range []struct {
		threshold   float64
		bands, rows int
	}{{.8, 21, 6}, {.5, 42, 3}, {.9, 14, 9}, {1, 1, 128}, {.01, 128, 1}} {
		if got := BandsFor(c.threshold); got != (Bands{c.bands, c.rows}) {
			t.Errorf("bands for %v are %v", c.threshold, got)
		}
	}
	if p := BandsFor(.8).Found(.8); p < .998 || p > .9985 {
		t.Errorf("a pair of similarity .8 is found with probability %v", p)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	var s Signer
	text := []byte(strings.Repeat("It was said that the cat and Überhund 日本 met. ", 300))
	if n := testing.AllocsPerRun(5, func() { s.Sign(text) }); n > 0 {
		t.Errorf("%v allocations a text", n)
	}
}

// BenchmarkSign signs the texts of real pages; bytes are those of the texts.
func BenchmarkSign(b *testing.B) {
	var texts [][]byte
	var size int64
	for _, p := range algotest.RealPages(b, 3, "cleaneval-final", "readability") {
		text := slices.Clone(algotest.Pass(p.HTML).Body.Text)
		texts, size = append(texts, text), size+int64(len(text))
	}
	var s Signer
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			s.Sign(text)
		}
	}
}
