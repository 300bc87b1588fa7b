package warc

import (
	"bytes"
	"fmt"
)

// Finding the end of a block.
//
// The announced end of a block is right if it is followed by line ends and a plausible
// header, by the end of its unit, or by the end of the file. If the announced end is
// wrong, a header is searched for first within the block and then after it. Since a
// right end is not questioned, a block may contain a WARC file verbatim. A block is
// never extended beyond the unit in which its announced end lies, because otherwise a
// damaged member would become the tail of an undamaged record.
//
// Blocks up to smallBlock are checked in the stream's buffer. A larger block is
// consumed before its end can be checked. The first header in it is remembered
// meanwhile, and if the end turns out to be wrong, the stream goes back to that header.
// It does so once per step: from then on a large block ends at the first header in it,
// whether its announced end is right or not (distrust). Otherwise every record of a
// damaged file could cost another pass over the file.
const smallBlock = 1 << 20

// maxTrailer is how many bytes of line ends are skipped in the search for what follows
// a block.
const maxTrailer = 64 << 10

// block finds the block at the stream's position and keeps at most keep bytes of it.
// Afterwards the stream is at the block's end, or rec.ahead bytes before it.
func (f *framer) block(keep int64) {
	length, sized := f.hdr.contentLength()
	f.held, f.ends = f.held[:0], 0
	switch {
	case !sized:
		f.rec.flags |= FlagLength
		f.defect(LengthBad, quote(f.hdr.Get("content-length")))
		f.until(keep, f.s.pos()+1)
	case length <= smallBlock:
		f.small(length, keep)
	case f.s.plain():
		f.largePlain(length, keep)
	default:
		f.large(length, keep)
	}
	if f.rec.size > int64(len(f.rec.block)) && keep > 0 {
		f.rec.flags |= FlagOverLimit
		f.defect(BlockOverLimit, "")
	}
}

// view makes the next n bytes ahead the block.
func (f *framer) view(n int, keep int64) {
	b := f.s.load(n)
	f.rec.ahead, f.rec.size = len(b), int64(len(b))
	f.rec.block = b[:min(int64(len(b)), keep)]
}

// cut makes the next n bytes ahead the block, without the line ends at their end. A
// header follows them.
func (f *framer) cut(n int, keep int64) {
	f.view(n, keep)
	b := bytes.TrimRight(f.s.load(n), "\r\n")
	f.rec.size, f.rec.ahead = int64(len(b)), len(b)
	f.rec.block = b[:min(int64(len(b)), keep)]
}

// small finds the end of a block that fits the buffer.
func (f *framer) small(length, keep int64) {
	start := f.s.pos()
	end := start + length
	have := int64(len(f.s.load(int(length))))
	if have == length && f.endRight(end) {
		f.view(int(length), keep)
		return
	}
	f.rec.flags |= FlagLength
	if next := f.headerWithin(start, start+have); next >= 0 {
		f.defect(LengthLong, "")
		f.cut(int(next-start), keep)
		return
	}
	if have < length {
		f.rec.flags = f.rec.flags&^FlagLength | FlagTruncated
		f.defect(Truncated, "")
		f.view(int(have), keep)
		f.trimTrailer()
		return
	}
	if f.separated(end) {
		f.rec.flags &^= FlagLength
		f.view(int(length), keep)
		return
	}
	f.extend(length, keep, end)
}

// extend takes a block that continues beyond its announced end; some of its bytes may
// have been taken already. If the unit turns out to be damaged, the bytes beyond the
// announced end are not part of the block.
func (f *framer) extend(length, keep, end int64) {
	header := f.until(keep, end)
	if r := &f.rec; !header && f.s.err == nil && f.s.unitAt(f.s.pos()-1).damaged {
		f.defect(Gap, fmt.Sprintf("%d bytes of content", r.size-length))
		r.flags &^= FlagLength
		r.size = length
		r.block = r.block[:min(int64(len(r.block)), length)]
		return
	}
	f.rec.flags |= FlagLength
	f.defect(LengthShort, "")
}

// trimTrailer removes the line ends that end a record from a block that runs
// into them.
func (f *framer) trimTrailer() {
	r := &f.rec
	if r.size != int64(len(r.block)) {
		r.size -= int64(min(f.ends, len(f.s.syntax().separators()[0])))
		return
	}
	for _, t := range f.s.syntax().separators() {
		if b, ok := bytes.CutSuffix(r.block, []byte(t)); ok {
			r.block, r.size = b, int64(len(b))
			return
		}
	}
}

