// Package tables reads the output folder of a run: its manifest, its tables and the
// parts of the tables. The file schemas/layout.go has the names of the files.
//
//	m, err := tables.Manifest(ctx, store)
//	for row, err := range tables.Rows(ctx, store, columnar.Packages, schemas.PackagesFile) { ... }
//	for row, err := range tables.PartRows(ctx, store, columnar.Scores, &m.Parts[0]) { ... }
//
// Tally, Groups and Summary pass the rows to package stats. The files that the manifest
// names are committed and do not change, so they can be read while the run goes on.
//
// This package is internal to Winnow and may change in any release.
package tables
