package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// A selection is the records of one file that an index chose. They are read as if they
// were a file that holds only them, one after the other. Like any other file, this one
// can be cut into items anywhere, each item begins where the one before stopped, and
// every byte is counted. This package translates addresses in the sequence into those of
// the real file before it returns a record.

// Reasons of failures that lines of an index cause.
const (
	reasonOutside = "index-outside"      // the file ends before the record does
	reasonOverlap = "index-overlap"      // the record overlaps another one that the index names
	reasonNothing = "index-nothing"      // no record begins where the index says
	reasonURL     = schemas.KindOtherURL // the record has another URL than the index says
)

// stageIndex is the stage of these failures.
const stageIndex = "index"

// Counts for an index other than its failures, in Summary.Defects and NotPages.
const (
	countRepeated = "index-repeated"    // lines that name the same record again
	countUnnamed  = schemas.KindUnnamed // records that were read but that the index does not name
)

// maxKept bounds the bytes of an index line that are kept.
const maxKept = 1 << 12

// maxWrong bounds the number of wrong lines for one file that are each reported as a
// failure. Further wrong lines are only counted.
const maxWrong = 1000

// selection lists the records of a file that are read.
type selection struct {
	offsets []int64  // positions of the records in the file, ascending
	starts  []int64  // positions in the sequence of all records; the one entry more than in offsets is the total size
	urls    []uint64 // hashes of URLs, 0 where none is known
	kept    []string // see indexLine.keep

	wrong    []wrongLine
	wrongAll [2]int64 // number of wrong lines by reason, including those in wrong
	repeated int64    // lines that name the same record again
}

// wrongLine is a line of an index that is wrong regardless of what the record holds.
type wrongLine struct {
	offset, length int64
	overlap        bool // if false, the record is outside of the file
}

func (w *wrongLine) reason() string {
	if w.overlap {
		return reasonOverlap
	}
	return reasonOutside
}

// begin empties the selection, so that it can be used for another file.
func (s *selection) begin() {
	*s = selection{offsets: s.offsets[:0], starts: append(s.starts[:0], 0), urls: s.urls[:0], kept: s.kept[:0], wrong: s.wrong[:0]}
}

// add adds the next record of a file of size bytes. Records are added in the order of
// their offsets.
func (s *selection) add(k pick, size int64) {
	n := len(s.offsets)
	w := wrongLine{offset: k.offset, length: k.length}
	switch {
	case k.length > size || k.offset > size-k.length:
	case n > 0 && s.offsets[n-1] == k.offset && s.length(n-1) == k.length && s.urls[n-1] == k.url:
		s.repeated++
		return
	case n > 0 && k.offset < s.end(n-1):
		w.overlap = true
	default:
		s.offsets, s.urls, s.kept = append(s.offsets, k.offset), append(s.urls, k.url), append(s.kept, k.kept)
		s.starts = append(s.starts, s.starts[n]+k.length)
		return
	}
	if w.overlap {
		s.wrongAll[1]++
	} else {
		s.wrongAll[0]++
	}
	if len(s.wrong) < maxWrong {
		s.wrong = append(s.wrong, w)
	}
}

// size returns the total bytes of all records.
func (s *selection) size() int64 { return s.starts[len(s.offsets)] }

// length returns the length of record i.
func (s *selection) length(i int) int64 { return s.starts[i+1] - s.starts[i] }

// end returns the offset in the file at which record i ends.
func (s *selection) end(i int) int64 { return s.offsets[i] + s.length(i) }

// from returns the first record that starts at or after an offset in the sequence.
func (s *selection) from(start int64) int {
	i, _ := slices.BinarySearch(s.starts[:len(s.offsets)], start)
	return i
}

// real returns the offset in the file that corresponds to an offset in the sequence.
func (s *selection) real(at int64) int64 {
	i := s.from(at+1) - 1
	if i < 0 {
		return at
	}
	return s.offsets[i] + at - s.starts[i]
}

// adjacent reports whether two records that follow each other in the sequence do so in
// the file.
func (s *selection) adjacent(before, at int64) bool {
	i := s.from(at)
	return i > 0 && i < len(s.offsets) && s.starts[i] == at && s.starts[i-1] <= before && s.end(i-1) == s.offsets[i]
}

// hashURL returns the hash by which a URL in an index is compared with that of the
// record. It ignores a slash after the host and the case of the host, because programs
// differ in both.
func hashURL(text string) uint64 {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "<"), ">")
	if text == "" {
		return 0
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		u.Scheme, u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Scheme), strings.ToLower(u.Host), "", ""
		if u.Path == "" {
			u.Path = "/"
		}
		text = u.String()
	}
	h := fnv.New64a()
	io.WriteString(h, text)
	return max(h.Sum64(), 1)
}

