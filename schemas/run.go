package schemas

import (
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
	// Selection is set if an index chose records of the file.
	Selection Selection `json:"selection,omitzero"`
	Split     bool      `json:"split"` // may be cut into ranges
	Items     int       `json:"items"`
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
		Version: Version, Run: r.ID, Hash: r.Hash, Phase: r.Phase, Seq: seq,
		File: FileRange{Index: file, Stored: f.Stored(), Private: f.Private, Name: f.Name,
			Selection: f.Selection, Split: f.Split, Total: f.Size, Start: cut(seq), End: cut(seq + 1), First: -1},
	}
}

// LearnItem returns item seq of the phase learn: an equal share of the buckets.
func (r *Run) LearnItem(seq int) Item {
	cut := func(i int) int64 { return int64(SiteBuckets) * int64(i) / int64(r.LearnItems) }
	return Item{Version: Version, Run: r.ID, Hash: r.Hash, Phase: PhaseLearn, Seq: seq, Sites: SiteRange{Start: cut(seq), End: cut(seq + 1)}}
}

// Items is the number of items of all files.
func (r *Run) Items() int {
	n := 0
	for _, f := range r.Files {
		n += f.Items
	}
	return n
}
