package warc

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Options bound what an item may cost. They decide which records there are, so
// they belong to the recipe of a run. The zero Options are the defaults.
type Options struct {
	// Want decides by a record's header whether the record is delivered. All other
	// records are counted, and their blocks are dropped unread. If Want is nil, every
	// record is delivered.
	Want func(*Header) bool

	// Format is the file's format, if it is known from Probe. If it is not set, the
	// reader finds it out from the first bytes of the file.
	Format Format
	// Name is the file's name. It is compared with the container that the file has.
	Name string

	MaxHeader  int   // bytes of a WARC header; default 1 MiB
	MaxFields  int   // fields of a header; default 1000
	MaxBlock   int64 // bytes of a block that are kept; default 64 MiB
	MaxUnit    int64 // inflated bytes of a unit; default 8 GiB
	MaxDefects int   // defects kept, all others are counted; default 10000
}

func (o Options) withDefaults() Options {
	if o.MaxHeader <= 0 {
		o.MaxHeader = 1 << 20
	}
	if o.MaxFields <= 0 {
		o.MaxFields = 1000
	}
	if o.MaxBlock <= 0 {
		o.MaxBlock = 64 << 20
	}
	if o.MaxUnit <= 0 {
		o.MaxUnit = 8 << 30
	}
	if o.MaxDefects <= 0 {
		o.MaxDefects = 10_000
	}
	return o
}

// Summary is the account of an item.
type Summary struct {
	// First is the offset of the item's first start. Next is the offset of the first
	// start that belongs to a later item, or the size of the file if there is none.
	// Both are -1 if no record seems to start in the range.
	First, Next int64

	// Records counts all records, ByType counts them by type, and Skipped counts by
	// type those that were not wanted.
	Records int64
	ByType  map[string]int64
	Skipped map[string]int64

	// BytesUnits and BytesGaps are the bytes of the file in units and between them.
	// Their sum is Next-First.
	BytesUnits, BytesGaps int64
	BytesEmpty            int64 // the part of BytesUnits in undamaged units without content, such as empty gzip members

	// Defects counts the defects by code. Ledger holds the first Options.MaxDefects
	// of them.
	Defects map[Code]int64
	Ledger  []Defect

	// Unverified lists, in ascending order, the offsets of units whose checksum proved
	// wrong after records of theirs had been delivered without FlagUnverified.
	Unverified []int64

	// Digest is a hash of the addresses, types and block sizes of all records. It is
	// the same for every reading of the same item.
	Digest uint64
}

func newSummary() Summary {
	return Summary{First: -1, Next: -1, ByType: map[string]int64{}, Skipped: map[string]int64{},
		Defects: map[Code]int64{}, Digest: digestSeed}
}

// Reader reads the records of one item. It is used by one goroutine.
type Reader struct {
	in     *input
	opt    Options
	format Format
	end    int64
	led    ledger
	walker walker
	stream stream
	framer framer

	within    bool // a segment is being read
	done      bool // the item is finished and sum is final
	following bool // Follow reads a record after the end of the item
	sum       Summary
	err       error
}

// Open returns a reader of one item. See Reset.
func Open(src Source, start, end, first int64, opt Options) (*Reader, error) {
	r := new(Reader)
	if err := r.Reset(src, start, end, first, opt); err != nil {
		return nil, err
	}
	return r, nil
}

// Reset begins an item: the records of src that start in [start, end). first is the
// offset at which the first of them starts, or -1 if the reader must search for it.
// Reset returns an error if the source cannot be read or if the range is invalid. A
// reader that is reset keeps its buffers and decompressors, unlike one that Open
// returns. The zero Reader may be reset too.
func (r *Reader) Reset(src Source, start, end, first int64, opt Options) error {
	in := r.in
	if in == nil {
		in = newInput(src, start)
	} else {
		in.reset(src, start)
	}
	end = min(end, in.size)
	if start < 0 || start > end || first >= 0 && (first < start || first >= max(end, start+1)) {
		return fmt.Errorf("warc: bad item: start %d in [%d,%d) of %d bytes", first, start, end, in.size)
	}
	r.renew(in, end, opt)
	format := r.opt.Format
	if format == FormatUnknown {
		in.seek(0)
		var err error
		if format, err = probe(in, r.walker.finder.prober); err != nil {
			return err
		}
	}
	r.format = format
	r.walker.format, r.walker.finder.syntax = format.container(), format.syntax()
	switch {
	case start == end && in.size > 0:
		first = -1 // an empty range
	case start == 0:
		first = 0
	case first < 0 && format.Splittable():
		var err error
		if first, err = scanFormat(in, r.walker.finder.prober, format, start, end); err != nil {
			return err
		}
	}
	if first < 0 {
		r.finish(-1)
		return nil
	}
	r.begin(first, format)
	return nil
}

