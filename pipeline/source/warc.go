package source

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// Range is a part of a file that is to be read: the records that start in [Start, End).
type Range struct {
	Start, End int64
	First      int64 // offset at which the first record starts, or -1 if it must be searched for
}

// retained is the largest buffer of a page that is kept for the next page.
const retained = 4 << 20

// WARC is a Source of the records in one archive file, or in a range of it. It handles all formats
// of such files, so its callers need not distinguish them. A WARC that is reset keeps its
// buffers and decompressors. The zero WARC must be reset before it is used.
type WARC struct {
	reader  warc.Reader
	decoder payload.Decoder
	name    string
	wanted  func(*warc.Header) bool // whether a record may be a page, or gold
	start   int64
	named   func(*NamedRecord) error // Options.Named
	chosen  chosen                   // state of the selection, if an index chose the records

	rec     warc.Record
	doc     payload.Document // the decoded rec
	at      int64            // offset of rec in what the reader reads
	decoded bool             // doc is a page that is not copied to page yet
	ahead   bool             // rec was read after the page that is Ready, and has not been reported yet
	over    bool             // the range is read to its end

	page    Page
	seq     int64 // number of the page's record within the range
	pageAt  int64 // at of the page's record
	waiting bool  // the page is complete except for its gold
	ready   int64 // offset of the unit of the last page that was Ready without FlagUnverified; -1 for none

	failure schemas.Failure
	account Account // without the summary, which the reader has
}

var _ Source = (*WARC)(nil)

// Reset begins to read a range of a file, or of the records that an index chose of a file
// (see Open). It returns an error if the file cannot be read or if the range is invalid.
func (s *WARC) Reset(file warc.Source, r Range, opt Options) error {
	s.name, s.start = opt.Name, r.Start
	s.decoder.Options = opt.Payload
	s.decoded, s.ahead, s.over, s.waiting = false, false, false, false
	s.ready, s.account = -1, Account{}
	s.wanted = mayBePageOrGold
	if opt.Conversions {
		s.wanted = orConversion
	}
	o := warc.Options{Want: s.wanted, Format: opt.Format, Name: opt.Name, MaxBlock: opt.MaxBlock, MaxUnit: opt.MaxUnit}
	s.chosen, s.named = chosen{}, opt.Named
	if f, ok := file.(*selected); ok {
		s.chosen.begin(f, &r)
		o.Format = f.format
		o.Want = nil // every record is compared with the line of the index that led to it
	}
	return s.reader.Reset(file, r.Start, r.End, r.First, o)
}

// mayBePageOrGold reports whether the block of a record is needed, because the record may
// be a page or gold. Digests are not checked, and pages of damaged units are kept with a
// flag. There are no options to change either.
func mayBePageOrGold(h *warc.Header) bool {
	switch h.Type() {
	case warc.TypeResponse, warc.TypeResource:
		return true
	case warc.TypeMetadata:
		return isGold(string(h.Get("content-type")))
	}
	return false
}

// orConversion replaces mayBePageOrGold if conversion records of HTML are pages.
func orConversion(h *warc.Header) bool {
	if h.Type() != warc.TypeConversion {
		return mayBePageOrGold(h)
	}
	switch payload.MediaType(string(h.Get("content-type"))) {
	case "text/html", "application/xhtml+xml":
		return true
	}
	return false
}

// Next implements Source.
func (s *WARC) Next() (Step, error) {
	if s.decoded {
		s.keep()
	}
	if s.ahead {
		s.ahead = false
		return Candidate, nil
	}
	for !s.over {
		wrong, err := s.read()
		switch {
		case wrong:
			return Failed, nil
		case err != nil && err != io.EOF:
			return 0, err
		}
		if err == io.EOF {
			s.over = true
			found, err := s.goldFollows()
			if err != nil {
				return 0, err
			}
			if found && !s.attach() {
				return Failed, nil
			}
			break
		}
		s.rec.TargetURI, s.rec.RecordID = schemas.Shorten(s.rec.TargetURI, MaxURL), schemas.Shorten(s.rec.RecordID, MaxURL)
		if s.rec.Type != warc.TypeMetadata {
			if s.ahead = s.waiting; s.ahead {
				break
			}
			return Candidate, nil
		}
		s.account.notPage("gold")
		// Gold at the start of a range was read together with the last page of the
		// range before.
		if head := s.rec.Seq == 0 && s.start > 0; !head && !s.attach() {
			return Failed, nil
		}
	}
	if s.waiting {
		s.complete()
		return Ready, nil
	}
	s.lookBack()
	s.ready = -1
	return 0, io.EOF
}

// read reads the next record that may be a page or gold. If a line of an index proves
// wrong before that record, read sets failure and returns true instead.
func (s *WARC) read() (wrong bool, err error) {
	if s.chosen.sel != nil {
		return s.readChosen()
	}
	err = s.reader.Next(&s.rec)
	s.at = s.rec.Offset
	return false, err
}

