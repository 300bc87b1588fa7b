package modelfile

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

var kind = Kind{Magic: "TEST", Format: 3, Features: "a b c", Weights: 3}

func TestDecode(t *testing.T) {
	weights := []float32{1, -2.5, 0}
	file := kind.Encode(7, weights)
	if got, err := kind.Decode(file); err != nil || !slices.Equal(got, weights) {
		t.Fatalf("%v, %v", got, err)
	}
	f := func(name, want string, change func(*Kind, []byte) []byte) {
		t.Helper()
		k := kind
		b := change(&k, bytes.Clone(file))
		if _, err := k.Decode(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
	// summed sets the correct checksum of a changed file.
	summed := func(b []byte) []byte {
		b = b[:len(b)-tail]
		return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
	}
	f("empty", "not a file of kind", func(_ *Kind, b []byte) []byte { return nil })
	f("another magic", "not a file of kind", func(k *Kind, b []byte) []byte { k.Magic = "ELSE"; return b })
	f("another format", "its format is 3, this program reads 4", func(k *Kind, b []byte) []byte { k.Format = 4; return b })
	f("other features", "other features", func(k *Kind, b []byte) []byte { k.Features = "a c b"; return b })
	f("damaged", "damaged", func(_ *Kind, b []byte) []byte { b[head] ^= 1; return b })
	f("cut", "damaged", func(_ *Kind, b []byte) []byte { return b[:len(b)-1] })
	f("fewer weights than wanted", "3 weights", func(k *Kind, b []byte) []byte { k.Weights = 4; return b })
	f("a count that is not so", "4294967295 weights", func(_ *Kind, b []byte) []byte {
		binary.LittleEndian.PutUint32(b[24:], math.MaxUint32)
		return summed(b)
	})
	f("not a number", "weight 1 is NaN", func(_ *Kind, b []byte) []byte {
		binary.LittleEndian.PutUint32(b[head+4:], math.Float32bits(float32(math.NaN())))
		return summed(b)
	})
}

// FuzzDecode decodes any file after correcting its checksum: Decode must refuse it, or
// Encode must give the same file for the weights.
func FuzzDecode(f *testing.F) {
	f.Add(kind.Encode(7, []float32{1, 2, 3}))
	f.Add(kind.Encode(7, nil))
	f.Add([]byte("TEST"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= tail {
			file = file[:len(file)-tail]
			file = binary.LittleEndian.AppendUint64(file[:len(file):len(file)], xxhash.Sum64(file))
		}
		weights, err := kind.Decode(file)
		if err == nil && !bytes.Equal(kind.Encode(binary.LittleEndian.Uint64(file[16:]), weights), file) {
			t.Errorf("%x is read, but not written like that", file)
		}
	})
}
