package warc

import "bytes"

// stream buffers the content of a group's units, one unit after the other.
//
//	content   |..............|=================|..........
//	          base           base+off          base+len(buf)
//	          consumed       ahead             not read yet
//
// The content is cut into segments, each of which is continuous. A segment ends where
// a unit begins whose content begins a record (a boundary), after a damaged unit, at
// skipped bytes, and at the end of the file. Content positions count from the first
// unit opened and have no meaning outside of the stream; unit offsets do.
type stream struct {
	w    *walker
	buf  []byte
	off  int
	base int64

	// starts are the starts of the units from which the content ahead comes. The first
	// one is the start of the unit of the byte consumed last.
	starts []unitStart

	// scout searches ahead in plain units at a position of its own. Each search in a
	// damaged stretch begins where the last one ended, so that its window, and that of
	// the walker, are fetched once instead of for every record.
	scout finder

	end     int64    // content position where the segment ends; -1 if not known yet
	pending *segment // the next segment, if its unit is open already
	slot    segment  // what pending points to
	err     error    // an error of the source
}

// unitStart describes a unit and the position of its first byte in the content.
type unitStart struct {
	content int64 // position of its first byte
	offset  int64 // position of the unit in the file
	stop    int64 // where the unit ended in the file; 0 while it is open
	records int32 // number of records that have begun in it so far
	// owner is -1, or if a record of an earlier unit continues into this one, the
	// offset of the unit in which that record begins.
	owner   int64
	plain   bool // the unit is not compressed, so positions in it correspond to file offsets
	inner   bool
	damaged bool
}

// segment describes the beginning of a continuous piece of content.
type segment struct {
	offset   int64 // file offset of its first unit
	boundary bool  // its first unit is plain or begins with the first line of a record
	start    bool  // a step may begin here
}

// chunk is the least number of bytes by which the buffer grows. It is what inflating
// yields at once.
const chunk = 64 << 10

// syntax returns the syntax of the records in the content.
func (s *stream) syntax() syntax { return s.w.finder.syntax }

func (s *stream) pos() int64 { return s.base + int64(s.off) }

// ahead returns the segment's content that is buffered and not consumed yet. If the
// segment's end is known, that is all that remains of it.
func (s *stream) ahead() []byte {
	if s.end >= 0 {
		return s.buf[s.off : s.end-s.base]
	}
	return s.buf[s.off:]
}

// load returns the next n bytes of the segment without consuming them. It returns
// fewer if the segment ends before.
func (s *stream) load(n int) []byte {
	for len(s.buf)-s.off < n && s.more() {
	}
	b := s.ahead()
	return b[:min(n, len(b))]
}

// some returns any non-empty piece of the content ahead. At the end of the segment the
// result is empty.
func (s *stream) some() []byte {
	if len(s.ahead()) == 0 {
		s.load(1)
	}
	return s.ahead()
}

// advance consumes n bytes.
func (s *stream) advance(n int) {
	s.off += n
	pos := s.pos()
	for len(s.starts) > 1 && s.starts[1].content < pos {
		s.starts = append(s.starts[:0], s.starts[1:]...)
	}
}

// more appends content to the segment. It returns false at the segment's end.
func (s *stream) more() bool {
	for s.end < 0 && s.err == nil {
		if s.w.open && !s.w.u.done {
			if s.read() > 0 {
				return true
			}
			continue
		}
		if s.w.open && s.w.u.verdict != "" {
			s.end = s.tail() // the unit is damaged, so the segment ends here
			return false
		}
		before := s.tail()
		seg, ok := s.enter()
		switch {
		case !ok || seg.boundary || s.w.skipped:
			s.end = before
			if ok {
				s.slot = seg
				s.pending = &s.slot
			}
			return false
		case s.tail() > before:
			return true
		}
	}
	return false
}

func (s *stream) tail() int64 { return s.base + int64(len(s.buf)) }

// read appends the next content of the current unit and returns its length.
func (s *stream) read() int {
	s.room(chunk)
	n, err := s.w.read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err != nil {
		s.err = err
	}
	if s.w.u.done {
		s.closed()
	}
	return n
}

// closed records the end of the current unit. If the unit turned out to be damaged,
// the units of the records that it has delivered are listed in Summary.Unverified.
func (s *stream) closed() {
	last := &s.starts[len(s.starts)-1]
	last.stop = s.w.u.stop
	if last.damaged = s.w.u.verdict != ""; !last.damaged {
		return
	}
	if last.owner >= 0 {
		s.w.led.unverified(last.owner)
	}
	if last.records > 0 {
		s.w.led.unverified(last.offset)
	}
}

// room makes space in the buffer for n more bytes. Consumed content is dropped once it
// is half of the buffer, so moving the rest costs no more than reading it did.
func (s *stream) room(n int) {
	if s.off == len(s.buf) { // usual between records; using the same bytes again suits the processor's cache
		s.base += int64(s.off)
		s.buf, s.off = s.buf[:0], 0
	}
	if cap(s.buf)-len(s.buf) >= n {
		return
	}
	if s.off >= len(s.buf)/2 {
		kept := copy(s.buf, s.buf[s.off:])
		s.base += int64(s.off)
		s.buf, s.off = s.buf[:kept], 0
		if cap(s.buf)-kept >= n {
			return
		}
	}
	grown := make([]byte, len(s.buf), 2*cap(s.buf)+n)
	copy(grown, s.buf)
	s.buf = grown
}

