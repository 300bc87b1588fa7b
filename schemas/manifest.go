package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Manifest is the run, and every part that is committed. It decides what a run is;
// everything else can be rebuilt from it. When the run is done all of it is in
// run.json in the output folder. Before, run.json has what the run began with, and
// every change is a file of its own, whose cost does not grow with the run.
type Manifest struct {
	Version int    `json:"version"`
	Run     Run    `json:"run"`
	Parts   []Part `json:"parts"`
	// Templates are what the phase learn left; nil before it is over.
	Templates *Templates `json:"templates,omitempty"`
	Totals    Counts     `json:"totals"`
	Dead      []Dead     `json:"dead,omitempty"`
	// Makers are the aggregators that worked on the run, one after the other. The
	// place of one, from 1, is its term.
	Makers []Maker `json:"makers,omitempty"`

	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
}

// Maker is an aggregator that may commit, until the next one begins.
type Maker struct {
	Name  string    `json:"name"` // for people: machine and process
	ID    string    `json:"id"`   // no two have the same
	Since time.Time `json:"since"`
}

// Change is one step of a manifest. It is written once: of two aggregators that
// want to write the change of one number, one is refused.
type Change struct {
	Version int   `json:"version"`
	Run     RunID `json:"run"`
	Seq     int   `json:"seq"`  // from 0
	Term    int   `json:"term"` // of the maker that wrote it, from 1

	Maker     *Maker     `json:"maker,omitempty"` // begins the term
	Part      *Part      `json:"part,omitempty"`
	Dead      []Dead     `json:"dead,omitempty"`
	Phase     Phase      `json:"phase,omitempty"` // begins
	Templates *Templates `json:"templates,omitempty"`
	Totals    *Counts    `json:"totals,omitempty"` // with Finished
	Finished  time.Time  `json:"finished,omitzero"`
}

// Apply makes a change. An error says that it is not one of this manifest, or
// not of its present term.
func (m *Manifest) Apply(c *Change) error {
	term := len(m.Makers)
	if c.Maker != nil {
		term++
	}
	switch {
	case c.Version != Version:
		return fmt.Errorf("schemas: change %d: version %d, this program reads version %d", c.Seq, c.Version, Version)
	case c.Run != m.Run.ID || c.Term != term:
		return fmt.Errorf("schemas: change %d is of run %s, term %d; the manifest is of run %s, term %d", c.Seq, c.Run, c.Term, m.Run.ID, term)
	}
	if err := c.check(m); err != nil {
		return fmt.Errorf("schemas: change %d: %w", c.Seq, err)
	}
	if c.Maker != nil {
		m.Makers = append(m.Makers, *c.Maker)
	}
	if c.Part != nil {
		m.Parts = append(m.Parts, *c.Part)
	}
	m.Dead = append(m.Dead, c.Dead...)
	if c.Phase != "" {
		m.Run.Phase = c.Phase
	}
	if c.Templates != nil {
		m.Templates = c.Templates
	}
	if c.Totals != nil {
		m.Totals = *c.Totals
	}
	if !c.Finished.IsZero() {
		m.Finished = c.Finished
		m.Run.State = RunDone
	}
	return nil
}

// check verifies what a change adds to m.
func (c *Change) check(m *Manifest) error {
	if c.Part != nil {
		if err := c.Part.check(len(m.Parts), &m.Run); err != nil {
			return err
		}
	}
	if c.Phase != "" && !slices.Contains(m.Run.Phases, c.Phase) {
		return fmt.Errorf("phase %.50q is none of the run's", string(c.Phase))
	}
	if c.Totals != nil {
		if err := c.Totals.Check(); err != nil {
			return err
		}
	}
	return checkDead(c.Dead)
}

// Part is a set of items whose rows are committed together.
type Part struct {
	Seq    int      `json:"seq"`
	Files  []Shard  `json:"files"` // the part's file of each table
	Items  []Commit `json:"items"`
	Counts Counts   `json:"counts"`
	// Inputs are what was read of each input file, in the order of the plan.
	Inputs []Input `json:"inputs,omitempty"`
}

// Input is what the items of a part read of one input file.
type Input struct {
	File       int              `json:"file"` // index into Run.Files
	Records    int64            `json:"records"`
	ByType     map[string]int64 `json:"by_type,omitempty"`
	Pages      int64            `json:"pages"`
	Refused    int64            `json:"refused,omitempty"`
	BytesUnits int64            `json:"bytes_units"`
	BytesGaps  int64            `json:"bytes_gaps,omitempty"`
	Defects    map[string]int64 `json:"defects,omitempty"` // by code, notes among them
}

// Templates is the account of the phases scan and learn.
type Templates struct {
	Index    Shard            `json:"index"` // names the files with templates
	Table    Shard            `json:"table"`
	Sites    int64            `json:"sites"`
	Statuses map[string]int64 `json:"statuses,omitempty"`
	Scanned  Counts           `json:"scanned"`
	Dead     []Dead           `json:"dead,omitempty"` // items of these phases that were given up
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
	// Unverified: an earlier item of the file was given up, so that nothing
	// proves that this one's records are not records within a record.
	Unverified bool `json:"unverified,omitempty"`
}

// Encode returns the manifest as it is stored.
func (m *Manifest) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("schemas: manifest of run %s: %w", m.Run.ID, err)
	}
	return append(data, '\n'), nil
}

// DecodeManifest reads what Encode wrote, and verifies every field.
func DecodeManifest(data []byte) (*Manifest, error) {
	return decode("manifest", data, (*Manifest).Check)
}

// FilesOf are the names of the committed files of a table, in the order of the
// parts.
func (m *Manifest) FilesOf(table Table) []string {
	var names []string
	for _, p := range m.Parts {
		for _, f := range p.Files {
			if f.Table == table {
				names = append(names, f.Name)
			}
		}
	}
	return names
}
