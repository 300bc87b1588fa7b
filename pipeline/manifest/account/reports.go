package account

import (
	"fmt"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// CheckDone verifies what a report of the phase extract says against the recipe,
// as far as that is possible without its shards.
func CheckDone(d *schemas.Done, run *schemas.Run) error {
	if err := CheckCounts(&d.Counts, &run.Recipe, d.Next-d.First); err != nil {
		return err
	}
	for _, s := range d.Shards {
		if reported := d.Counts.Rows[s.Table]; s.Rows != reported {
			return fmt.Errorf("%w: shard %s has %d rows, reported are %d", ErrConservation, s.Name, s.Rows, reported)
		}
	}
	return CheckBytes(&d.Counts)
}

// CheckBytes verifies that what was not read is explained. The reader counts a
// defect for every stretch of bytes between units, and a unit holds a record, is
// empty, or has a defect.
func CheckBytes(c *schemas.Counts) error {
	if c.BytesGaps > 0 && c.Defects[string(warc.Gap)]+c.Defects[string(warc.Padding)]+c.Defects[string(warc.UnknownContainer)] == 0 {
		return fmt.Errorf("%w: %d bytes belong to no unit, and no defect says why", ErrConservation, c.BytesGaps)
	}
	if c.BytesUnits > c.BytesEmpty && c.Records == 0 && len(c.Defects) == 0 {
		return fmt.Errorf("%w: %d bytes of units held no record, and no defect says why", ErrConservation, c.BytesUnits-c.BytesEmpty)
	}
	return nil
}

// CheckScan verifies the counts of an item of the phase scan: every record was a page,
// not a page, or refused, and every byte was in a unit or between two units.
func CheckScan(c *schemas.Counts, span int64) error {
	switch {
	case c.Records != c.Pages+Sum(c.NotHTML)+Sum(c.Refused):
		return fmt.Errorf("%w: %d records were scanned, but %d are pages, %d are not pages and %d were refused", ErrConservation, c.Records, c.Pages, Sum(c.NotHTML), Sum(c.Refused))
	case c.Bytes != c.BytesUnits+c.BytesGaps || c.Bytes != span:
		return fmt.Errorf("%w: %d bytes were scanned, %d in units and %d between them, of %d", ErrConservation, c.Bytes, c.BytesUnits, c.BytesGaps, span)
	}
	return nil
}

// Totals adds up the parts of a run and verifies that they hold all of its items
// and all of their rows. That every file is covered from its first to its last byte
// was checked when its last item was accepted.
func Totals(m *schemas.Manifest) (schemas.Counts, error) {
	var totals schemas.Counts
	var span int64
	items := 0
	for i := range m.Parts {
		p := &m.Parts[i]
		AddCounts(&totals, &p.Counts)
		span += p.Counts.Bytes
		items += len(p.Items)
		rows := map[schemas.Table]int64{}
		for _, f := range p.Files {
			rows[f.Table] += f.Rows
		}
		for _, table := range []schemas.Table{schemas.TablePages, schemas.TableDocuments, schemas.TableScores, schemas.TableLinks, schemas.TableTexts} {
			if rows[table] != p.Counts.Rows[table] {
				return totals, fmt.Errorf("part %d: %w: its files have %d rows of %s, its items %d", i, ErrConservation, rows[table], table, p.Counts.Rows[table])
			}
		}
	}
	if items != m.Run.Items() {
		return totals, fmt.Errorf("%w: parts hold %d items, the plan has %d", ErrConservation, items, m.Run.Items())
	}
	if err := CheckCounts(&totals, &m.Run.Recipe, span); err != nil {
		return totals, fmt.Errorf("run: %w", err)
	}
	return totals, nil
}
