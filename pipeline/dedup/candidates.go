package dedup

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"

	"github.com/winnow/winnow/pipeline/extsort"
)

// crowd is the number of preceding texts in a band with which a text is compared.
const crowd = 64

// margin is how far below the threshold the estimate of a pair may be for the pair to be
// compared exactly: four standard errors of an estimate of .8.
const margin = .15

// joinIdentical joins texts whose signatures are equal, so that the bands hold only one
// of each. A mirrored page in a thousand copies would crowd its bands.
func (f *finder) joinIdentical(ctx context.Context) error {
	f.pairs = newSorter(f.dir)
	var first, next signed
	key, n := uint64(0), int64(0)
	for e, err := range f.identical.Sorted(ctx) {
		if err != nil {
			return err
		}
		if err := f.report(ctx, "identical", n); err != nil {
			return err
		}
		if n++; n == 1 || e.key != key {
			key = e.key
			first.text, first.extractor = uint32(e.value), 0 // its signature is read when it is needed
			continue
		}
		if first.extractor == 0 {
			if err := f.load(&first, first.text); err != nil {
				return err
			}
		}
		if err := f.load(&next, uint32(e.value)); err != nil {
			return err
		}
		if next.extractor != first.extractor || next.hash != first.hash {
			continue // the hashes of different signatures collide
		}
		f.Identical++
		f.cluster.join(first.text, next.text)
	}
	f.identical.Close()
	return nil
}

// joinCandidates compares texts that share a band, and joins those that are similar.
func (f *finder) joinCandidates(ctx context.Context) error {
	bands := newSorter(f.dir)
	defer bands.Close()
	if err := f.fillBands(ctx, bands); err != nil {
		return err
	}
	near := f.Threshold
	if f.Exact {
		near -= margin
	}
	var ring [crowd]signed
	key, members, n := uint64(0), 0, int64(0)
	var first uint32
	for e, err := range bands.Sorted(ctx) {
		if err != nil {
			return err
		}
		if err := f.report(ctx, "compare", n/int64(f.bands.Bands)); err != nil {
			return err
		}
		text := uint32(e.value)
		if n++; n == 1 || e.key != key {
			key, members, first = e.key, 1, text
			continue
		}
		if members == 1 {
			if err := f.load(&ring[0], first); err != nil {
				return err
			}
		}
		var this signed
		if err := f.load(&this, text); err != nil {
			return err
		}
		f.LeftOut += int64(max(0, members-crowd))
		for i := range ring[:min(members, crowd)] {
			other := &ring[i]
			if other.extractor != this.extractor || f.cluster.find(other.text) == f.cluster.find(text) {
				continue
			}
			f.Candidates++
			switch {
			case other.hash.Jaccard(&this.hash) < near:
			case f.Exact:
				if err := f.pairs.Add(&entry{uint64(min(other.text, text)), uint64(max(other.text, text))}); err != nil {
					return err
				}
			default:
				f.cluster.join(other.text, text)
			}
		}
		ring[members%crowd] = this
		members++
	}
	return nil
}

// fillBands adds an entry for each band of each text that is the first of its signature.
func (f *finder) fillBands(ctx context.Context, to *extsort.Sorter[entry]) error {
	r := bufio.NewReaderSize(io.NewSectionReader(f.signatures.file, 0, f.signatures.size), spoolBuffer)
	var b [recordSize]byte
	var s signed
	for text := range f.Texts {
		if err := f.report(ctx, "bands", text); err != nil {
			return err
		}
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return err
		}
		if s.extractor = binary.LittleEndian.Uint32(b[:]); s.extractor == 0 || f.cluster.find(uint32(text)) != uint32(text) {
			continue
		}
		s.hash.Read(b[4:])
		for band := range f.bands.Bands {
			if err := to.Add(&entry{f.bands.Key(&s.hash, band), uint64(text)}); err != nil {
				return err
			}
		}
	}
	return nil
}
