package learn

import "cmp"

// Candidate is a page that may be in the sample of its site, a page that may be linked
// to, or a redirect within its site (Kind): its names and its location.
type Candidate struct {
	Site     string
	Rank     uint64 // of its canonical address
	TextHash uint64 // of its body, of a page that may be in the sample
	Target   uint64 // rank of the address that a redirect leads to
	URL      string // as extraction sees it
	Date     int64  // of the capture, seconds since 1970; 0 if unknown
	RecordID string

	File    int32 // index into Run.Files
	Offset  int64 // of the unit that holds the record
	Ordinal int32 // within it
	// Copy is the offset of a copy of the record in the samples file of the item,
	// -1 if there is none.
	Copy int64

	// Shard is the index of the shard that it was read from. It is not stored.
	Shard int32
}

// better reports whether a is sampled rather than b, another capture of the same
// address: the later one is, then the one of the smaller record id. The file and the
// location decide between captures that have the same id.
func better(a, b *Candidate) bool {
	return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(a.RecordID, b.RecordID), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Ordinal, b.Ordinal)) < 0
}

// Compare orders captures of one address, the one that is sampled first.
func Compare(a, b *Candidate) int {
	if a == b {
		return 0
	}
	if better(a, b) {
		return -1
	}
	if better(b, a) {
		return 1
	}
	return 0
}
