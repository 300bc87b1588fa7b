package warc

import (
	"bytes"
	"fmt"
)

// framer cuts the content of a stream into records.
type framer struct {
	s   *stream
	w   *walker
	led *ledger
	opt *Options

	// arrive is called with the offset of every plain record at which a step may
	// begin; if it returns false, the framer stops there.
	arrive func(offset int64) bool

	hdr  Header
	held []byte // the block, if it is too large to stay in the stream's buffer
	ends int    // how many bytes of line ends the block taken so far ends with

	begun     bool // a record of this segment was framed
	arrived   bool // arrive was asked about the current position
	distrust  bool // a Content-Length of this step was wrong: a large block ends at the first header
	uneven    bool // a record of this step does not fill its units
	last      Address
	lastFlags Flags
	rec       framed
}

// framed is the record that was framed last.
type framed struct {
	Address
	typ    string
	wanted bool
	block  []byte // valid until the framer moves on
	size   int64
	flags  Flags
	ahead  int // bytes of the block still in the stream's buffer

	start int64     // content position of the first line
	first unitStart // the unit in which the first line lies
}

// outcome is the way in which an attempt to frame a record ended.
type outcome uint8

const (
	gotRecord outcome = iota
	segmentEnded
	stopped // arrive returned false, or the source could not be read
)

// begin starts a step at an offset of the file.
func (f *framer) begin(at int64) {
	f.distrust, f.uneven = false, false
	f.w.begin(at)
}

// enter begins a segment.
func (f *framer) enter() { f.begun, f.arrived = false, false }

// next frames the next record of the segment. Records that are not wanted are
// framed without their block.
func (f *framer) next() outcome {
	f.release()
	if !f.begun {
		f.leading()
	} else if !f.arrived {
		f.trailer()
	}
	for {
		b := f.loadFirstLine()
		if f.s.err != nil {
			return stopped
		}
		if len(b) == 0 {
			f.leaveSegment()
			return segmentEnded
		}
		if f.s.plain() && f.begun && !f.arrived {
			if ok, out := f.plainBoundary(); !ok {
				if out == stopped {
					return out
				}
				continue
			}
		}
		f.begun, f.arrived = true, false
		if n, ok := f.firstLine(); ok {
			f.record(n)
			if f.s.err != nil {
				return stopped
			}
			return gotRecord
		}
		f.skipToHeader()
	}
}

// leaveSegment counts the remaining bytes of a plain unit.
func (f *framer) leaveSegment() {
	if pos := f.s.pos(); f.s.plain() {
		f.led.bytes(f.s.unitAt(pos).file(pos), false)
	}
}

// release consumes the rest of the previous record's block.
func (f *framer) release() {
	f.s.advance(f.rec.ahead)
	f.rec = framed{}
	if cap(f.held) > 8<<20 {
		f.held = nil // the buffer of a very large block is not kept
	}
}

// leading skips a byte order mark and line ends before the first record.
func (f *framer) leading() {
	n := 0
	if bytes.Equal(f.s.load(len(bom)), bom) {
		f.s.advance(len(bom))
		n = len(bom)
	}
	if _, k := f.eol(); n+k > 0 && len(f.s.starts) > 0 && f.s.starts[0].offset == 0 {
		f.led.defect(LeadingBytes, 0, 0, nil, fmt.Sprintf("%d bytes", n+k))
	}
}

// trailer skips the line ends after a record.
func (f *framer) trailer() {
	lines, _ := f.eol()
	ended := len(f.s.ahead()) == 0
	const guessed = FlagLength | FlagTruncated | FlagHeaderCut | FlagHeaderTooBig | FlagUnverified
	if f.s.syntax().separates(lines) || f.lastFlags&guessed != 0 || ended && f.s.pending == nil && f.w.in.offset() >= f.w.in.size {
		return // a regular separator, or the end of the file
	}
	f.led.defect(TrailerOdd, f.last.Offset, 0, &f.last, fmt.Sprintf("%d line ends", lines))
}

// eol skips a run of line ends. It returns how many there are and how many bytes they
// have.
func (f *framer) eol() (lines, size int) {
	for {
		b := f.s.some()
		n := 0
		for n < len(b) && isEOL(b[n]) {
			if b[n] == '\n' {
				lines++
			}
			n++
		}
		f.s.advance(n)
		size += n
		if n == 0 || n < len(b) {
			return lines, size
		}
	}
}

// plainBoundary decides what follows a plain record: the next one, a gzip member, or a
// gap, which it skips. ok reports whether a record may be framed at the position.
func (f *framer) plainBoundary() (ok bool, out outcome) {
	pos := f.s.pos()
	at := f.s.unitAt(pos).file(pos)
	if f.plausibleAt(pos) {
		f.led.bytes(at, false)
		f.arrived = true
		if at >= f.w.extent && !f.arrive(at) {
			return false, stopped
		}
		return true, gotRecord
	}
	if f.s.memberAt(pos) {
		f.led.bytes(at, false)
		f.s.leave()
		return false, segmentEnded
	}
	f.led.bytes(at, false)
	to := f.w.in.size - at + pos
	next := f.behindScrap(pos)
	if next < 0 {
		if next, _ = f.s.search(pos, to); next < 0 {
			next = to
		}
	}
	if f.s.err != nil {
		return false, stopped
	}
	if size := next - pos; f.led.counted < at+size {
		f.led.bytes(at+size, true)
		f.led.defect(Gap, at, size, nil, "")
	}
	f.s.jump(next)
	return false, segmentEnded
}