// keep copies the page just decoded, because the reader and the decoder reuse their
// buffers for the next record. It reuses the buffer of the page before, unless the caller
// has set Page.HTML to nil.
func (s *WARC) keep() {
	buf := s.page.HTML
	if cap(buf) > retained {
		buf = nil
	}
	s.page.take(s.name, &s.rec, &s.doc)
	s.page.Index = keptFields(s.chosen.kept)
	s.page.HTML = append(buf[:0], s.doc.HTML...)
	s.seq, s.pageAt, s.decoded, s.waiting = s.rec.Seq, s.at, false, true
}

// goldFollows reads the record after the range's last one, if it is gold. The gold is handled
// here even if there is no page for it, because only this range knows the record before
// it. The same failures are therefore reported wherever the file is cut.
func (s *WARC) goldFollows() (gold bool, err error) {
	if s.start > 0 && s.reader.Summary().Records == 0 {
		return false, nil
	}
	found, err := s.reader.Follow(&s.rec)
	if s.at = s.rec.Offset; found && s.chosen.sel != nil {
		s.rec.Offset = s.chosen.sel.real(s.at)
	}
	return found && s.rec.Type == warc.TypeMetadata, err
}

// attach attaches the gold record just read to the page that waits for it. If it cannot,
// it returns false and sets failure.
func (s *WARC) attach() bool {
	err := errNoPage
	if s.waiting && s.rec.Seq == s.seq+1 && (s.chosen.sel == nil || s.chosen.sel.adjacent(s.pageAt, s.at)) {
		s.page.Gold, err = goldOf(&s.rec, s.page.RecordID)
	}
	if err == nil {
		return true
	}
	s.failure = schemas.Failure{
		Offset: s.rec.Offset, Length: s.rec.Length, Stage: "gold", Reason: "gold-bad",
		Severity: warc.Damaged.String(), Detail: err.Error(),
	}
	return false
}

// complete makes the waiting page Ready. Its compressed unit has been read to its end
// now, unless the unit holds more records, so its checksum is known.
func (s *WARC) complete() {
	s.waiting = false
	at := s.pageAt
	if contains(s.reader.Summary().Unverified, at) {
		s.page.Flags |= warc.FlagUnverified
	}
	if at != s.ready {
		s.lookBack()
		s.ready = -1
	}
	if s.page.Flags&warc.FlagUnverified == 0 {
		s.ready = at
	}
}

// lookBack records in DamagedLate if the unit of the pages that were Ready last has proved
// damaged since. A unit may hold many records, and its checksum comes after them.
func (s *WARC) lookBack() {
	late := &s.account.DamagedLate
	if s.ready >= 0 && len(*late) < schemas.MaxUnverified && contains(s.reader.Summary().Unverified, s.ready) {
		at := s.ready
		if s.chosen.sel != nil {
			at = s.chosen.sel.real(at)
		}
		*late = append(*late, at)
	}
}

// contains reports whether an ascending list contains v. New entries are appended, so the
// search starts at the list's end.
func contains(list []int64, v int64) bool {
	for i := len(list) - 1; i >= 0 && list[i] >= v; i-- {
		if list[i] == v {
			return true
		}
	}
	return false
}

// Position returns, at the step Candidate, how far the reading has come. It is an offset in the
// file that Open returned.
func (s *WARC) Position() int64 { return s.at }

// Addressable reports, at the step Candidate, whether the record can be read again by its address
// alone: at its own cost, and with the same result.
func (s *WARC) Addressable() bool {
	const doubtful = warc.FlagUnverified | warc.FlagAfterResync | warc.FlagTruncated | warc.FlagLength
	return s.reader.Format().Splittable() && s.rec.Ordinal == 0 && s.rec.Length > 0 && s.rec.Flags&doubtful == 0
}

// Record implements Source.
func (s *WARC) Record() *warc.Record { return &s.rec }

// Decode implements Source.
func (s *WARC) Decode() (doc payload.Document, err error) {
	defer func() {
		if v := recover(); v != nil {
			doc, err = payload.Document{}, fmt.Errorf("%v\n%s", v, debug.Stack())
			s.decoder = payload.Decoder{Options: s.decoder.Options} // whatever state it was in
		}
	}()
	m := payload.Message{Kind: payload.Response, Block: s.rec.Block}
	if s.rec.Type == warc.TypeResource || s.rec.Type == warc.TypeConversion {
		m.Kind, m.ContentType = payload.Resource, s.rec.ContentType
	}
	s.doc = s.decoder.Decode(m)
	s.decoded = s.doc.Outcome == payload.Page
	if s.doc.Outcome == payload.NotPage {
		s.account.notPage(string(s.doc.Reason))
	}
	return s.doc, nil
}

// Page implements Source.
func (s *WARC) Page() *Page { return &s.page }

// Ahead implements Source.
func (s *WARC) Ahead() string {
	if s.ahead {
		return s.rec.TargetURI
	}
	return ""
}

// Failure implements Source.
func (s *WARC) Failure() *schemas.Failure { return &s.failure }

// Account implements Source.
func (s *WARC) Account() Account {
	a := s.account
	a.Summary = s.reader.Summary()
	if s.chosen.sel != nil {
		s.chosen.account(&a.Summary)
	}
	return a
}
