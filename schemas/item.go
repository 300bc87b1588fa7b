package schemas

import "fmt"

// Item is one unit of work: a range of a file in the phases scan and extract, and a
// range of sites in the phase learn. The range that does not apply is zero.
type Item struct {
	Version int       `json:"version"`
	Run     RunID     `json:"run"`
	Hash    string    `json:"hash"` // digest of the recipe
	Phase   Phase     `json:"phase"`
	Seq     int       `json:"seq"` // index within the file, or within the phase learn
	File    FileRange `json:"file,omitzero"`
	Sites   SiteRange `json:"sites,omitzero"`
}

// LearnItems is the number of items of the phase learn: one for each file of the sorted
// candidates, which the phase scan leaves.
func (m *Manifest) LearnItems() int {
	if m.Templates == nil {
		return 0
	}
	return len(m.Templates.Items)
}

// LearnItem returns item seq of the phase learn.
func (m *Manifest) LearnItem(seq int) Item {
	return Item{Version: Version, Run: m.Run.ID, Hash: m.Run.Hash, Phase: PhaseLearn, Seq: seq, Sites: m.Templates.Items[seq]}
}

// FileRange identifies the records of one file whose first byte lies in [Start, End). The
// ranges of a file's items partition it.
type FileRange struct {
	Index int `json:"index"` // index into Run.Files
	Stored
	Private   bool      `json:"private,omitempty"`  // File.Private
	Name      string    `json:"name,omitempty"`     // File.Name
	Selection Selection `json:"selection,omitzero"` // File.Selection
	Split     bool      `json:"split,omitempty"`    // File.Split: any range can be read at its own cost
	// Total is File.Size: the bytes of the file, or of the records that Selection names
	// of it. Start, End and First lie within it.
	Total int64 `json:"total"`
	Start int64 `json:"start"`
	End   int64 `json:"end"`
	// First is the offset of the first record, or -1 if it is not known; the worker then
	// searches for it. It is set when an item is run again because the search had
	// found a wrong offset.
	First int64 `json:"first"`
}

// SiteRange identifies the sites in one file of the sorted candidates, each with all of
// its candidates.
type SiteRange struct {
	From       string `json:"from"`       // no site of the file precedes it in the order
	Candidates string `json:"candidates"` // name of the file
}

// ItemID names an item within a run: "f00012-i00003", followed by "-sOFFSET" for
// an item that is run again from a known start. Items of other phases than
// extract have the phase before it: "scan-f00012-i00003", "learn-i00003".
type ItemID string

// ID returns the name of the item.
func (i *Item) ID() ItemID {
	if i.Phase == PhaseLearn {
		return ItemID(fmt.Sprintf("learn-i%05d", i.Seq))
	}
	id := fmt.Sprintf("f%05d-i%05d", i.File.Index, i.Seq)
	if i.File.First >= 0 {
		id += fmt.Sprintf("-s%d", i.File.First)
	}
	if i.Phase == PhaseScan {
		id = "scan-" + id
	}
	return ItemID(id)
}

// TableName returns the name that the file has in the tables.
func (f *FileRange) TableName() string {
	if f.Name != "" {
		return f.Name
	}
	return FileNames(f.URL)[0]
}

// Length returns the number of bytes in the range.
func (f *FileRange) Length() int64 { return f.End - f.Start }
