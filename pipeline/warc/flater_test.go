package warc

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	klauspost "github.com/klauspost/compress/flate"
)

func deflated(content string, level int) []byte {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, level)
	if err != nil {
		panic(err)
	}
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

// TestEmptyStream checks that another decoder also decodes emptyStream as an empty stream.
func TestEmptyStream(t *testing.T) {
	b, err := io.ReadAll(flate.NewReader(bytes.NewReader([]byte(emptyStream))))
	if len(b) != 0 || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

// TestStaleTables checks that a stream whose block declares no tables is refused,
// whatever was decoded before. The decoder alone would continue with its old tables.
func TestStaleTables(t *testing.T) {
	// Final block, dynamic, 257+1 codes, 4 code length codes, all of length 0.
	bad := append([]byte{0x05, 0x00, 0x00, 0x00}, make([]byte, 100)...)
	decode := func(f *flater, b []byte) (string, error) {
		src := bytes.NewReader(b)
		f.reset(src)
		out, err := io.ReadAll(f.r)
		return string(out), err
	}
	var fresh flater
	want, wantErr := decode(&fresh, bad)
	rng := rand.New(rand.NewPCG(3, 3))
	var used flater
	for range 50 {
		text := make([]byte, 500)
		for i := range text {
			text[i] = "aabcdefg <>\n"[rng.IntN(12)]
		}
		if got, err := decode(&used, deflated(string(text), 6)); got != string(text) || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
		got, err := decode(&used, bad)
		if got != want || err == nil || err.Error() != wantErr.Error() {
			t.Fatalf("%d bytes, %v; want %d bytes, %v", len(got), err, len(want), wantErr)
		}
	}
}

// FuzzFlater checks that a decoder that was used before gives the same as a new one.
func FuzzFlater(f *testing.F) {
	for _, level := range []int{0, 1, 6, flate.HuffmanOnly} {
		f.Add(deflated(mixedRecords()[3], level), deflated("text text text", level))
	}
	f.Add([]byte{0x05, 0, 0, 0, 0, 0, 0, 0}, deflated(mixedRecords()[0], 6))
	f.Fuzz(func(t *testing.T, stream, before []byte) {
		var one, two flater
		decode := func(f *flater, b []byte) ([]byte, string) {
			f.reset(bytes.NewReader(b))
			out, err := io.ReadAll(io.LimitReader(f.r, 1<<20))
			if err != nil {
				return out, err.Error()
			}
			return out, ""
		}
		decode(&two, before)
		a, aErr := decode(&one, stream)
		b, bErr := decode(&two, stream)
		if !slices.Equal(a, b) || aErr != bErr {
			t.Fatalf("new: %d bytes, %s; used: %d bytes, %s", len(a), aErr, len(b), bErr)
		}
		// An undamaged stream is decoded in the same way as by the decoder alone.
		c, err := io.ReadAll(io.LimitReader(klauspost.NewReader(bytes.NewReader(stream)), 1<<20))
		if err == nil && !slices.Equal(a, c) {
			t.Fatal("differs from the decoder alone")
		}
	})
}