// endRight reports whether a record may end at a content position.
func (f *framer) endRight(end int64) bool {
	for pos := end; pos-end < maxTrailer; pos++ {
		c, ok := f.s.touch(pos)
		if !ok {
			return true // the end of the unit, the segment or the file
		}
		if !isEOL(c) && c != 0 {
			return f.plausibleAt(pos) || f.s.plain() && f.s.memberAt(pos) || f.behindScrap(pos) >= 0
		}
	}
	return true
}

// separated reports whether a separator of two records lies at a position. If it does,
// the content after it does not belong to the record before it.
func (f *framer) separated(pos int64) bool {
	b := f.s.load(int(pos-f.s.pos()) + 4)
	b = b[min(int64(len(b)), pos-f.s.pos()):]
	for _, sep := range f.s.syntax().separators() {
		if bytes.HasPrefix(b, []byte(sep)) {
			return true
		}
	}
	return false
}

// headerWithin returns the position in [from, to) of the first plausible header at the
// start of a line, or -1 if there is none. The whole range must be ahead of the stream.
func (f *framer) headerWithin(from, to int64) int64 {
	if f.s.plain() {
		at, _ := f.s.search(from, to)
		return at
	}
	if f.plausibleAt(from) {
		return from
	}
	for at := int(from - f.s.pos()); ; {
		n := int(to - f.s.pos())
		if at = f.s.syntax().lineStart(f.s.load(n), at); at < 0 || at >= n {
			return -1
		}
		if pos := f.s.pos() + int64(at); f.plausibleAt(pos) {
			return pos
		}
	}
}

// take consumes n bytes of the block and keeps as many of them as keep allows.
func (f *framer) take(n int, keep int64) {
	b := f.s.ahead()[:n]
	if room := keep - int64(len(f.held)); room > 0 {
		f.keep(b[:min(int64(n), room)], keep)
	}
	f.rec.size += int64(n)
	ends := 0
	for ends < n && isEOL(b[n-1-ends]) {
		ends++
	}
	if ends == n {
		ends += f.ends
	}
	f.ends = ends
	f.s.advance(n)
}

// reserve allocates room for a block whose announced length is n bytes. The room is
// bounded, because the announced length may be wrong.
func (f *framer) reserve(n int64) {
	if n = min(n, 4<<20); n > int64(cap(f.held)) {
		f.held = make([]byte, 0, n)
	}
}

// keep appends to held, whose capacity never exceeds the limit.
func (f *framer) keep(b []byte, keep int64) {
	if need := len(f.held) + len(b); need > cap(f.held) {
		grown := make([]byte, len(f.held), min(int64(max(2*cap(f.held), need, chunk)), max(keep, int64(need))))
		copy(grown, f.held)
		f.held = grown
	}
	f.held = append(f.held, b...)
}

// until takes everything up to the next plausible header at a line start, or up to the
// first end of a unit at or after the position stop. If stop is -1, it takes everything
// up to the end of the segment. It reports whether it ended at a header.
func (f *framer) until(keep, stop int64) (header bool) {
	f.rec.block = nil
	if f.s.plain() {
		return f.untilPlain(keep, stop)
	}
	for start, bol := f.s.pos(), true; ; {
		b := f.s.some()
		pos := f.s.pos()
		if len(b) == 0 || stop >= 0 && pos >= stop && pos > start && f.s.unitEnds(pos) {
			break
		}
		if header = bol && f.plausibleAt(pos); header {
			break
		}
		b = f.s.ahead()
		n := f.upToUnitEnd(b, stop)
		next := f.s.syntax().lineStart(b[:n], 0)
		bol = next >= 0
		if !bol {
			next = n
		}
		f.take(next, keep)
	}
	f.rec.block = f.held
	if header {
		f.trimEOL()
	} else {
		f.trimTrailer()
	}
	return header
}

// upToUnitEnd returns how many bytes of b lie before the first end of a unit at or
// after stop.
func (f *framer) upToUnitEnd(b []byte, stop int64) int {
	pos := f.s.pos()
	if stop >= 0 {
		for i := range f.s.starts {
			if c := f.s.starts[i].content; c > pos && c >= stop {
				return int(min(int64(len(b)), c-pos))
			}
		}
	}
	return len(b)
}

// trimEOL removes the run of line ends before a header.
func (f *framer) trimEOL() {
	r := &f.rec
	if r.size != int64(len(r.block)) {
		r.size -= int64(f.ends)
		return
	}
	r.block = bytes.TrimRight(r.block, "\r\n")
	r.size = int64(len(r.block))
}

