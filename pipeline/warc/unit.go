package warc

import (
	"bytes"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/pierrec/lz4/v4"
)

// unit is the piece of the file that is being read.
type unit struct {
	kind   Format // gzip, zstd, lz4, bzip2 or plain
	offset int64
	// inner is set if the unit lies within the extent of a damaged unit of the same step.
	inner bool
	// start is set if the unit may begin a step, which an inner unit may not.
	start bool

	size    int64 // bytes of content so far
	done    bool
	verdict Code  // what is wrong with the unit, "" for nothing; set when done
	stop    int64 // file offset at which reading it ended; set when done
	detail  string
	notes   []note
}

// note is an oddity of a unit that is not damaged.
type note struct {
	code   Code
	detail string
}

// walker goes through the units of a file in order, from the start of a step.
//
// After a damaged unit the search for the next one begins directly after the damaged
// unit's first byte, not where decoding stopped, because a damaged stream can run on
// into the units that follow it. A unit that is found before the offset where decoding
// stopped may lie within the damaged unit. No step begins at it; the whole overlap
// belongs to the step of the damaged unit. This also lets the walker bound its work: it
// counts the bytes of damaged units from the start of the step, and if they exceed a
// multiple of the step's extent, the search continues where decoding stopped. Without
// that bound, a small file of nested members that all share one bomb would keep a
// worker busy for hours.
type walker struct {
	in     *input
	led    *ledger
	opt    *Options
	format Format

	u       unit
	open    bool // u is being read or has not been settled
	gzip    inflater
	finder  finder
	zstd    *zstdFrames
	stream  io.Reader // content of a file that is a single unit: bzip2, LZ4
	origin  int64     // offset at which the step began
	extent  int64     // end of the damage in this step: no step begins before it
	wasted  int64     // bytes of damaged units read in this step
	skipped bool      // bytes were skipped before the current unit
	any     bool      // a unit was opened
}

const (
	// A step may read wasteFree bytes of damaged units, plus wasteTimes its extent.
	wasteFree  = 1 << 20
	wasteTimes = 8
)

// begin starts a step at the current unit, or at an offset where no unit is open.
func (w *walker) begin(at int64) {
	w.origin, w.extent, w.wasted = at, at, 0
	if w.led.counted < at {
		w.led.counted = at
	}
}

// next opens the unit that follows the last one. It returns false at the end of the
// file. w.skipped reports whether anything but padding lies between the two units.
func (w *walker) next() (bool, error) {
	from := w.in.offset()
	if w.open {
		w.settle()
		if from = w.u.stop; w.u.verdict != "" {
			return w.resync(w.afterDamage())
		}
	}
	w.skipped = false
	found, err := w.adjacent(from)
	if err != nil || found {
		return found, err
	}
	if from = w.in.offset(); from >= w.in.size {
		return false, nil
	}
	return w.resync(from + 1)
}

// settle enters the unit that was just read into the ledger. It is called only when
// the walker leaves the unit, because a unit that turns out to begin the next item is
// not entered at all.
func (w *walker) settle() {
	u := &w.u
	w.open = false
	if u.verdict != "" {
		w.led.unitDefect(u.verdict, u.offset, u.stop-u.offset, u.detail)
	}
	for _, n := range u.notes {
		w.led.unitDefect(n.code, u.offset, 0, n.detail)
	}
	w.led.reported = max(w.led.reported, u.offset+1)
	if u.verdict == "" && u.kind != FormatPlain { // the bytes of plain records are counted by the framer
		before := w.led.sum.BytesUnits
		w.led.bytes(u.stop, false)
		if u.size == 0 {
			w.led.sum.BytesEmpty += w.led.sum.BytesUnits - before
		}
	}
}

// afterDamage adds the damaged unit to the extent and the wasted bytes of the step. It
// returns the offset at which the search for the next unit begins.
func (w *walker) afterDamage() int64 {
	w.extent = max(w.extent, w.u.stop)
	waste := w.u.stop - w.u.offset
	if w.u.kind == FormatZstd {
		// Frames are opened without reading their content, and going back fetches a whole
		// window. In a file that holds only frame headers, each header would cost a window.
		waste = max(waste, window)
	}
	w.wasted += waste
	if w.wastedTooMuch() {
		return w.extent
	}
	return w.u.offset + 1
}

func (w *walker) wastedTooMuch() bool {
	return w.wasted > wasteFree+wasteTimes*(w.extent-w.origin)
}

// resync opens the next unit that can be found at or after from.
func (w *walker) resync(from int64) (bool, error) {
	w.skipped = true
	for {
		at, err := w.find(from)
		if err != nil {
			return false, err
		}
		if at < 0 {
			at = w.in.size
		}
		w.skip(at)
		w.in.seek(at)
		if at >= w.in.size {
			return false, nil
		}
		if ok, err := w.enter(); ok || err != nil {
			return ok, err
		}
		from = at + 1
	}
}

// find searches for the next unit at or after from.
func (w *walker) find(from int64) (int64, error) {
	to := w.in.size
	if w.origin == 0 && !w.any {
		to = min(to, probeLimit) // the first unit must begin within this limit
	}
	if w.format == FormatZstd {
		return findFrame(w.in, from, to)
	}
	w.finder.orphans = true
	at, _, err := w.finder.find(from, to)
	return at, err
}

