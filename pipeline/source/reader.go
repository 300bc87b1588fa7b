package source

import "github.com/winnow/winnow/pipeline/warc"

// Reader is a Source that reads ranges of input files of a run, one after the other, and
// keeps its buffers from one to the next. It knows their formats, so its callers need not.
type Reader interface {
	Source

	// Reset begins to read a range of a file that Open has opened.
	Reset(file warc.Source, r Range, opt Options) error

	// Position is how far the reading has come at the step Candidate: an offset of what
	// Open opened.
	Position() int64

	// Addressable reports, at the step Candidate, whether the record can be read again by
	// its address alone: at its own cost, and with the same result.
	Addressable() bool
}

var _ Reader = (*WARC)(nil)

// NewReader returns a Reader of files of all formats that a run can read.
func NewReader() Reader { return new(WARC) }

// Addressable implements Reader.
func (s *WARC) Addressable() bool {
	const doubtful = warc.FlagUnverified | warc.FlagAfterResync | warc.FlagTruncated | warc.FlagLength
	return s.reader.Format().Splittable() && s.rec.Ordinal == 0 && s.rec.Length > 0 && s.rec.Flags&doubtful == 0
}
