package schemas

import "time"

// Done is the report of one finished item. It is published only after every
// shard it names is in the blob store.
type Done struct {
	Version int    `json:"version"`
	Item    Item   `json:"item"`
	ID      ItemID `json:"id"`
	Attempt int    `json:"attempt"`
	Worker  string `json:"worker"`

	// First is the offset of the first record that was read. Next is the offset of the
	// first record that belongs to the following item, or the size of the file at its
	// end. Both are 0 in the phase learn. The item is accepted only if First equals
	// the Next of the item before it.
	First int64 `json:"first"`
	Next  int64 `json:"next"`

	Shards []Shard `json:"shards,omitempty"`
	Counts Counts  `json:"counts"`

	// Unverified holds the offsets, in ascending order, of compressed units whose damage
	// was found after rows of pages in them had been written. These pages get the flag
	// "unverified" when the item is accepted. There are at most MaxUnverified.
	Unverified []int64 `json:"unverified,omitempty"`

	// Learned is the account of an item of the phase learn; nil for others.
	Learned *Learned `json:"learned,omitempty"`

	Ended   time.Time     `json:"ended"` // end of the attempt, by the clock of the worker
	Elapsed time.Duration `json:"elapsed"`
}

// MaxUnverified bounds Done.Unverified, because a message of the broker has a limited
// size.
const MaxUnverified = 10_000

// Shard is one immutable file that a worker wrote for one item and table.
type Shard struct {
	Table  Table  `json:"table"`
	Name   string `json:"name"` // path below Run.Out
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Learned counts the sites of an item of the phase learn.
type Learned struct {
	Sites    int64            `json:"sites"`
	Statuses map[string]int64 `json:"statuses,omitempty"` // pairs of a site and a method, by TemplateRow.Status
}

// Table names an output table.
type Table string

const (
	TablePages     Table = "pages"
	TableDocuments Table = "documents"
	TableScores    Table = "scores"
	TablePackages  Table = "packages"
	TableSpeed     Table = "speed"
	TableAgreement Table = "agreement"
	TableTexts     Table = "texts"
	TableFailures  Table = "failures"
	TableLinks     Table = "links"
	TableTemplates Table = "templates"

	// TableRecords is not a table, but copies of the records that an index named, in
	// archives, each with an index.
	TableRecords Table = "records"

	// TableDuplicates is written by "winnow dedup", from the tables of finished runs.
	TableDuplicates Table = "duplicates"

	// TableCandidates is written by the phase scan and read by the phase learn. TableSamples
	// is not a table, but copies of records that cannot be read by their location.
	TableCandidates Table = "candidates"
	TableSamples    Table = "samples"

	// TableCaptures is written when a run is planned, see Run.Captures.
	TableCaptures Table = "captures"
)

// Counts tells how many records of an item had each outcome. These sums must hold:
//
//	Records = Pages + NotHTML + Refused (each by kind or reason)
//	rows of pages = Pages,  of documents = Pages * extractors,
//	of scores = WithGold * extractors * scorers
//	rows of texts, if there are any, + LeftOut = outcomes ok
//	rows of records, if they are copied, = Records - those that no line of an index led to
//	Bytes = BytesUnits + BytesGaps
type Counts struct {
	Records int64            `json:"records"`
	ByType  map[string]int64 `json:"by_type,omitempty"` // WARC-Type
	Pages   int64            `json:"pages"`             // records that became rows
	// WithGold counts the pages that have gold. Only these have rows of scores.
	WithGold int64            `json:"with_gold,omitempty"`
	NotHTML  map[string]int64 `json:"not_html,omitempty"` // record kinds that are not pages: "request", "status", "media-type", "document-pdf" …
	Refused  map[string]int64 `json:"refused,omitempty"`  // records that should have been pages, by reason

	Bytes      int64 `json:"bytes"` // bytes of the file, from First to Next
	BytesUnits int64 `json:"bytes_units"`
	BytesGaps  int64 `json:"bytes_gaps"`
	BytesEmpty int64 `json:"bytes_empty,omitempty"` // part of BytesUnits: units without content, such as empty gzip members
	BytesHTML  int64 `json:"bytes_html"`            // decoded payload of all pages

	Defects  map[string]int64 `json:"defects,omitempty"`  // by code
	Outcomes map[string]int64 `json:"outcomes,omitempty"` // "bte/ok", "bte/failed/panic"
	Rows     map[Table]int64  `json:"rows,omitempty"`
	// Unmade counts scores that a scorer failed to compute, by scorer. Each of them is a
	// defect of the scorer, never of the page.
	Unmade map[string]int64 `json:"unmade,omitempty"`
	// LeftOut counts the texts that Recipe.Keep left out, by Document.LeftOutBy.
	LeftOut map[string]int64 `json:"left_out,omitempty"`
}

// Kinds of Counts.NotHTML that occur with an index: records that were read but that it does not
// name, and records whose URL is not the one in the index.
const (
	KindUnnamed  = "index-unnamed"
	KindOtherURL = "index-url"
)

// KindUnchanged is the kind of Counts.NotHTML of pages that are in Run.Captures: an earlier
// run has extracted them.
const KindUnchanged = "unchanged"

// Dead is an item or record that was given up.
type Dead struct {
	Version int  `json:"version"`
	Item    Item `json:"item"`
	// Offset and Length are the range of the file that is given up: that of the record
	// or of the whole item. Both are 0 in the phase learn.
	Offset   int64     `json:"offset"`
	Length   int64     `json:"length"`
	Stage    string    `json:"stage"` // "read", "page", "extract", "item" …
	Reason   string    `json:"reason"`
	Detail   string    `json:"detail"`
	Attempts int       `json:"attempts"`
	Time     time.Time `json:"time"`
}
