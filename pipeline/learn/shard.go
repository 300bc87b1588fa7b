package learn

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/winnow/winnow/pipeline/internal/cursor"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/schemas"
)

// A shard holds the candidates and locations that the phase scan keeps of one item:
//
//	magic  section section ... index trailer
//
// A section holds candidates of one kind and bucket, in the order of sites and ranks. A
// bucket may have several sections. The index has a line of 32 bytes per section, and
// the trailer gives the offset of the index. Numbers are big-endian. Sections and index
// have checksums (CRC-32C).
const (
	shardMagic = "winnow-scan-01\r\n"
	lineSize   = 32
	tailSize   = 8 + 4 + 4 + len(shardMagic)

	// Bounds on the memory that a shard may take in a reader.
	linesMax   = 1 << 20
	sectionMax = 1 << 30
)

// Kind is the kind of a candidate.
type Kind uint32

const (
	Samples   Kind = iota // for the sample of their site
	Locations             // of all HTML pages, for extractors that follow links
	Redirects             // within a site, for the same extractors
	kinds
)

// Bounds on the memory that a Shard takes before it writes sections. A candidate takes
// some 300 bytes.
const (
	bottomMax    = 1 << 17
	locationsMax = 32 << 20 // bytes in encoded form
)

// Shard writes the shard of one item.
type Shard struct {
	w      io.Writer
	bottom BottomK
	places [2][schemas.SiteBuckets][]byte // locations and redirects, encoded
	held   int                            // bytes in places
	lines  []line
	at     uint64
	rows   int64
	buf    []byte
}

// line is an entry of the index: the location of a section.
type line struct {
	kind   Kind
	bucket uint32
	offset uint64
	length uint64
	sum    uint32
	count  uint32
}

// NewShard returns a Shard that writes to w.
func NewShard(w io.Writer) *Shard { return &Shard{w: w} }

// Wants reports whether Add would keep c.
func (s *Shard) Wants(c *Candidate) bool { return s.bottom.Wants(c) }

// Add adds a candidate for the sample of its site. It keeps c itself and not a copy.
func (s *Shard) Add(c *Candidate) error {
	s.bottom.Add(c)
	if s.bottom.Len() < bottomMax {
		return nil
	}
	return s.flushBottom()
}

// Locate adds the location of a page, or a redirect.
func (s *Shard) Locate(kind Kind, c *Candidate) error {
	p := &s.places[kind-Locations][template.Bucket(c.Site)]
	before := len(*p)
	*p = appendCandidate(*p, kind, c)
	s.rows++
	if s.held += len(*p) - before; s.held < locationsMax {
		return nil
	}
	return s.flushPlaces()
}

// Empty reports whether nothing was added.
func (s *Shard) Empty() bool { return s.rows == 0 && s.bottom.Len() == 0 }

// Close writes the rest of the shard. It does not close the writer.
func (s *Shard) Close() error {
	if err := s.flushBottom(); err != nil {
		return err
	}
	if err := s.flushPlaces(); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	slices.SortFunc(s.lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.offset, b.offset))
	})
	b := s.buf[:0]
	for _, l := range s.lines {
		b = binary.BigEndian.AppendUint32(b, uint32(l.kind))
		b = binary.BigEndian.AppendUint32(b, l.bucket)
		b = binary.BigEndian.AppendUint64(b, l.offset)
		b = binary.BigEndian.AppendUint64(b, l.length)
		b = binary.BigEndian.AppendUint32(b, l.sum)
		b = binary.BigEndian.AppendUint32(b, l.count)
	}
	sum := cursor.Checksum(b)
	b = binary.BigEndian.AppendUint64(b, s.at)
	b = binary.BigEndian.AppendUint32(b, uint32(len(s.lines)))
	b = binary.BigEndian.AppendUint32(b, sum)
	b = append(b, shardMagic...)
	return s.write(b)
}

// Rows returns the number of candidates and locations written.
func (s *Shard) Rows() int64 { return s.rows }

func (s *Shard) begin() error {
	if s.at > 0 {
		return nil
	}
	return s.write([]byte(shardMagic))
}

func (s *Shard) write(b []byte) error {
	n, err := s.w.Write(b)
	s.at += uint64(n)
	return err
}

func (s *Shard) section(kind Kind, bucket int64, b []byte, count int) error {
	if err := s.begin(); err != nil {
		return err
	}
	s.lines = append(s.lines, line{kind, uint32(bucket), s.at, uint64(len(b)), cursor.Checksum(b), uint32(count)})
	return s.write(b)
}