// enter opens the next unit that has content or damage, and reads its prefix.
func (s *stream) enter() (segment, bool) {
	for skipped := false; ; {
		ok, err := s.w.next()
		if err != nil {
			s.err = err
		}
		if !ok || err != nil {
			return segment{}, false
		}
		skipped = skipped || s.w.skipped
		s.w.skipped = skipped
		s.noteUnit()
		if seg := s.decide(); s.tail() > s.starts[len(s.starts)-1].content || s.w.u.verdict != "" {
			return seg, true
		}
		if s.err != nil {
			return segment{}, false
		}
		s.starts = s.starts[:len(s.starts)-1] // the unit is empty
	}
}

// noteUnit records where the unit just opened begins.
func (s *stream) noteUnit() {
	u := &s.w.u
	s.starts = append(s.starts, unitStart{content: s.tail(), offset: u.offset, inner: u.inner, plain: u.kind == FormatPlain, owner: -1})
	if u.done { // a unit without content
		s.closed()
	}
}

// decide reads the prefix of the unit just opened and returns the segment that would
// begin with that unit.
func (s *stream) decide() segment {
	u := &s.w.u
	seg := segment{offset: u.offset, start: u.start}
	from, prefix := s.tail(), int64(s.syntax().prefix())
	for s.tail()-from < prefix && !u.done && s.err == nil {
		s.read()
	}
	seg.boundary = u.kind == FormatPlain || s.syntax().begins(s.buf[from-s.base:]) == yes
	return seg
}

// next enters the segment after the current one and drops the rest of the current one.
// It returns false at the end of the file.
func (s *stream) next() (segment, bool) {
	for s.end < 0 && s.err == nil {
		s.advance(len(s.ahead()))
		s.more()
	}
	if s.err != nil {
		return segment{}, false
	}
	s.advance(int(s.end - s.pos()))
	seg, ok := s.slot, s.pending != nil
	s.pending = nil
	if !ok {
		if seg, ok = s.enter(); !ok {
			return segment{}, false
		}
	}
	s.end = -1
	s.advance(0)
	return seg, true
}

// unitAt returns the start of the unit that contains a content position ahead.
func (s *stream) unitAt(pos int64) *unitStart {
	i := len(s.starts) - 1
	for i > 0 && s.starts[i].content > pos {
		i--
	}
	return &s.starts[i]
}

// touch tries to load the byte at a position from the unit that contains the byte before
// it. It does not open another unit.
func (s *stream) touch(pos int64) (c byte, ok bool) {
	for {
		if s.unitEnds(pos) {
			return 0, false
		}
		if pos < s.tail() && (s.end < 0 || pos < s.end) {
			return s.buf[pos-s.base], true
		}
		if s.end >= 0 || s.err != nil {
			return 0, false
		}
		if s.w.open && !s.w.u.done {
			s.read()
			continue
		}
		return 0, false
	}
}

// unitEnds reports whether a unit is known to end at a content position.
func (s *stream) unitEnds(pos int64) bool {
	for i := len(s.starts) - 1; i >= 0; i-- {
		if s.starts[i].content == pos && i > 0 {
			return true
		}
	}
	return s.w.u.done && pos == s.tail()
}

// back returns to a content position that was already consumed. It reads the unit of
// that position again.
func (s *stream) back(to int64, m unitStart) {
	s.end, s.pending = -1, nil
	if m.plain {
		s.w.in.seek(m.file(to))
		s.w.u.done, s.w.open = false, true
		s.base, s.off, s.buf = to, 0, s.buf[:0]
		return
	}
	if s.err = s.w.reopen(m.offset, m.inner); s.err != nil {
		return
	}
	s.buf, s.off, s.base = s.buf[:0], 0, m.content
	m.stop, m.damaged = 0, false
	s.starts = append(s.starts[:0], m)
	for s.pos() < to {
		b := s.some()
		if len(b) == 0 {
			return
		}
		s.advance(int(min(int64(len(b)), to-s.pos())))
	}
}

// The functions below are for plain units. In a plain unit, content positions differ
// from file offsets by a constant, so reading can begin at any of them.

// plain reports whether the content at the stream's position belongs to a plain unit.
func (s *stream) plain() bool { return len(s.starts) > 0 && s.unitAt(s.pos()).plain }

// file returns the file offset of a content position in a plain unit.
func (m *unitStart) file(pos int64) int64 { return m.offset + pos - m.content }

// jump moves ahead to a position without reading the bytes before it.
func (s *stream) jump(to int64) {
	if to <= s.tail() {
		s.advance(int(to - s.pos()))
		return
	}
	s.w.in.seek(s.w.in.offset() + to - s.tail())
	s.base, s.off, s.buf = to, 0, s.buf[:0]
}

// search returns the position in [from, to) of the next plain header or gzip member
// that begins a record, or -1 if there is none. It does not change the content ahead.
func (s *stream) search(from, to int64) (int64, finding) {
	m := s.unitAt(from)
	if s.scout.in == nil {
		s.scout = finder{in: newInput(s.w.in.src, m.file(from)), prober: s.w.finder.prober, syntax: s.syntax()}
	}
	at, what, err := s.scout.find(m.file(from), m.file(to))
	if err != nil {
		s.err = err
		return -1, nothing
	}
	if at < 0 {
		return -1, nothing
	}
	return at - m.offset + m.content, what
}

// memberAt reports whether a gzip member that begins a record lies at a position.
func (s *stream) memberAt(pos int64) bool {
	b := s.load(int(pos-s.pos()) + len(gzipMagic))
	if !bytes.HasPrefix(b[min(int64(len(b)), pos-s.pos()):], gzipMagic) {
		return false
	}
	at, what := s.search(pos, pos+1)
	return at == pos && what == member
}

// leave closes the plain unit at the current position.
func (s *stream) leave() {
	s.w.in.seek(s.unitAt(s.pos()).file(s.pos()))
	s.w.open = true // also if the unit was read to the end of the file
	s.w.close("", "")
	s.buf = s.buf[:s.off]
	s.end, s.pending = -1, nil
	s.closed()
}
