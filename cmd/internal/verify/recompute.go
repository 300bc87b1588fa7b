package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func partName(seq int) string { return fmt.Sprintf("part %d", seq) }

// recompute makes the tables of a finished run again from its parts, in a temporary folder,
// and compares them with those in the output folder. It does nothing if a part is damaged,
// because the tables would differ for this reason.
func (v *verifier) recompute(ctx context.Context) (err error) {
	if v.manifest.Finished.IsZero() || v.damaged {
		return nil
	}
	again, discard, err := v.Blobs.Scratch(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	if _, err := compact.New(v.store, &v.manifest.Run).RunTables(ctx, v.manifest, again); err != nil {
		return err
	}
	return cmp.Or(
		sameTable(ctx, v, again, columnar.Packages, schemas.PackagesFile), sameTable(ctx, v, again, columnar.Speed, schemas.SpeedFile),
		sameTable(ctx, v, again, columnar.Agreement, schemas.AgreementFile), sameTable(ctx, v, again, columnar.Failures, schemas.FailuresFile))
}

// sameTable compares a table in the folder, row by row, with the one that was made again.
func sameTable[T any](ctx context.Context, v *verifier, again blob.Store, table *columnar.Table[T], name string) error {
	v.result.Tables = append(v.result.Tables, name)
	old, stopOld := iter.Pull2(tables.Rows(ctx, v.store, table, name))
	defer stopOld()
	now, stopNow := iter.Pull2(tables.Rows(ctx, again, table, name))
	defer stopNow()
	for n := int64(1); ; n++ {
		a, err, there := old()
		switch {
		case errors.Is(err, blob.ErrNotFound):
			v.find(Table, name, "it is missing")
			return nil
		case errors.Is(err, columnar.ErrMalformed):
			v.find(Table, name, "it cannot be read: %v", err)
			return nil
		case err != nil:
			return err
		}
		b, err, made := now()
		switch {
		case err != nil:
			return err
		case there != made:
			v.find(Table, name, "it does not have as many rows as the parts of the run give: they differ from row %d on", n)
			return nil
		case !there:
			return nil
		}
		if columns := table.Differing(a, b); len(columns) > 0 {
			detail := fmt.Sprintf("row %d is not what the parts of the run give: %s", n, strings.Join(columns, ", "))
			if made := v.manifest.Run.Recipe.Build; made != v.Build {
				detail += fmt.Sprintf("; version %s of the program made the run, and this is version %s", made, v.Build)
			}
			v.find(Table, name, "%s", detail)
			return nil
		}
	}
}