// maxScrap is how many bytes a damaged separator between two records may have. The
// record after it is found although it does not begin at the start of a line.
const maxScrap = 4

// behindScrap returns the position of the next plausible header if only zero bytes and
// line ends, or a few bytes of any kind, precede it, and -1 otherwise. A header after
// such a damaged separator is not at the start of a line, so a search does not find it.
func (f *framer) behindScrap(pos int64) int64 {
	skip := int(pos - f.s.pos())
	b := f.s.load(skip + maxTrailer)
	b = b[min(skip, len(b)):]
	zeros := 0
	for zeros < len(b) && (b[zeros] == 0 || isEOL(b[zeros])) {
		zeros++
	}
	for _, n := range [...]int{zeros, 1, 2, 3, maxScrap} {
		if n > 0 && n < len(b) && f.s.syntax().mayBegin(b[n]) && f.plausibleAt(pos+int64(n)) {
			return pos + int64(n)
		}
	}
	return -1
}

// loadFirstLine loads as much content as the first line of a record can take, and
// returns it.
func (f *framer) loadFirstLine() []byte {
	for n := maxVersionLine; ; n *= 4 {
		b := f.s.load(n)
		if len(b) < n || n >= f.s.syntax().maxFirstLine() {
			return b
		}
		if _, a := f.s.syntax().firstLine(b); a != more {
			return b
		}
	}
}

// firstLine returns the length of the line that begins a record at the position. At the
// end of the segment the line end may be missing.
func (f *framer) firstLine() (int, bool) {
	b := f.loadFirstLine()
	n, a := f.s.syntax().firstLine(b)
	if a == more {
		if _, a = f.s.syntax().firstLine(append(b[:len(b):len(b)], '\n')); a == yes {
			n = len(b)
		}
	}
	return n, a == yes
}

// skipToHeader skips content that belongs to no record, up to the next plausible header.
func (f *framer) skipToHeader() {
	from := f.s.pos()
	m := *f.s.unitAt(from)
	if next := f.behindScrap(from); next >= 0 {
		f.s.advance(int(next - from))
	} else {
		f.until(0, -1)
		f.rec = framed{}
	}
	if m.plain {
		at, to := m.file(from), m.file(f.s.pos())
		if f.led.counted < to {
			f.led.bytes(to, true)
			f.led.defect(Gap, at, to-at, nil, "")
		}
		return
	}
	f.led.defect(Gap, m.offset, 0, nil, fmt.Sprintf("%d bytes of content", f.s.pos()-from))
}

// plausibleAt reports whether a plausible header begins at a content position ahead.
func (f *framer) plausibleAt(pos int64) bool {
	skip := int(pos - f.s.pos())
	for n := 512; ; n *= 4 {
		b := f.s.load(skip + n)
		if len(b) <= skip {
			return false
		}
		switch f.s.syntax().plausible(b[skip:], false) {
		case yes:
			return true
		case no:
			return false
		}
		if len(b) < skip+n || n > f.opt.MaxHeader {
			return false
		}
	}
}

// record frames the record whose first line, of n bytes, begins at the position.
func (f *framer) record(n int) {
	r := &f.rec
	r.start = f.s.pos()
	m := f.s.unitAt(r.start)
	r.first = *m
	if m.plain {
		r.Offset = m.file(r.start)
	} else {
		r.Offset, r.Ordinal = m.offset, m.records
		m.records++
	}
	if m.inner {
		r.flags |= FlagAfterResync
	}
	body := n
	if f.s.syntax() == syntaxARC {
		f.hdr.parseARC(bytes.TrimRight(f.s.load(n), "\r\n"))
	} else {
		f.version(f.s.load(n))
		body = f.header(n)
	}
	f.noteHeader()
	r.typ = f.hdr.Type()
	r.wanted = f.opt.Want == nil || f.opt.Want(&f.hdr)
	f.s.advance(body)
	switch {
	case r.flags&FlagHeaderCut != 0:
	case r.flags&FlagHeaderTooBig != 0:
		if f.restOfHeader() {
			f.block(0)
			r.block = nil
		}
	case r.wanted:
		f.block(f.opt.MaxBlock)
	default:
		f.block(0)
	}
	f.finish()
}

// version records the defects of the version line.
func (f *framer) version(line []byte) {
	v := bytes.TrimRight(line, " \t\r\n")
	if !bytes.HasPrefix(v, []byte("WARC/")) {
		f.defect(VersionCase, quote(v))
	}
	switch string(v[5:]) {
	case "0.17", "0.18", "1.0", "1.1":
	default:
		f.defect(VersionUnknown, quote(v))
	}
}

