package schemas

import (
	"fmt"
	"time"
)

// RunID names a run. The user chooses it, or it is made from the time at which the run
// was planned. It consists of letters, digits, '-', '_' and '.', so that it can be used
// in a subject, a key and a path.
type RunID string

// Check returns an error for names that cannot be used in a subject, a key or a path.
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

// A run with site-level extractors, or one that reads files of hosts (Learn.Agents), has all
// three phases, in this order. Any other run has the last one only.
const (
	PhaseScan    Phase = "scan"    // reads pages and writes candidates for the samples of their sites
	PhaseLearn   Phase = "learn"   // reads samples and writes templates
	PhaseExtract Phase = "extract" // reads pages and writes rows
)

// File is one input file, as it was when the run was planned.
type File struct {
	URL string `json:"url"` // without user, password and signature
	// Private means that reading the file needs a user, password or signature, which
	// Run.Access has.
	Private bool `json:"private,omitempty"`
	// Name is the name of the file in the tables, if the first of FileNames would be
	// the name of another file of the run too.
	Name     string `json:"name,omitempty"`
	Size     int64  `json:"size"`
	Identity string `json:"identity"` // ETag, version or modification time: a change is an error
	Within   Within `json:"within,omitzero"`
	// Selection is set if an index chose records of the file.
	Selection Selection `json:"selection,omitzero"`
	// Range is set if the run reads only the records that begin in this range, because
	// another run has done those before and after it. Its ends are the starts of records.
	// A file may then be in the plan several times, with ranges that do not overlap.
	Range Range `json:"range,omitzero"`
	Split bool  `json:"split"` // may be cut into ranges
	Items int   `json:"items"`
	// Refused is the reason why the file is not read ("not-warc", "unreadable", "missing",
	// "document-bad"). The file then has no items, and the failures table has a row for all
	// of its bytes. Detail may say more.
	Refused string `json:"refused,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Range is the bytes [Start, End) of a file.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// Bounds returns the range of the file that the run reads.
func (f *File) Bounds() (start, end int64) {
	if f.Range != (Range{}) {
		return f.Range.Start, f.Range.End
	}
	return 0, f.Size
}

// Length returns the number of bytes of the file that the run reads.
func (f *File) Length() int64 {
	start, end := f.Bounds()
	return end - start
}

// RunLink names another run.
type RunLink struct {
	Run RunID  `json:"run"`
	Out string `json:"out"` // blob URL of its output folder
	// Files is the number of files of the run, or of the one that it retried itself.
	Files int `json:"files,omitempty"`
}

// Share describes which of several parts of an input the run reads. Each part has a run of
// its own.
type Share struct {
	Number int `json:"number"` // from 1
	Of     int `json:"of"`
	Files  int `json:"files"` // number of files of the whole input
}

// Alone reports whether the run has one input file only. The names of packages depend on
// it, so a run that retries another one answers for that one, and a share for the whole
// input.
func (r *Run) Alone() bool {
	switch {
	case r.RetryOf != nil:
		return r.RetryOf.Files <= 1
	case r.Share != nil:
		return r.Share.Files <= 1
	}
	return r.Sealed.Files <= 1
}

// SkippedFile is an input that a run does not read because an earlier run has done it.
type SkippedFile struct {
	URL      string `json:"url"` // as in File, like the other fields
	Size     int64  `json:"size"`
	Identity string `json:"identity,omitempty"`
	Within   Within `json:"within,omitzero"`
	Indexed  bool   `json:"indexed,omitempty"` // as Selection.Collection of a File
	Run      RunID  `json:"run"`               // the run that has done it
}

// Capture is a page as a run has extracted it: a row of the table that Run.Captures
// describes, which is sorted by Address and has each address once.
type Capture struct {
	Address uint64 // hash of the address of the page
	Content uint64 // Page.ContentHash
	Run     int32  // number of the run among those that were compared, from 0, the newest first
}

// CapturesName returns the name of the file of Run.Captures. id has 32 hexadecimal digits.
func CapturesName(id string) string { return SelectionFolder + "/" + id + ".parquet" }

// Run is a job: its inputs, and what is done with them.
type Run struct {
	Version int       `json:"version"`
	ID      RunID     `json:"id"`
	Created time.Time `json:"created"`
	Recipe  Recipe    `json:"recipe"`
	Hash    string    `json:"hash"`  // digest of the recipe
	Out     string    `json:"out"`   // blob URL of the output folder
	Files   []File    `json:"files"` // files to read; the head of a run, unlike the manifest, has none
	// Skipped lists the inputs that are not read because earlier runs have done them. It
	// is part of the plan, so that a run that goes on skips the same ones, whatever runs
	// were finished since. The head of a run has none.
	Skipped []SkippedFile `json:"skipped,omitempty"`
	// Captures describes the file of the output folder that has the latest captures of pages
	// in earlier runs (Capture). The run does not extract a page again that is among them. It
	// is nil if there are no earlier runs. Like Skipped, it is part of the plan.
	Captures *Shard `json:"captures,omitempty"`
	// RetryOf is set if the run does again what an earlier run gave up, and nothing else.
	RetryOf *RunLink `json:"retry_of,omitempty"`
	// Share is set if the run reads a part of its input.
	Share   *Share        `json:"share,omitempty"`
	Sealed  Sealed        `json:"sealed"`
	Phases  []Phase       `json:"phases"`
	Phase   Phase         `json:"phase"` // the current one
	State   RunState      `json:"state"`
	ItemMax int64         `json:"item_bytes"` // bytes of a full item
	Lease   time.Duration `json:"lease"`      // how long a worker may be silent

	// Access holds the user, password or signature that reading private files, or the
	// side file with gold, needs, by their URL. It is written to no record and no
	// output. The broker holds it while the run goes on (queue.Access).
	Access map[string]string `json:"-"`
}

// RunState is the state of a run.
type RunState string

const (
	RunPlanned  RunState = "planned"  // written, and no aggregator works on it yet
	RunActive   RunState = "active"   // being worked on
	RunDone     RunState = "done"     // tables published
	RunFailed   RunState = "failed"   // ended without tables, see Ended
	RunCanceled RunState = "canceled" // ended by the user
)

// Ended is the content of EndedFile.
type Ended struct {
	Version int       `json:"version"`
	Run     RunID     `json:"run"`
	State   RunState  `json:"state"` // RunCanceled or RunFailed
	Reason  string    `json:"reason,omitempty"`
	Time    time.Time `json:"time"`
}

// DecodeEnded reads the content of EndedFile.
func DecodeEnded(data []byte) (*Ended, error) {
	return decode("end of a run", data, func(e *Ended) error {
		if e.Version != Version || e.State != RunCanceled && e.State != RunFailed {
			return fmt.Errorf("version %d, state %.50q", e.Version, string(e.State))
		}
		return e.Run.Check()
	})
}

// Sealed is the size of a run's plan. The results must account for all of it at the
// end.
type Sealed struct {
	Files int   `json:"files"`
	Items int   `json:"items"`
	Bytes int64 `json:"bytes"`
}

// Item returns item seq of the file with that index. The items of a file have equal
// sizes, except for rounding, which follow from the size of the file and the number of
// items.
func (r *Run) Item(file, seq int) Item {
	f := &r.Files[file]
	first, _ := f.Bounds()
	size := f.Length()
	cut := func(i int) int64 {
		// The product size*i/n would overflow for huge files with many items.
		n := int64(f.Items)
		return first + size/n*int64(i) + size%n*int64(i)/n
	}
	return Item{
		Version: Version, Run: r.ID, Hash: r.Hash, Phase: r.Phase, Seq: seq,
		File: FileRange{Index: file, Stored: f.Stored(), Private: f.Private, Name: f.Name,
			Selection: f.Selection, Split: f.Split, Total: f.Size, Start: cut(seq), End: cut(seq + 1), First: -1},
	}
}

// Items returns the number of items of all files.
func (r *Run) Items() int {
	n := 0
	for _, f := range r.Files {
		n += f.Items
	}
	return n
}
