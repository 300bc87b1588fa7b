package failures

import (
	"context"
	"iter"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Letter is a dead letter: an item, a record or an input file that a run gave up.
type Letter struct {
	Run      schemas.RunID  `json:"run"`
	Item     schemas.ItemID `json:"item,omitempty"` // "" for a whole file
	File     string         `json:"file,omitempty"`
	Offset   int64          `json:"offset"`
	Length   int64          `json:"length"`
	Stage    string         `json:"stage"`
	Reason   string         `json:"reason"`
	Detail   string         `json:"detail,omitempty"`
	Attempts int            `json:"attempts"`
	Time     time.Time      `json:"time,omitzero"`
}

// FromDead returns the Letter of a dead letter as workers write it.
func FromDead(d *schemas.Dead) Letter {
	return Letter{Run: d.Item.Run, Item: d.Item.ID(), File: d.Item.File.URL, Offset: d.Offset, Length: d.Length,
		Stage: d.Stage, Reason: d.Reason, Detail: d.Detail, Attempts: d.Attempts, Time: d.Time}
}

// Letters returns the dead letters of a run: first those of items, in the order in which
// they were committed, then those of records and files.
func Letters(ctx context.Context, store blob.Store, m *schemas.Manifest) ([]Letter, error) {
	letters := []Letter{}
	for i := range m.Dead {
		letters = append(letters, FromDead(&m.Dead[i]))
	}
	if m.Templates != nil {
		for i := range m.Templates.Dead {
			letters = append(letters, FromDead(&m.Templates.Dead[i]))
		}
	}
	for row, err := range rows(ctx, store, m) {
		if err != nil {
			return nil, err
		}
		if row.Stage == "file" || row.Stage == "record" && row.Reason == "crash" {
			letters = append(letters, Letter{Run: m.Run.ID, Item: itemAt(m, row), File: row.File, Offset: row.Offset, Length: row.Length,
				Stage: row.Stage, Reason: row.Reason, Detail: row.Detail, Attempts: int(row.Attempts)})
		}
	}
	return letters, nil
}

// itemAt returns the item that has read a record, or "" if none has.
func itemAt(m *schemas.Manifest, row *schemas.Failure) schemas.ItemID {
	for i := range m.Parts {
		for _, c := range m.Parts[i].Items {
			if f := &m.Run.Files[c.File]; f.URL == row.File && f.Selection == (schemas.Selection{}) && row.Offset >= c.First && row.Offset < c.Next {
				return c.ID
			}
		}
	}
	return ""
}

// rows yields the rows of failures of a run: those of its parts, and one for each file
// that was refused when the run was planned. A row is valid until the next one.
func rows(ctx context.Context, store blob.Store, m *schemas.Manifest) iter.Seq2[*schemas.Failure, error] {
	return func(yield func(*schemas.Failure, error) bool) {
		for i := range m.Run.Files {
			f := &m.Run.Files[i]
			if f.Refused == "" {
				continue
			}
			if !yield(&schemas.Failure{Run: string(m.Run.ID), File: f.URL, Length: f.Length(), Stage: "file", Reason: f.Refused, Severity: "lost", Detail: f.Detail, Attempts: 1}, nil) {
				return
			}
		}
		for i := range m.Parts {
			for row, err := range tables.PartRows(ctx, store, columnar.Failures, &m.Parts[i]) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}