// flushBottom writes all candidates and empties the sample. Later candidates are
// compared with each other only, so the shard may hold more candidates than needed, but
// never fewer.
func (s *Shard) flushBottom() error {
	type owned struct {
		bucket int64
		kept   []*Candidate
	}
	var all []owned
	for site, kept := range s.bottom.All() {
		all = append(all, owned{template.Bucket(site), kept})
	}
	slices.SortStableFunc(all, func(a, b owned) int { return cmp.Compare(a.bucket, b.bucket) })
	for len(all) > 0 {
		bucket, n := all[0].bucket, 0
		b := s.buf[:0]
		for ; len(all) > 0 && all[0].bucket == bucket; all = all[1:] {
			for _, c := range all[0].kept {
				b = appendCandidate(b, Samples, c)
				n++
			}
		}
		s.buf = b
		s.rows += int64(n)
		if err := s.section(Samples, bucket, b, n); err != nil {
			return err
		}
	}
	s.bottom.Reset()
	return nil
}

func (s *Shard) flushPlaces() error {
	for _, kind := range []Kind{Locations, Redirects} {
		places := &s.places[kind-Locations]
		for bucket, p := range places {
			places[bucket] = nil
			if len(p) == 0 {
				continue
			}
			if err := s.section(kind, int64(bucket), p, 0); err != nil {
				return err
			}
		}
	}
	s.held = 0
	return nil
}

// ShardReader holds the index of a shard. It does not hold a file open.
type ShardReader struct{ lines []line }

// ReadShard reads the part of the index that is about the buckets [from, to), from a
// shard of the given size.
func ReadShard(r io.ReaderAt, size, from, to int64) (*ShardReader, error) {
	if size < int64(len(shardMagic)+tailSize) {
		return nil, fmt.Errorf("learn: shard: %w: %d bytes", cursor.ErrMalformed, size)
	}
	tail, err := cursor.ReadFull(r, size-int64(tailSize), tailSize)
	if err != nil {
		return nil, fmt.Errorf("learn: shard: %w", err)
	}
	c := cursor.Cursor{Rest: tail}
	at, n, sum := c.Uint64(), c.Uint32(), c.Uint32()
	if string(c.Rest) != shardMagic || n > linesMax || at > uint64(size) || at+uint64(n)*lineSize != uint64(size)-uint64(tailSize) {
		return nil, fmt.Errorf("learn: shard: %w: it does not end like a shard", cursor.ErrMalformed)
	}
	index, err := cursor.ReadFull(r, int64(at), int(n)*lineSize)
	if err != nil {
		return nil, fmt.Errorf("learn: shard: %w", err)
	}
	if cursor.Checksum(index) != sum {
		return nil, fmt.Errorf("learn: shard: %w: the index is damaged", cursor.ErrMalformed)
	}
	s := new(ShardReader)
	c = cursor.Cursor{Rest: index}
	for i := range n {
		l := line{Kind(c.Uint32()), c.Uint32(), c.Uint64(), c.Uint64(), c.Uint32(), c.Uint32()}
		if l.kind >= kinds || l.bucket >= schemas.SiteBuckets || l.length > sectionMax || l.offset > at || l.offset+l.length > at {
			return nil, fmt.Errorf("learn: shard: %w: section %d of the index is not valid", cursor.ErrMalformed, i)
		}
		if from <= int64(l.bucket) && int64(l.bucket) < to {
			s.lines = append(s.lines, l)
		}
	}
	return s, nil
}

// Weigh adds the number of bytes that each bucket has of a kind to sizes.
func (s *ShardReader) Weigh(kind Kind, sizes []int64) {
	for i := range s.lines {
		if s.lines[i].kind == kind {
			sizes[s.lines[i].bucket] += int64(s.lines[i].length)
		}
	}
}

// Has reports whether the shard has anything in the buckets [from, to).
func (s *ShardReader) Has(from, to int64) bool {
	return slices.ContainsFunc(s.lines, func(l line) bool { return from <= int64(l.bucket) && int64(l.bucket) < to })
}

// Read calls f for every candidate of a kind in the buckets [from, to). r reads the
// shard.
func (s *ShardReader) Read(r io.ReaderAt, kind Kind, from, to int64, f func(*Candidate)) error {
	for _, l := range s.lines {
		if l.kind != kind || int64(l.bucket) < from || int64(l.bucket) >= to {
			continue
		}
		b, err := cursor.ReadFull(r, int64(l.offset), int(l.length))
		if err != nil {
			return fmt.Errorf("learn: shard: %w", err)
		}
		if cursor.Checksum(b) != l.sum {
			return fmt.Errorf("learn: shard: %w: bucket %d is damaged", cursor.ErrMalformed, l.bucket)
		}
		for c := (cursor.Cursor{Rest: b}); len(c.Rest) > 0; {
			into := new(Candidate)
			readCandidate(&c, kind, into)
			if c.Err == nil && template.Bucket(into.Site) != int64(l.bucket) {
				c.Fail("a site is in another bucket than its own")
			}
			if c.Err != nil {
				return fmt.Errorf("learn: shard: bucket %d: %w", l.bucket, c.Err)
			}
			f(into)
		}
	}
	return nil
}
