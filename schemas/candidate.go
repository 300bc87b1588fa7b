package schemas

import "cmp"

// Candidate is a row of the table candidates, which the phase scan leaves for the phase
// learn: the names and the location of a page that may be in the sample of its site, of a
// redirect within its site, of a page that may be linked to, or of a file of a host.
type Candidate struct {
	Site     string
	Kind     string // KindFile, KindPage, KindRedirect or KindTarget
	Rank     uint64 // rank of the canonical address
	TextHash uint64 // hash of the body's text, for KindPage
	Target   uint64 // rank of the address that a redirect leads to
	URL      string // address of the page in the phase extract
	Date     int64  // time of the capture, seconds since 1970; 0 if unknown
	RecordID string

	Offset  int64 // start of the unit that holds the record
	Ordinal int32 // number of the record within the unit
	Copy    int64 // offset of a copy of the record in the samples of its item; -1 if there is none

	// The committer fills in the fields below from the plan and the report of the item,
	// because a worker must not choose what another one opens.
	File    int32  // index into Run.Files
	Copies  string // file of the output folder with the copy; "" if there is none
	Stored  Stored // location of the record in its input, if Copies is ""
	Private bool   // File.Private
}

// Kinds of candidates, in the order of rows in the table.
const (
	KindFile     = "file"     // robots.txt or tdmrep.json; the site is a scheme, host and port
	KindPage     = "page"     // a page that may be in the sample of its site
	KindRedirect = "redirect" // a redirect within its site, for extractors that follow links
	KindTarget   = "target"   // any HTML page, for the same extractors
)

// Bounds on the candidates of a site. Further ones are not used.
const (
	SitePages      = 64 // rows of KindPage, each with another address
	TargetCaptures = 4  // rows of KindTarget with one address
	FileDays       = 64 // rows of KindFile with one address, each of another day
)

// CompareCandidates orders rows by site, kind and rank. Captures of one address are in the
// order in which they are preferred: the later one first, then the one with the smaller
// record id. The file and the location decide between captures with the same id.
func CompareCandidates(a, b *Candidate) int {
	return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Rank, b.Rank),
		cmp.Compare(b.Date, a.Date), cmp.Compare(a.RecordID, b.RecordID), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Ordinal, b.Ordinal))
}
