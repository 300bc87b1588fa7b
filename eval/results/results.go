// Package results reads the tables of finished runs for the commands that write pages
// of documentation from them.
//
// This package is internal to Winnow and may change in any release.
package results

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Packages returns the rows of the packages table of the run in the folder out that
// stand for whole packages, not for one type of page.
func Packages(out string) ([]schemas.PackageRow, error) {
	var rows []schemas.PackageRow
	err := Each(columnar.Packages, filepath.Join(out, "packages.parquet"), func(r *schemas.PackageRow) {
		if r.PageType == "" {
			rows = append(rows, *r)
		}
	})
	return rows, err
}

// Each passes every row of a Parquet file to f, which must not keep it.
func Each[T any](table *columnar.Table[T], name string, f func(*T)) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	reader, err := columnar.NewReader(table, file, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for row, err := range reader.All(context.Background()) {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f(row)
	}
	return nil
}
