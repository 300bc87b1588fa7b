package dedup

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"

	"github.com/winnow/winnow/algorithms/fact/signature"
)

// compareShingles compares the pairs that joinCandidates stored, if Exact is set. Texts of
// the same signature have been joined: that 128 smallest values agree while the sets
// differ is possible, but only where their similarity is near 1.
func (f *finder) compareShingles(ctx context.Context, texts func() iter.Seq2[*Text, error]) error {
	if !f.Exact {
		return nil
	}
	if err := f.storeSets(ctx, texts()); err != nil {
		return err
	}
	var a, b []uint64
	var last entry
	n, read := int64(0), int64(-1)
	for pair, err := range f.pairs.Sorted(ctx) {
		if err != nil {
			return err
		}
		if err := f.report(ctx, "exact", n); err != nil {
			return err
		}
		if n++; n > 1 && *pair == last {
			continue // the pair shares several bands
		}
		last = *pair
		x, y := uint32(pair.key), uint32(pair.value)
		if f.cluster.find(x) == f.cluster.find(y) {
			continue
		}
		if read != int64(x) {
			if a, err = f.set(a[:0], x); err != nil {
				return err
			}
			read = int64(x)
		}
		if b, err = f.set(b[:0], y); err != nil {
			return err
		}
		if jaccard(a, b) >= f.Threshold {
			f.cluster.join(x, y)
		}
	}
	return nil
}

// storeSets stores the shingles of all texts that are in a cluster or in a pair.
func (f *finder) storeSets(ctx context.Context, texts iter.Seq2[*Text, error]) (err error) {
	f.setAt = slices.Repeat([]int64{-1}, int(f.Texts))
	const wanted = -2
	for e, err := range f.pairs.Sorted(ctx) {
		if err != nil {
			return err
		}
		f.setAt[e.key], f.setAt[e.value] = wanted, wanted
	}
	for text := range uint32(f.Texts) {
		if first := f.cluster.find(text); first != text {
			f.setAt[first], f.setAt[text] = wanted, wanted
		}
	}
	if f.sets, err = newSpool(f.dir); err != nil {
		return err
	}
	var signer signature.Signer
	var content, stored []byte
	var shingles []uint64
	n := int64(0)
	for t, err := range texts {
		if err != nil {
			return err
		}
		if err := f.report(ctx, "shingles", n); err != nil {
			return err
		}
		if n == f.Texts {
			return errChanged
		}
		if n++; f.setAt[n-1] != wanted {
			continue
		}
		content = append(content[:0], t.Content...)
		shingles = signer.AppendShingles(shingles[:0], content)
		slices.Sort(shingles)
		shingles = slices.Compact(shingles)
		stored = binary.LittleEndian.AppendUint64(stored[:0], uint64(len(shingles)))
		for _, s := range shingles {
			stored = binary.LittleEndian.AppendUint64(stored, s)
		}
		f.setAt[n-1] = f.sets.size
		if err := f.sets.write(stored); err != nil {
			return err
		}
	}
	if n != f.Texts {
		return errChanged
	}
	return f.sets.flush()
}

var errChanged = errors.New("the texts are not those that were read before: is a run still going on?")

// set appends the shingles of a text to dst, in ascending order.
func (f *finder) set(dst []uint64, text uint32) ([]uint64, error) {
	at := f.setAt[text]
	var head [8]byte
	if err := f.sets.readAt(head[:], at); err != nil {
		return nil, err
	}
	b := make([]byte, 8*binary.LittleEndian.Uint64(head[:]))
	if err := f.sets.readAt(b, at+8); err != nil {
		return nil, err
	}
	for ; len(b) > 0; b = b[8:] {
		dst = append(dst, binary.LittleEndian.Uint64(b))
	}
	return dst, nil
}

// jaccard is the similarity of two ascending sets.
func jaccard(a, b []uint64) float64 {
	common, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			common++
			i++
			j++
		}
	}
	if union := len(a) + len(b) - common; union > 0 {
		return float64(common) / float64(union)
	}
	return 0
}