// append appends the encoded selection to b.
func (s *selection) append(b []byte) []byte {
	for _, n := range []int64{int64(len(s.offsets)), int64(len(s.wrong)), s.wrongAll[0], s.wrongAll[1], s.repeated} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	before := int64(0)
	for i, at := range s.offsets {
		b = binary.AppendUvarint(b, uint64(at-before))
		b = binary.AppendUvarint(b, uint64(s.length(i)))
		b = binary.LittleEndian.AppendUint64(b, s.urls[i])
		b = binary.AppendUvarint(b, uint64(len(s.kept[i])))
		b = append(b, s.kept[i]...)
		before = s.end(i)
	}
	for i := range s.wrong {
		w := &s.wrong[i]
		overlap := byte(0)
		if w.overlap {
			overlap = 1
		}
		b = binary.AppendUvarint(b, uint64(w.offset))
		b = binary.AppendUvarint(b, uint64(w.length))
		b = append(b, overlap)
	}
	return b
}

var errTable = errors.New("the table of selected records is damaged")

// decodeSelection reads what append wrote, for a file of size bytes.
func decodeSelection(data []byte, size int64) (*selection, error) {
	s := new(selection)
	s.begin()
	rest, bad := data, false
	next := func(most int64) int64 {
		v, n := binary.Uvarint(rest)
		if n <= 0 || most < 0 || v > uint64(most) {
			bad = true
			return 0
		}
		rest = rest[n:]
		return int64(v)
	}
	// A record takes eleven bytes of the table or more, a wrong line three.
	records, wrong := next(int64(len(data)/11)), next(min(maxWrong, int64(len(data)/3)))
	s.wrongAll[0], s.wrongAll[1], s.repeated = next(math.MaxInt64), next(math.MaxInt64), next(math.MaxInt64)
	s.offsets, s.urls, s.starts = slices.Grow(s.offsets, int(records)), slices.Grow(s.urls, int(records)), slices.Grow(s.starts, int(records))
	s.kept = slices.Grow(s.kept, int(records))
	for end := int64(0); records > 0 && !bad; records-- {
		at := end + next(size-end)
		length := next(size - at)
		if bad = bad || len(rest) < 8 || length == 0; bad {
			break
		}
		s.offsets, s.starts = append(s.offsets, at), append(s.starts, s.size()+length)
		s.urls = append(s.urls, binary.LittleEndian.Uint64(rest))
		rest, end = rest[8:], at+length
		n := next(min(maxKept, int64(len(rest)))) // its own length takes a byte of rest
		if bad = bad || int64(len(rest)) < n; bad {
			break
		}
		if last := len(s.kept) - 1; last >= 0 && s.kept[last] == string(rest[:n]) {
			s.kept = append(s.kept, s.kept[last])
		} else {
			s.kept = append(s.kept, string(rest[:n]))
		}
		rest = rest[n:]
	}
	for ; wrong > 0 && !bad; wrong-- {
		w := wrongLine{offset: next(math.MaxInt64), length: next(math.MaxInt64)}
		if bad = bad || len(rest) == 0; bad {
			break
		}
		w.overlap = rest[0] == 1
		s.wrong, rest = append(s.wrong, w), rest[1:]
	}
	if bad || len(rest) > 0 {
		return nil, errTable
	}
	return s, nil
}

// joined is the largest gap in a file between two records that one request fetches.
const joined = 256 << 10

// selected presents the sequence of the records in a selection as a file.
type selected struct {
	blob.Source
	sel    *selection
	format warc.Format // format of the whole file
	expect int64       // end of the part of the sequence that will be read
	asked  int64       // end of the range that was last announced to the file
}

var _ blob.Source = (*selected)(nil)

// Size implements blob.Source.
func (f *selected) Size() int64 { return f.sel.size() }

// Expect implements blob.Source.
func (f *selected) Expect(end int64) { f.expect, f.asked = min(end, f.Size()), 0 }

// ReadAt implements io.ReaderAt.
func (f *selected) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("read at negative offset %d", off)
	}
	for i := f.sel.from(off+1) - 1; n < len(p); i++ {
		if i < 0 || i >= len(f.sel.offsets) || off >= f.Size() {
			return n, io.EOF
		}
		skip := off - f.sel.starts[i]
		at, size := f.sel.offsets[i]+skip, f.sel.length(i)-skip
		f.announce(i, at)
		size = min(size, int64(len(p)-n))
		m, err := f.Source.ReadAt(p[n:n+int(size)], at)
		n, off = n+m, off+int64(m)
		if int64(m) < size {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
	}
	return n, nil
}

// announce tells the file how far it will be read from record i on without a large gap,
// so that records that lie close to each other are fetched by one request.
func (f *selected) announce(i int, at int64) {
	if at < f.asked {
		return
	}
	for ; i+1 < len(f.sel.offsets) && f.sel.starts[i+1] < f.expect && f.sel.offsets[i+1]-f.sel.end(i) <= joined; i++ {
	}
	f.asked = f.sel.end(i)
	f.Source.Expect(f.asked)
}