// renew clears the reader, except for its buffers and decompressors.
func (r *Reader) renew(in *input, end int64, opt Options) {
	old := *r
	prober := old.walker.finder.prober
	if prober == nil {
		prober = newProber()
	}
	old.walker.closeDecoders()
	*r = Reader{in: in, opt: opt.withDefaults(), end: end}
	r.led = ledger{sum: newSummary(), max: r.opt.MaxDefects}
	r.walker = walker{in: in, led: &r.led, opt: &r.opt, gzip: old.walker.gzip, finder: finder{in: in, prober: prober}}
	r.stream = stream{w: &r.walker, end: -1, buf: old.stream.buf[:0], starts: old.stream.starts[:0]}
	r.framer = framer{s: &r.stream, w: &r.walker, led: &r.led, opt: &r.opt, arrive: r.arrive,
		hdr: old.framer.hdr, held: old.framer.held}
}

// begin moves the reader to the item's first start.
func (r *Reader) begin(first int64, format Format) {
	r.in.seek(first)
	r.led.sum.First = first
	r.led.counted, r.led.reported = first, first
	r.framer.begin(first)
	r.stream.end = 0 // no unit is open, as if an empty segment had just ended
	if first == 0 && misnamed(r.opt.Name, format) {
		r.led.defect(NameMismatch, 0, 0, nil, format.String())
	}
}

// misnamed reports whether a file name promises a format that the file does not have.
func misnamed(name string, f Format) bool {
	if f == FormatUnknown || f == FormatEmpty {
		return false
	}
	name = strings.ToLower(name)
	ext := path.Ext(name)
	var container Format
	switch ext {
	case ".gz", ".gzip":
		container = FormatGzip
	case ".zst", ".zstd":
		container = FormatZstd
	case ".bz2":
		container = FormatBzip2
	case ".lz4":
		container = FormatLZ4
	case ".warc", ".arc":
		container = FormatPlain
	default:
		return false
	}
	if container != FormatPlain {
		ext = path.Ext(strings.TrimSuffix(name, ext))
	}
	return f.container() != container ||
		ext == ".arc" && f.syntax() != syntaxARC || ext == ".warc" && f.syntax() != syntaxWARC
}

// Format returns the format of the file.
func (r *Reader) Format() Format { return r.format }

// Next reads the next wanted record into rec. It returns io.EOF at the end of the
// item. Every other error means that the source could not be read; the item then
// ends without a result. Damaged bytes are never an error.
func (r *Reader) Next(rec *Record) error {
	for !r.done {
		if err := r.frame(); err != nil {
			return err
		}
		if !r.done && r.framer.rec.wanted {
			return r.deliver(rec)
		}
	}
	if r.err != nil {
		return r.err
	}
	return io.EOF
}

// Follow reads the record directly after the item's last one. It may be called after
// Next has returned io.EOF. It returns false if there is no such record or if the
// record is not wanted. The record belongs to a later item, so it is not counted
// and does not change the Summary.
//
// In a packed package, the record after a page holds the page's gold. Follow lets
// the reader of the page read the gold even if an item ends between the two.
func (r *Reader) Follow(rec *Record) (bool, error) {
	if !r.done || r.err != nil {
		return false, errors.Join(errors.New("warc: follow before the end of the item"), r.err)
	}
	if r.sum.Next < 0 || r.sum.Next >= r.in.size || r.following {
		return false, nil
	}
	seq := r.led.sum.Records
	r.led.sum = newSummary()
	r.led.sum.Records = seq
	r.following, r.done = true, false
	defer func() { r.done = true }()
	if err := r.frame(); err != nil || r.done || !r.framer.rec.wanted {
		return false, err
	}
	return true, r.deliver(rec)
}

