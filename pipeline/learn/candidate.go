package learn

import "cmp"

// Candidate is the names and the location of a page that may be in the sample of its
// site, of a page that may be linked to, or of a redirect within its site.
type Candidate struct {
	Site     string
	Rank     uint64 // of its canonical address
	TextHash uint64 // of the page's body, for a page that may be in the sample
	Target   uint64 // rank of the address that a redirect leads to
	URL      string // as the phase extract sees it
	Date     int64  // of the capture, seconds since 1970; 0 if unknown
	RecordID string

	File    int32 // index into Run.Files
	Offset  int64 // of the unit that holds the record
	Ordinal int32 // within it
	// Copy is the offset of a copy of the record in the samples file of the item,
	// -1 if there is none.
	Copy int64

	// Shard is the index of the shard that the candidate was read from. It is not
	// stored.
	Shard int32
}

// better reports whether a is preferred to b for the sample, if both are captures of
// the same address. The later capture is preferred, then the one with the smaller
// record id. The file and the location decide between captures with the same id.
func better(a, b *Candidate) bool {
	return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(a.RecordID, b.RecordID), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Ordinal, b.Ordinal)) < 0
}

// Compare orders captures of one address. The preferred capture is the first.
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
