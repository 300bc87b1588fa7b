package source

import "github.com/winnow/winnow/pipeline/warc"

// Reader is a Source that reads ranges of input files of a run, one after the other. It
// keeps its buffers from one range to the next. It handles all formats of such files, so
// its callers need not distinguish them.
type Reader interface {
	Source

	// Reset begins to read a range of a file that Open has opened.
	Reset(file warc.Source, r Range, opt Options) error

	// Position returns, at the step Candidate, how far the reading has come. It is an
	// offset in the file that Open returned.
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
