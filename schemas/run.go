package schemas

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// RunID names a run. It is chosen by the user or made from the time the run
// was planned; letters, digits, '-', '_' and '.' only, so that it can stand in
// a subject, a key and a path.
type RunID string

// Check refuses names that cannot stand in a subject, a key or a path.
func (id RunID) Check() error {
	if len(id) == 0 || len(id) > 100 {
		return fmt.Errorf("schemas: run id %.20q: must have 1 to 100 characters", string(id))
	}
	for i, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9':
		case (c == '-' || c == '_' || c == '.') && i > 0:
		default:
			return fmt.Errorf("schemas: run id %q: only letters, digits, '-', '_' and '.' may be used, the first must be a letter or digit", string(id))
		}
	}
	return nil
}

// Phase is a pass over the input.
type Phase string

// A run with site-level extractors has all three, in this order; any other run
// has the last alone.
const (
	PhaseScan    Phase = "scan"    // pages to candidates for their sites' samples
	PhaseLearn   Phase = "learn"   // samples to templates
	PhaseExtract Phase = "extract" // pages to rows
)

// SiteBuckets is the number of buckets over which sites are spread by the hash
// of their key. An item of the phase learn is a range of them.
const SiteBuckets = 1024

// Recipe is everything that decides what rows a run writes. Its hash names
// shards, so that output of another recipe is never mistaken for this one's.
type Recipe struct {
	Version    int      `json:"version"`
	Build      string   `json:"build"`      // version of the program
	Extractors []Method `json:"extractors"` // in suite order
	Scorers    []Method `json:"scorers"`
	Texts      string   `json:"texts,omitempty"`    // "", "parquet", "jsonl" or "warc"
	Spans      bool     `json:"spans,omitempty"`    // keep spans in the documents table
	Statuses   []int    `json:"statuses,omitempty"` // HTTP statuses of responses that are pages; none stands for 200
	PackageBy  string   `json:"package_by"`         // "file", "host" or "domain", for pages without a package of their own
	SiteBy     string   `json:"site_by,omitempty"`
	// AgreementPages is the number of pages from which a package has rows of its own
	// in the agreement table of a run of many packages; 0 stands for the default.
	AgreementPages int     `json:"agreement_pages,omitempty"`
	Reading        Reading `json:"reading,omitzero"`
	Learn          *Learn  `json:"learn,omitempty"`       // nil without site-level extractors
	GoldDigest     string  `json:"gold_digest,omitempty"` // SHA-256 of a side file with gold
	Gold           string  `json:"gold,omitempty"`        // URL of the side file, without user, password and signature
	// GoldPrivate says that the side file is fetched with one of these: Run.Access.
	GoldPrivate bool   `json:"gold_private,omitempty"`
	Limits      Limits `json:"limits"`
	// Timing is how extractors are timed: "" of single executions, or "window"
	// (driver.Timing). It decides what extract_ns says, and no other column.
	Timing string `json:"timing,omitempty"`
}