// skip counts the bytes before the unit found at an offset. Up to the end of the
// step's damage they belong to damaged units; after that they are a gap.
func (w *walker) skip(at int64) {
	w.led.bytes(min(w.extent, at), false)
	from := w.led.counted
	if at <= from {
		return
	}
	w.led.bytes(at, true)
	if from == 0 && !w.any && at == w.in.size {
		w.led.defect(UnknownContainer, 0, at, nil, "")
		return
	}
	w.led.defect(Gap, from, at-from, nil, "")
}

// adjacent opens the unit at an offset, or the one after padding at that offset. If
// there is none, it leaves the input at the first byte that is not padding.
func (w *walker) adjacent(from int64) (bool, error) {
	w.in.seek(from)
	if !w.any { // the first start is known: from the item before, or as the file's first byte
		b, err := w.in.peek(4 << 10)
		if err != nil {
			return false, err
		}
		if w.finder.syntax.begins(b) == yes {
			w.enterPlain()
			return true, nil
		}
	}
	pad, err := w.padding()
	if err != nil {
		return false, err
	}
	if pad > 0 {
		w.led.bytes(from+pad, true)
		if from+pad > w.led.reported {
			w.led.unitDefect(Padding, from, pad, "")
			w.led.reported = from + pad
		}
	}
	if w.in.offset() >= w.in.size {
		return false, nil
	}
	return w.enter()
}

// padding skips zero bytes and line ends.
func (w *walker) padding() (int64, error) {
	for n := int64(0); ; {
		b, err := w.in.peek(min(max(w.in.br.Buffered(), 1), window))
		if err != nil {
			return n, err
		}
		k := 0
		for k < len(b) && (b[k] == 0 || isEOL(b[k])) {
			k++
		}
		w.in.br.Discard(k)
		n += int64(k)
		if k < len(b) || k == 0 {
			return n, nil
		}
	}
}

// enter opens the unit at the input's position, if a unit begins there.
func (w *walker) enter() (bool, error) {
	b, err := w.in.peek(16)
	if err != nil {
		return false, err
	}
	switch {
	case w.format.isStream():
		w.enterStream()
		return true, nil
	case w.format == FormatZstd:
		return w.enterFrame()
	case bytes.HasPrefix(b, gzipMagic):
		return w.enterMember()
	}
	w.finder.sized = false
	what, err := w.finder.testPlain()
	if what != plainText {
		return false, err
	}
	w.enterPlain()
	return true, nil
}

func (w *walker) enterPlain() {
	w.opened(FormatPlain, w.in.offset())
}

func (w *walker) enterMember() (bool, error) {
	at := w.in.offset()
	b, err := w.in.peek(512)
	if err != nil {
		return false, err
	}
	n, a := memberHeader(b)
	if a == more {
		if b, err = w.in.peek(maxMemberHeader); err != nil {
			return false, err
		}
		n, a = memberHeader(b)
	}
	switch {
	case a == yes:
		w.in.br.Discard(n)
		w.gzip.reset(w.in.br)
		w.opened(FormatGzip, at)
		if w.format == FormatPlain {
			w.u.notes = append(w.u.notes, note{MixedContainer, "gzip member"})
		}
		return true, nil
	case a == more: // the file ends within the header
		w.opened(FormatGzip, at)
		w.in.seek(w.in.size)
		w.close(UnitTruncated, "in the member header")
		return true, nil
	}
	return false, nil
}

func (w *walker) enterStream() {
	at := w.in.offset()
	if w.stream = bzip2.NewReader(w.in.br); w.format == FormatLZ4 {
		w.stream = lz4.NewReader(w.in.br)
	}
	w.opened(w.format, at)
}

func (w *walker) opened(kind Format, at int64) {
	w.u = unit{kind: kind, offset: at, start: at >= w.extent, inner: at < w.extent, notes: w.u.notes[:0]}
	w.open, w.any = true, true
}

// reopen goes back to a unit of this step that was read before.
func (w *walker) reopen(at int64, inner bool) error {
	w.in.seek(at)
	ok, err := w.enter()
	if err == nil && !ok {
		err = errors.New("warc: bug: a unit is gone")
	}
	w.u.inner = inner
	return err
}

// close ends the current unit.
func (w *walker) close(verdict Code, detail string) {
	w.u.done, w.u.verdict, w.u.detail = true, verdict, detail
	if w.u.kind.isStream() && verdict != "" {
		w.in.seek(w.in.size) // no unit can follow
	}
	w.u.stop = w.in.offset()
}

// read reads content of the current unit. It returns 0 only when the unit is
// done; the error is that of the source.
func (w *walker) read(p []byte) (int, error) {
	u := &w.u
	if left := w.opt.MaxUnit - u.size; u.kind != FormatPlain && int64(len(p)) > left {
		if left <= 0 {
			w.close(UnitOverLimit, "")
			return 0, nil
		}
		p = p[:left]
	}
	for !u.done {
		n, err := w.decode(p)
		u.size += int64(n)
		switch {
		case w.in.err != nil:
			return n, w.in.err
		case err == nil:
		case err == io.EOF:
			w.close("", "")
		case errors.Is(err, io.ErrUnexpectedEOF) && w.in.offset() >= w.in.size:
			w.close(UnitTruncated, "")
		case errors.Is(err, errZstdLimit):
			w.close(ZstdLimit, err.Error())
		default:
			w.close(UnitCorrupt, err.Error())
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

func (w *walker) decode(p []byte) (int, error) {
	switch w.u.kind {
	case FormatPlain:
		return w.in.br.Read(p)
	case FormatZstd:
		return w.zstd.Read(p)
	case FormatBzip2, FormatLZ4:
		return w.stream.Read(p)
	}
	return w.gzip.Read(p)
}