// frame finds the bounds of the next record, wanted or not, unless the item ends.
func (r *Reader) frame() error {
	for !r.done {
		if !r.within && !r.nextSegment() {
			break
		}
		switch r.framer.next() {
		case gotRecord:
			return nil
		case segmentEnded:
			r.within = false
		case stopped:
			if r.stream.err == nil && !r.done {
				r.stream.err = errors.New("warc: bug: stopped without reason")
			}
		}
		if r.stream.err != nil {
			break
		}
	}
	if r.stream.err != nil {
		r.err, r.done = r.stream.err, true
		return r.err
	}
	return nil
}

// nextSegment enters the next segment. It returns false at the end of the item.
func (r *Reader) nextSegment() bool {
	r.framer.release()
	seg, ok := r.stream.next()
	switch {
	case r.stream.err != nil:
		return false
	case !ok:
		r.finish(r.in.size)
		return false
	case seg.boundary && seg.start && !r.arrive(seg.offset):
		r.framer.enter()
		r.within = true // Follow continues from this segment
		return false
	}
	r.framer.enter()
	r.within = true
	return true
}

// arrive begins the step at an offset. It returns false if the step belongs to
// another item.
func (r *Reader) arrive(at int64) bool {
	if at >= r.end && !r.following {
		r.finish(at)
		return false
	}
	r.framer.begin(at)
	return true
}

// finish completes the item's summary. next is the offset of the first start that
// belongs to a later item.
func (r *Reader) finish(next int64) {
	if r.done {
		return
	}
	r.done = true
	s := &r.led.sum
	s.Next = next
	if u := &r.walker.u; u.kind == FormatGzip && u.offset == 0 && u.stop == r.in.size && s.Records > 1 {
		r.led.defect(SingleMember, 0, u.stop, nil, "")
	}
	r.sum = *s
	if s.First >= 0 && s.BytesUnits+s.BytesGaps != next-s.First {
		r.err = fmt.Errorf("warc: bug: %d bytes in units and %d in gaps between %d and %d",
			s.BytesUnits, s.BytesGaps, s.First, next)
	}
}

// Summary returns the account of the item. It is final once Next has returned io.EOF.
func (r *Reader) Summary() Summary {
	if r.done {
		return r.sum
	}
	return r.led.sum
}

// deliver fills rec with the framed record.
func (r *Reader) deliver(rec *Record) error {
	f := &r.framer
	*rec = Record{
		Address:   f.rec.Address,
		Seq:       r.led.sum.Records - 1,
		Type:      f.rec.typ,
		Flags:     f.rec.flags,
		Block:     f.rec.block,
		BlockSize: f.rec.size,
		Header:    &f.hdr,
	}
	rec.TargetURI, rec.RecordID, rec.ContentType = rec.Field("warc-target-uri"), rec.Field("warc-record-id"), rec.Field("content-type")
	rec.Date = parseDate(rec.Field("warc-date"))
	r.noteFields(rec)
	return nil
}

// noteFields records defects for the odd fields of a delivered record.
func (r *Reader) noteFields(rec *Record) {
	f := &r.framer
	if _, bracketed := bareURI(f.hdr.Get("warc-target-uri")); bracketed {
		f.defect(URIBrackets, "")
	}
	if rec.Type != TypeWarcinfo && !plainURI(rec.TargetURI) {
		f.defect(URIBad, quote([]byte(rec.TargetURI)))
	}
	if rec.Date.IsZero() {
		f.defect(DateBad, quote(f.hdr.Get("warc-date")))
	}
	if rec.RecordID == "" && r.format.syntax() != syntaxARC {
		f.defect(IDBad, "")
	}
	if rec.Flags&FlagDeclaredCut != 0 {
		f.defect(TruncationDeclared, quote(f.hdr.Get("warc-truncated")))
	}
}