// header parses the fields that follow the version line of n bytes and returns
// the size of the whole header.
func (f *framer) header(n int) int {
	for i := n; ; {
		b := f.s.ahead()
		j := bytes.IndexByte(b[i:], '\n')
		if j < 0 {
			if have := len(b); have <= f.opt.MaxHeader && len(f.s.load(have+1)) > have {
				continue
			} else if have <= f.opt.MaxHeader { // the segment ends within the header
				b = f.s.ahead()
				f.rec.flags |= FlagHeaderCut
				f.hdr.parse(b[n:], f.opt.MaxFields)
				return len(b)
			}
		}
		if j < 0 || i > f.opt.MaxHeader {
			f.rec.flags |= FlagHeaderTooBig
			f.hdr.parse(b[n:i], f.opt.MaxFields)
			return i
		}
		line := b[i : i+j+1]
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			f.hdr.parse(b[n:i], f.opt.MaxFields)
			return i + j + 1
		}
		if _, a := versionLine(line); a == yes {
			f.rec.flags |= FlagHeaderCut
			f.hdr.parse(b[n:i], f.opt.MaxFields)
			return i
		}
		i += j + 1
	}
}

// restOfHeader skips header lines up to and including the blank line. It returns false
// if there is none.
func (f *framer) restOfHeader() bool {
	for within := false; ; { // within: the content ahead begins in the middle of a line
		b := f.s.load(4 << 10)
		if len(b) == 0 {
			return false
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			f.s.advance(len(b))
			within = true
			continue
		}
		if !within {
			if _, a := versionLine(b); a == yes {
				return false
			}
		}
		f.s.advance(end + 1)
		if !within && len(bytes.TrimRight(b[:end], "\r")) == 0 {
			return true
		}
		within = false
	}
}

// noteHeader records defects for what is odd about the header.
func (f *framer) noteHeader() {
	for _, o := range [...]struct {
		is   bool
		code Code
	}{
		{f.rec.flags&FlagHeaderCut != 0, HeaderCut},
		{f.rec.flags&FlagHeaderTooBig != 0, HeaderTooBig},
		{f.hdr.odd&oddFolded != 0, Folded},
		{f.hdr.odd&oddRepeated != 0, FieldRepeated},
		{f.hdr.odd&oddLine != 0, HeaderLineBad},
		{f.hdr.odd&oddFields != 0, FieldsOverLimit},
		{f.hdr.odd&oddEOL != 0, EOLOdd},
		{f.hdr.Get("warc-type") == nil, TypeMissing},
	} {
		if o.is {
			f.defect(o.code, "")
		}
	}
	if f.hdr.Get("warc-segment-number") != nil {
		f.rec.flags |= FlagSegmented
	}
	if f.hdr.Get("warc-truncated") != nil {
		f.rec.flags |= FlagDeclaredCut
	}
}

// finish completes the framed record with its end and the state of its units.
func (f *framer) finish() {
	r := &f.rec
	end := f.s.pos() + int64(r.ahead)
	last := f.s.unitAt(end - 1)
	switch {
	case r.first.plain:
		r.Length = end - r.start
		if f.w.format == FormatGzip {
			f.defect(MixedContainer, "plain record")
		}
		f.led.bytes(r.Offset+r.Length, false)
	default:
		r.Length = f.closing(end)
		if last.damaged {
			r.flags |= FlagUnverified
		}
		if last.offset != r.first.offset {
			last.owner = r.first.offset
		}
		f.noteUneven(last.offset != r.first.offset || r.Ordinal > 0)
	}
	f.last, f.lastFlags = r.Address, r.flags
	f.led.record(r.Address, r.typ, r.size, r.wanted)
}

// noteUneven records, once per step, the defect that records and units do not coincide.
func (f *framer) noteUneven(uneven bool) {
	if !uneven || f.uneven {
		return
	}
	f.uneven = true
	switch f.w.format {
	case FormatZstd:
		f.defect(ZstdNonconforming, "records and frames do not coincide")
	case FormatBzip2, FormatLZ4:
	default:
		f.defect(MemberMisaligned, "")
	}
}

// closing returns the size in the file of the units that only this record fills. It
// returns 0 if the record shares a unit with another or if their end is not known.
func (f *framer) closing(end int64) int64 {
	if f.rec.Ordinal > 0 || f.rec.first.owner >= 0 {
		return 0
	}
	for pos := end; ; pos++ {
		c, ok := f.s.touch(pos)
		if ok && isEOL(c) && pos-end < maxTrailer {
			continue
		}
		if ok {
			return 0
		}
		for i := range f.s.starts {
			next := f.s.tail()
			if i+1 < len(f.s.starts) {
				next = f.s.starts[i+1].content
			}
			if m := &f.s.starts[i]; next == pos && m.stop > 0 {
				return m.stop - f.rec.Offset
			}
		}
		return 0
	}
}

func (f *framer) defect(c Code, detail string) {
	f.led.defect(c, f.rec.Offset, 0, &f.rec.Address, detail)
}
