// Package modelfile is the file that the weights of a learned extractor are kept
// in: a header that says what they belong to, the numbers, and a checksum.
//
//	magic [4]byte  format u32  features u64  data u64  count u32  weights count×f32  sum u64
//
// All numbers are little-endian. features identifies the extractor's features and
// their order: weights of others would give wrong answers, so Decode refuses them.
// data is a checksum of the pages that were trained on.
//
// This package is internal to Winnow and may change in any release.
package modelfile

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"
)

// Kind says what kind of file a reader expects.
type Kind struct {
	Magic    string // four bytes
	Format   uint32
	Features string // names of the features in their order
	Weights  int    // their number
}

const head, tail = 28, 8

// FeatureHash identifies the names of the features and their order.
func (k Kind) FeatureHash() uint64 { return xxhash.Sum64String(k.Features) }

// Encode returns the file of k.Weights weights.
func (k Kind) Encode(data uint64, weights []float32) []byte {
	b := []byte(k.Magic)
	b = binary.LittleEndian.AppendUint32(b, k.Format)
	b = binary.LittleEndian.AppendUint64(b, k.FeatureHash())
	b = binary.LittleEndian.AppendUint64(b, data)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(weights)))
	for _, w := range weights {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
	}
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// Decode returns the weights of a file that Encode made. A file of another kind,
// format or list of features is an error, and so is one with a weight that is not
// a finite number.
func (k Kind) Decode(file []byte) ([]float32, error) {
	if len(file) < head+tail || string(file[:4]) != k.Magic {
		return nil, fmt.Errorf("read model: it is not a file of kind %s", k.Magic)
	}
	if f := binary.LittleEndian.Uint32(file[4:]); f != k.Format {
		return nil, fmt.Errorf("read model: its format is %d, this program reads %d; train it again", f, k.Format)
	}
	body := file[:len(file)-tail]
	if xxhash.Sum64(body) != binary.LittleEndian.Uint64(file[len(body):]) {
		return nil, fmt.Errorf("read model: its checksum is wrong: the file is damaged")
	}
	if have, want := binary.LittleEndian.Uint64(file[8:]), k.FeatureHash(); have != want {
		return nil, fmt.Errorf("read model: it was trained on other features (%016x) than this program has (%016x); train it again", have, want)
	}
	n := binary.LittleEndian.Uint32(file[24:])
	if int64(n) != int64(k.Weights) || int64(len(body)-head) != 4*int64(n) {
		return nil, fmt.Errorf("read model: it has %d weights in %d bytes, want %d weights", n, len(body)-head, k.Weights)
	}
	weights := make([]float32, n)
	for i := range weights {
		w := math.Float32frombits(binary.LittleEndian.Uint32(body[head+4*i:]))
		if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
			return nil, fmt.Errorf("read model: weight %d is %v", i, w)
		}
		weights[i] = w
	}
	return weights, nil
}