// Digest is the hash of a recipe: equal for equal recipes, short enough to
// stand in a file name.
func (r *Recipe) Digest() string {
	data, err := json.Marshal(r) // fields in order, map keys sorted
	if err != nil {
		panic("schemas: recipe: " + err.Error()) // cannot be: it holds strings and numbers only
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Method is a chosen extractor or scorer with its settings.
type Method struct {
	Name     string            `json:"name"`               // as in the tables: "lqf-50", "alarte-silva:c=4"
	Base     string            `json:"base"`               // the listed method: "alarte-silva"
	Settings map[string]string `json:"settings,omitempty"` // settings that differ from the published
	Fidelity string            `json:"fidelity"`
	Family   string            `json:"family,omitempty"` // variants of one algorithm share it
	// Mean is the package figure that a scorer's source publishes
	// (algorithms.Mean); empty for extractors.
	Mean  string  `json:"mean,omitempty"`
	Top   float64 `json:"top,omitempty"`   // largest value of a measure that is no F1; 0 stands for 1
	Lower bool    `json:"lower,omitempty"` // the smaller value is the better one
}

// Reading says how pages are read where the methods' sources differ. The zero
// Reading is the specification's default.
type Reading struct {
	// Hidden is "" where text that the page hides is never selected and counts for
	// nothing, and "show" where it is text like any other.
	Hidden string `json:"hidden,omitempty"`
	// Words is "" where a word of a script that has no blanks is one of its
	// characters, and "space" where blanks alone part words.
	Words string `json:"words,omitempty"`
}

// Learn is what decides which templates sites get, besides their pages.
type Learn struct {
	Sites string `json:"sites"` // version of the list of public suffixes, and of the sample
	// Templates is the output folder of an earlier run whose templates are used
	// where they are not older than MaxAge and of the same methods and settings.
	Templates string        `json:"templates,omitempty"`
	Digest    string        `json:"digest,omitempty"` // of that folder's index
	MaxAge    time.Duration `json:"max_age,omitempty"`
}

// Limits bound what one record, page or method may cost. Zero means default.
type Limits struct {
	BlockBytes   int64         `json:"block_bytes,omitempty"`   // of a record kept in memory
	PayloadBytes int64         `json:"payload_bytes,omitempty"` // of a decoded HTML document
	UnitBytes    int64         `json:"unit_bytes,omitempty"`    // inflated from one compressed unit
	PageNodes    int64         `json:"page_nodes,omitempty"`    // of a page's tree; at twice as many, the tags and runs of text of its source
	PageText     int64         `json:"page_text,omitempty"`     // bytes of a page's text, without scripts and styles
	PageTime     time.Duration `json:"page_time,omitempty"`     // of one wrapped extractor on one page
	MethodTime   time.Duration `json:"method_time,omitempty"`   // of one own extractor or measure on one page, far above what any takes
	ScoreBytes   int64         `json:"score_bytes,omitempty"`   // of a text, gold or extracted, that is scored
}

// File is one input file, as it was when the run was planned.
type File struct {
	URL string `json:"url"` // without user, password and signature
	// Private says that the file is fetched with one of these: Run.Access has it.
	Private bool `json:"private,omitempty"`
	// Name is what the file is called in the tables, where the first of FileNames
	// would not tell it from another file of the run.
	Name     string `json:"name,omitempty"`
	Size     int64  `json:"size"`
	Identity string `json:"identity"` // ETag, version or modification time: a change is an error
	Within   Within `json:"within,omitzero"`
	Split    bool   `json:"split"` // may be cut into ranges
	Items    int    `json:"items"`
	// Refused says why the file is not read ("not-warc", "unreadable",
	// "missing"); it then has no items, and the whole of it is a row of the failures table.
	Refused string `json:"refused,omitempty"`
}

// Run is a job: what to read, what to do with it, and where it stands.
type Run struct {
	Version int       `json:"version"`
	ID      RunID     `json:"id"`
	Created time.Time `json:"created"`
	Recipe  Recipe    `json:"recipe"`
	Hash    string    `json:"hash"`  // of the recipe
	Out     string    `json:"out"`   // blob URL of the output folder
	Files   []File    `json:"files"` // in the manifest; left out where only the head of a run is kept
	Sealed  Sealed    `json:"sealed"`
	Phases  []Phase   `json:"phases"`
	Phase   Phase     `json:"phase"` // the present one
	State   RunState  `json:"state"`
	ItemMax int64     `json:"item_bytes"` // bytes of a full item
	// LearnItems is the number of items of the phase learn; 0 without one.
	LearnItems int           `json:"learn_items,omitempty"`
	Lease      time.Duration `json:"lease"` // how long a worker may be silent

	// Access is what private files, and the side file with gold, are fetched with, by
	// their URL. It is in no record and no output; the broker has it while the run
	// goes on (queue.Access).
	Access map[string]string `json:"-"`
}

// RunState is where a run stands.
type RunState string

const (
	RunPlanned  RunState = "planned"  // written, items not yet all published
	RunActive   RunState = "active"   // items are published: sealed totals
	RunDone     RunState = "done"     // tables published
	RunFailed   RunState = "failed"   // ended without tables, see the manifest
	RunCanceled RunState = "canceled" // ended by the user
)

// Sealed is the size of a run's plan: what must be accounted for at its end.
type Sealed struct {
	Files int   `json:"files"`
	Items int   `json:"items"`
	Bytes int64 `json:"bytes"`
}

// Item returns item seq of the file of that index. The items of a file are of
// equal size but for the rounding: they follow from its size and their number.
func (r *Run) Item(file, seq int) Item {
	f := &r.Files[file]
	cut := func(i int) int64 {
		// Not size*i/n, which would overflow for huge files in many pieces.
		n := int64(f.Items)
		return f.Size/n*int64(i) + f.Size%n*int64(i)/n
	}
	return Item{
		Version: Version, Run: r.ID, Hash: r.Hash, Phase: r.Phase, File: file, Seq: seq,
		URL: f.URL, Private: f.Private, Name: f.Name, Size: f.Size, Ident: f.Identity, Within: f.Within, Split: f.Split, Start: cut(seq), End: cut(seq + 1), First: -1,
	}
}

// LearnItem returns item seq of the phase learn: an equal share of the buckets.
func (r *Run) LearnItem(seq int) Item {
	cut := func(i int) int64 { return int64(SiteBuckets) * int64(i) / int64(r.LearnItems) }
	return Item{Version: Version, Run: r.ID, Hash: r.Hash, Phase: PhaseLearn, Seq: seq,
		Size: SiteBuckets, Start: cut(seq), End: cut(seq + 1), First: -1}
}

// Items is the number of items of all files.
func (r *Run) Items() int {
	n := 0
	for _, f := range r.Files {
		n += f.Items
	}
	return n
}
