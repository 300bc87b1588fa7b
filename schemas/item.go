package schemas

import "fmt"

// Item is one unit of work. In the phases scan and extract: the records of one
// file whose first byte lies in [Start, End); the items of a file partition it.
// In the phase learn: the sites whose bucket lies in [Start, End) of Size
// (SiteBuckets); File is 0, and there is no URL.
type Item struct {
	Version   int       `json:"version"`
	Run       RunID     `json:"run"`
	Hash      string    `json:"hash"` // of the recipe
	Phase     Phase     `json:"phase"`
	File      int       `json:"file"` // index into Run.Files
	Seq       int       `json:"seq"`  // index within the file
	URL       string    `json:"url"`
	Private   bool      `json:"private,omitempty"` // File.Private
	Name      string    `json:"name,omitempty"`    // File.Name
	Size      int64     `json:"size"`              // of the whole file
	Ident     string    `json:"identity"`
	Within    Within    `json:"within,omitzero"`    // File.Within
	Selection Selection `json:"selection,omitzero"` // File.Selection
	Split     bool      `json:"split,omitempty"`    // File.Split: any range can be read at its own cost
	Start     int64     `json:"start"`
	End       int64     `json:"end"`
	// First is where the item's first record begins if that is known, else -1:
	// the worker then scans for it. Set when an item is run again because the
	// scan had guessed wrong.
	First int64 `json:"first"`
}

// ItemID names an item within a run: "f00012-i00003", followed by "-sOFFSET" for
// an item that is run again from a known start. Items of other phases than
// extract have the phase before it: "scan-f00012-i00003", "learn-i00003".
type ItemID string

// ID of the item.
func (i *Item) ID() ItemID {
	switch i.Phase {
	case PhaseLearn:
		return ItemID(fmt.Sprintf("learn-i%05d", i.Seq))
	case PhaseScan:
		of := *i
		of.Phase = PhaseExtract
		return "scan-" + of.ID()
	}
	if i.First < 0 {
		return ItemID(fmt.Sprintf("f%05d-i%05d", i.File, i.Seq))
	}
	return ItemID(fmt.Sprintf("f%05d-i%05d-s%d", i.File, i.Seq, i.First))
}

// FileName is what the item's file is called in the tables.
func (i *Item) FileName() string {
	if i.Name != "" {
		return i.Name
	}
	return FileNames(i.URL)[0]
}

// Length of the item's range in bytes.
func (i *Item) Length() int64 { return i.End - i.Start }