func (f *framer) untilPlain(keep, stop int64) (header bool) {
	pos := f.s.pos()
	size := f.w.in.size - f.s.unitAt(pos).file(pos) + pos
	from := max(pos, stop-1)
	next, _ := f.s.search(from, size)
	end := next
	if next < 0 {
		end = size
	}
	for f.s.pos() < end && f.s.err == nil {
		b := f.s.some()
		f.take(int(min(int64(len(b)), end-f.s.pos())), keep)
	}
	f.rec.block = f.held
	if next >= 0 {
		f.trimEOL()
	} else {
		f.trimTrailer()
	}
	return next >= 0
}

// large takes a block of a compressed unit that does not fit the buffer.
func (f *framer) large(length, keep int64) {
	start := f.s.pos()
	end := start + length
	if end < start {
		end = 1<<63 - 1
	}
	f.reserve(min(length, keep))
	header, unit := int64(-1), unitStart{} // the first header within the block
	for bol := true; f.s.pos() < end; {
		b := f.s.some()
		pos := f.s.pos()
		if len(b) == 0 {
			break
		}
		if bol && header < 0 && f.plausibleAt(pos) {
			header, unit = pos, *f.s.unitAt(pos)
			if f.distrust {
				break
			}
		}
		b = f.s.ahead()
		n := int(min(int64(len(b)), end-pos))
		next := -1
		if header < 0 {
			next = f.s.syntax().lineStart(b[:n], 0)
		}
		if bol = next >= 0; !bol {
			next = n
		}
		f.take(next, keep)
	}
	f.rec.block = f.held
	pos := f.s.pos()
	switch {
	case f.s.err != nil:
	case pos == end && f.endRight(end):
	case header >= 0:
		f.cutBack(start, header)
		if header != pos {
			f.s.back(header, unit)
		}
		f.distrust = true
	case pos < end:
		f.rec.flags |= FlagTruncated
		f.defect(Truncated, "")
		f.trimTrailer()
	case f.separated(end):
	default:
		f.extend(length, keep, end)
	}
}

// cutBack shortens a block that begins at start, so that it ends before a header
// within it.
func (f *framer) cutBack(start, header int64) {
	f.rec.flags |= FlagLength
	f.defect(LengthLong, "")
	f.rec.size, f.ends = header-start, 0
	f.held = f.held[:min(int64(len(f.held)), f.rec.size)]
	f.rec.block = f.held
	f.trimEOL()
}

// largePlain takes a block of a plain unit that does not fit the buffer. It does not
// read the bytes that are not kept.
func (f *framer) largePlain(length, keep int64) {
	start := f.s.pos()
	m := *f.s.unitAt(start)
	size := f.w.in.size - m.file(start) + start
	end := start + length
	beyond := end < start || end > size
	if beyond {
		end = size
	}
	if beyond || m.file(start) < f.w.extent {
		// The announced length is known to be wrong, or this record lies inside a block
		// whose announced length was wrong.
		if next, _ := f.s.search(start, end); next >= 0 {
			f.takeTo(next, keep)
			f.cutBack(start, next)
			return
		}
	}
	f.reserve(min(length, keep))
	f.takeTo(end, keep)
	f.rec.block = f.held
	switch {
	case f.s.err != nil:
	case beyond:
		f.rec.flags |= FlagTruncated
		f.defect(Truncated, "")
		f.trimTrailer()
	case f.endRight(end):
	default:
		f.w.extent = max(f.w.extent, m.file(end))
		next, _ := f.s.search(start, end)
		switch {
		case next >= 0:
			f.cutBack(start, next)
			f.s.back(next, m)
		case f.separated(end):
		default:
			f.rec.flags |= FlagLength
			f.defect(LengthShort, "")
			f.until(keep, end)
		}
	}
}

// takeTo takes a plain block up to a position. It reads only the bytes that are kept.
func (f *framer) takeTo(end, keep int64) {
	start := f.s.pos()
	for f.s.pos() < end && f.s.pos()-start < keep && f.s.err == nil {
		b := f.s.some()
		if len(b) == 0 {
			break
		}
		f.take(int(min(int64(len(b)), end-f.s.pos(), keep-(f.s.pos()-start))), keep)
	}
	if pos := f.s.pos(); pos < end {
		f.rec.size += end - pos
		f.s.jump(end)
	}
}
