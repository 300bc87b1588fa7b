package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Manifest describes a run and every part that is committed. It is authoritative:
// everything else can be rebuilt from it. When the run is done, run.json in the output
// folder holds the whole manifest. Before that, run.json holds the manifest with which
// the run began, and every change is a file of its own, so that the cost of a change
// does not grow with the run.
type Manifest struct {
	Version int    `json:"version"`
	Run     Run    `json:"run"`
	Parts   []Part `json:"parts"`
	// Templates is the result of the phase learn; nil before that phase is over.
	Templates *Templates `json:"templates,omitempty"`
	Totals    Counts     `json:"totals"`
	Dead      []Dead     `json:"dead,omitempty"`
	// Aggregators lists the aggregators that worked on the run, one after the other.
	// The number of an aggregator in the list, from 1, is its term.
	Aggregators []Aggregator `json:"aggregators,omitempty"`

	Started time.Time `json:"started"`
	// Committed is when the last change was written, by the clock of its aggregator. It
	// is for people; nothing is decided by it.
	Committed time.Time `json:"committed,omitzero"`
	Finished  time.Time `json:"finished,omitzero"`
}

// Aggregator identifies a process that may commit changes until the next one begins
// its term.
type Aggregator struct {
	Name  string    `json:"name"` // machine and process, shown to people
	ID    string    `json:"id"`   // unique id of the process
	Since time.Time `json:"since"`
}

// Change is one step of a manifest. It is written once: if two aggregators try to write
// a change with the same Seq, one of them is refused.
type Change struct {
	Version int   `json:"version"`
	Run     RunID `json:"run"`
	Seq     int   `json:"seq"`  // from 0
	Term    int   `json:"term"` // term of the aggregator that wrote it, from 1

	Aggregator *Aggregator `json:"aggregator,omitempty"` // begins a new term
	Part       *Part       `json:"part,omitempty"`
	Dead       []Dead      `json:"dead,omitempty"`
	Phase      Phase       `json:"phase,omitempty"` // the phase that begins
	Templates  *Templates  `json:"templates,omitempty"`
	Totals     *Counts     `json:"totals,omitempty"` // set together with Finished
	Finished   time.Time   `json:"finished,omitzero"`

	// Time is when the aggregator first tried to write the change.
	Time time.Time `json:"time,omitzero"`
}

// Apply applies a change to the manifest. It returns an error if the change belongs to
// another run or term, or adds something that the manifest cannot hold.
func (m *Manifest) Apply(c *Change) error {
	term := len(m.Aggregators)
	if c.Aggregator != nil {
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
	if c.Aggregator != nil {
		m.Aggregators = append(m.Aggregators, *c.Aggregator)
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
	if !c.Time.IsZero() {
		m.Committed = c.Time
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
		return fmt.Errorf("the run has no phase %.50q", string(c.Phase))
	}
	if c.Totals != nil {
		if err := c.Totals.Check(); err != nil {
			return err
		}
	}
	return errors.Join(c.Templates.check(&m.Run), checkDead(c.Dead))
}

// Part is a set of items whose rows are committed together.
type Part struct {
	Seq    int      `json:"seq"`
	Files  []Shard  `json:"files"` // the part's file of each table
	Items  []Commit `json:"items"`
	Counts Counts   `json:"counts"`
	// Inputs has the counts of what was read from each input file, in the order of the plan.
	Inputs []Input `json:"inputs,omitempty"`
}

// Input counts what the items of a part read from one input file.
type Input struct {
	File       int              `json:"file"` // index into Run.Files
	Records    int64            `json:"records"`
	ByType     map[string]int64 `json:"by_type,omitempty"`
	Pages      int64            `json:"pages"`
	Refused    int64            `json:"refused,omitempty"`
	BytesUnits int64            `json:"bytes_units"`
	BytesGaps  int64            `json:"bytes_gaps,omitempty"`
	Defects    map[string]int64 `json:"defects,omitempty"` // by code, including notes
}

// Templates is the account of the phases scan and learn.
type Templates struct {
	// Items are the items of the phase learn, in the order of sites, until it is over.
	Items []SiteRange `json:"items,omitempty"`
	// Ranges are the parts of the table of templates when that phase is over.
	Ranges   []TemplateRange  `json:"ranges,omitempty"`
	Sites    int64            `json:"sites"`
	Statuses map[string]int64 `json:"statuses,omitempty"`
	Scanned  Counts           `json:"scanned"`
	Dead     []Dead           `json:"dead,omitempty"` // items of these phases that were given up
}

// Commit is one accepted item, with the offsets that are needed to continue the chain
// of its file.
type Commit struct {
	ID    ItemID `json:"id"`
	File  int    `json:"file"`
	Seq   int    `json:"seq"`
	First int64  `json:"first"`
	Next  int64  `json:"next"`
	// Dead means that the item was given up. Its range was not read, and is a row of the
	// failures table.
	Dead bool `json:"dead,omitempty"`
	// Unverified means that an earlier item of the file was given up, so that nothing
	// proves that this item's records are not nested in another record.
	Unverified bool `json:"unverified,omitempty"`

	// Pages, Ended and Elapsed are those of the item's report. The times are for people;
	// nothing is decided by them, and they differ from run to run.
	Pages   int64         `json:"pages,omitempty"`
	Ended   time.Time     `json:"ended,omitzero"`
	Elapsed time.Duration `json:"elapsed,omitempty"`
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

// FilesOf returns the names of the committed files of a table, in the order of the
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
	if m.Templates != nil && table == TableTemplates {
		for _, r := range m.Templates.Ranges {
			if r.File.Name != "" {
				names = append(names, r.File.Name)
			}
		}
	}
	return names
}
