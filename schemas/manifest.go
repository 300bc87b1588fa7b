package schemas

import "time"

// Manifest is run.json in the output folder: the run, and every part that is
// committed. It is the truth about a run; all else can be rebuilt from it.
type Manifest struct {
	Version int    `json:"version"`
	Run     Run    `json:"run"`
	Parts   []Part `json:"parts"`
	Totals  Counts `json:"totals"`
	Dead    []Dead `json:"dead,omitempty"`

	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
}

// Part is a set of items whose rows are committed together.
type Part struct {
	Seq    int      `json:"seq"`
	Files  []Shard  `json:"files"` // the part's file of each table
	Items  []Commit `json:"items"`
	Counts Counts   `json:"counts"`
}

// Commit is one accepted item, enough of it to continue its file's chain.
type Commit struct {
	ID    ItemID `json:"id"`
	File  int    `json:"file"`
	Seq   int    `json:"seq"`
	First int64  `json:"first"`
	Next  int64  `json:"next"`
	// Given up: the range was not read; its records are in the failures table.
	Dead bool `json:"dead,omitempty"`
}
