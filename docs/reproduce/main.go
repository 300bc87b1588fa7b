// Command reproduce writes docs/reproduction.md: published figures beside ours,
// from the packages table of a finished run.
//
//	winnow pack cleaneval-final.tar.xz l3s-gn1.tar.xz ... -o packages.warc.gz
//	winnow run --extractors page --scorers all --out OUT packages.warc.gz
//	go run ./docs/reproduce OUT > docs/reproduction.md
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reproduce OUT > docs/reproduction.md")
		os.Exit(2)
	}
	rows, err := readPackages(filepath.Join(os.Args[1], "packages.parquet"))
	if err == nil {
		err = write(os.Stdout, rows)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

func readPackages(name string) ([]schemas.PackageRow, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	reader, err := columnar.NewReader(columnar.Packages, f, info.Size())
	if err != nil {
		return nil, err
	}
	var rows []schemas.PackageRow
	for row, err := range reader.All(context.Background()) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, *row)
	}
	return rows, nil
}
