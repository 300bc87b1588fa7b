package template

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	"github.com/winnow/winnow/pipeline/internal/cursor"
)

// A part is a file of bundles, in the order of their sites.
//
//	magic  bundle bundle ... index trailer
//
// The index has a line of 36 bytes per bundle: hash of the site, offset, length, and
// the digest of the bundle; ordered by hash. It has a checksum, and so has each
// bundle.
const (
	partMagic    = "winnow-part-02\r\n"
	partLine     = 20 + len(Digest{})
	partTail     = 8 + 4 + 4 + len(partMagic)
	partLinesMax = 16 << 20
)

// Digest is the first half of the SHA-256 of an encoded bundle.
type Digest [16]byte

// DigestOf returns the digest of an encoded bundle.
func DigestOf(bundle []byte) Digest {
	sum := sha256.Sum256(bundle)
	return Digest(sum[:16])
}

type partEntry struct {
	hash   uint64
	offset uint64
	length uint32
	digest Digest
}

// Part writes bundles to a file.
type Part struct {
	w       io.Writer
	at      uint64
	entries []partEntry
}

// NewPart begins a part on w.
func NewPart(w io.Writer) (*Part, error) {
	p := &Part{w: w}
	return p, p.write([]byte(partMagic))
}

func (p *Part) write(b []byte) error {
	n, err := p.w.Write(b)
	p.at += uint64(n)
	return err
}

// Add writes the encoded bundle of a site.
func (p *Part) Add(site string, bundle []byte) error {
	p.entries = append(p.entries, partEntry{xxhash.Sum64String(site), p.at, uint32(len(bundle)), DigestOf(bundle)})
	return p.write(bundle)
}

// Sites returns the number of bundles.
func (p *Part) Sites() int64 { return int64(len(p.entries)) }

// Close writes the index. It does not close the writer.
func (p *Part) Close() error {
	slices.SortFunc(p.entries, func(a, b partEntry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.offset, b.offset))
	})
	b := make([]byte, 0, len(p.entries)*partLine+partTail)
	for _, e := range p.entries {
		b = binary.BigEndian.AppendUint64(b, e.hash)
		b = binary.BigEndian.AppendUint64(b, e.offset)
		b = binary.BigEndian.AppendUint32(b, e.length)
		b = append(b, e.digest[:]...)
	}
	sum := cursor.Checksum(b)
	b = binary.BigEndian.AppendUint64(b, p.at)
	b = binary.BigEndian.AppendUint32(b, uint32(len(p.entries)))
	b = binary.BigEndian.AppendUint32(b, sum)
	return p.write(append(b, partMagic...))
}

// PartReader looks bundles up in a part.
type PartReader struct {
	r       io.ReaderAt
	entries []partEntry
}

// ReadPart opens a part that has size bytes. It reads only the index.
func ReadPart(r io.ReaderAt, size int64) (*PartReader, error) {
	if size < int64(len(partMagic)+partTail) {
		return nil, fmt.Errorf("template: part: %w: %d bytes", cursor.ErrMalformed, size)
	}
	tail, err := cursor.ReadFull(r, size-int64(partTail), partTail)
	if err != nil {
		return nil, fmt.Errorf("template: part: %w", err)
	}
	c := cursor.Cursor{Rest: tail}
	at, n, sum := c.Uint64(), c.Uint32(), c.Uint32()
	if string(c.Rest) != partMagic || n > partLinesMax || at > uint64(size) || at+uint64(n)*uint64(partLine) != uint64(size)-uint64(partTail) {
		return nil, fmt.Errorf("template: part: %w: it does not end like a part", cursor.ErrMalformed)
	}
	index, err := cursor.ReadFull(r, int64(at), int(n)*partLine)
	if err != nil {
		return nil, fmt.Errorf("template: part: %w", err)
	}
	if cursor.Checksum(index) != sum {
		return nil, fmt.Errorf("template: part: %w: the index is damaged", cursor.ErrMalformed)
	}
	p := &PartReader{r: r, entries: make([]partEntry, n)}
	c = cursor.Cursor{Rest: index}
	for i := range p.entries {
		e := partEntry{hash: c.Uint64(), offset: c.Uint64(), length: c.Uint32()}
		c.Rest = c.Rest[copy(e.digest[:], c.Rest):]
		if e.offset > at || e.offset+uint64(e.length) > at || e.length > bundleMax || i > 0 && e.hash < p.entries[i-1].hash {
			return nil, fmt.Errorf("template: part: %w: line %d of the index is not valid", cursor.ErrMalformed, i)
		}
		p.entries[i] = e
	}
	return p, nil
}

// Has reports whether there may be a bundle of a site. If it returns false there is none.
func (p *PartReader) Has(site string) bool {
	_, found := slices.BinarySearchFunc(p.entries, xxhash.Sum64String(site), func(e partEntry, h uint64) int { return cmp.Compare(e.hash, h) })
	return found
}

// Holds reports whether an encoded bundle equals the bundle of a site in this part. It
// verifies a copy from a place where other programs can write.
func (p *PartReader) Holds(site string, bundle []byte) bool {
	hash, digest := xxhash.Sum64String(site), DigestOf(bundle)
	i, _ := slices.BinarySearchFunc(p.entries, hash, func(e partEntry, h uint64) int { return cmp.Compare(e.hash, h) })
	for ; i < len(p.entries) && p.entries[i].hash == hash; i++ {
		if p.entries[i].digest == digest {
			return true
		}
	}
	return false
}

// Size returns the size of the index in memory, in bytes.
func (p *PartReader) Size() int64 { return int64(cap(p.entries)) * int64(unsafe.Sizeof(partEntry{})) }

// Bundle returns the encoded bundle of a site, nil if there is none.
func (p *PartReader) Bundle(site string) ([]byte, error) {
	hash := xxhash.Sum64String(site)
	i, _ := slices.BinarySearchFunc(p.entries, hash, func(e partEntry, h uint64) int { return cmp.Compare(e.hash, h) })
	for ; i < len(p.entries) && p.entries[i].hash == hash; i++ {
		data, b, err := p.read(p.entries[i])
		if err != nil {
			return nil, err
		}
		if b.Site == site { // otherwise it is another site with the same hash
			return data, nil
		}
	}
	return nil, nil
}

// All yields the bundles, in the order of the hashes of their sites.
func (p *PartReader) All() iter.Seq2[*Bundle, error] {
	return func(yield func(*Bundle, error) bool) {
		for _, e := range p.entries {
			_, b, err := p.read(e)
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

func (p *PartReader) read(e partEntry) ([]byte, *Bundle, error) {
	data, err := cursor.ReadFull(p.r, int64(e.offset), int(e.length))
	if err != nil {
		return nil, nil, fmt.Errorf("template: part: %w", err)
	}
	b, err := DecodeBundle(data)
	return data, b, err
}
