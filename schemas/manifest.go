package schemas

import (
	"encoding/json"
	"fmt"
	"time"
)

// ManifestFile is the manifest's name in the output folder.
const ManifestFile = "run.json"

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

// DecodeManifest reads what Encode wrote, of this version or an older one.
func DecodeManifest(data []byte) (*Manifest, error) {
	m := new(Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("schemas: manifest: %w", err)
	}
	if m.Version < MinVersion || m.Version > Version {
		return nil, fmt.Errorf("schemas: manifest of run %s: version %d, this program reads %d to %d", m.Run.ID, m.Version, MinVersion, Version)
	}
	return m, nil
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
