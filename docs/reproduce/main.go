// Command reproduce writes docs/reproduction.md: published figures beside ours,
// from the packages tables of finished runs.
//
//	winnow pack --unwrap cleaneval-final.tar.xz l3s-gn1.tar.xz ... -o packages.warc.gz
//	winnow run --extractors page --scorers all --out OUT packages.warc.gz
//	winnow run --extractors all --site-by domain --scorers vec,words,nodes,block-f,word-f --out SITES sites.warc.gz
//	go run ./docs/reproduce --packages DIR SITES OUT > docs/reproduction.md
//
// sites.warc.gz has the packages of which sites have several pages. DIR holds the
// packages' archives: the measures are run on texts made of them, beside what
// public programs say of the same texts. Several OUT are read as one: where two
// have a row of the same package, extractor and scorer the later one counts, so
// all are to be of packages that were packed alike.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func main() {
	packages := flag.String("packages", "", "folder with the gold packages' archives, for the measures")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: reproduce [--packages DIR] OUT... > docs/reproduction.md")
		flag.PrintDefaults()
	}
	flag.Parse()
	outs := flag.Args()
	if len(outs) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := writeAll(os.Stdout, outs, *packages)
	if err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

func writeAll(w io.Writer, outs []string, packages string) error {
	rows, err := readRuns(outs)
	if err != nil {
		return err
	}
	if err := write(w, rows); err != nil {
		return err
	}
	if err := writeSites(w, outs); err != nil {
		return err
	}
	return writeScorers(w, packages)
}

// readRuns joins the packages tables of several runs.
func readRuns(outs []string) ([]schemas.PackageRow, error) {
	var all []schemas.PackageRow
	at := map[key]int{}
	for _, out := range outs {
		rows, err := readPackages(filepath.Join(out, "packages.parquet"))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			k := key{r.Package, r.Extractor, r.Scorer}
			if i, ok := at[k]; ok {
				all[i] = r
				continue
			}
			at[k] = len(all)
			all = append(all, r)
		}
	}
	return all, nil
}

func readPackages(name string) ([]schemas.PackageRow, error) {
	var rows []schemas.PackageRow
	err := each(columnar.Packages, name, func(r *schemas.PackageRow) {
		if r.PageType == "" { // the whole package
			rows = append(rows, *r)
		}
	})
	return rows, err
}

// each hands every row of a Parquet file to f, which must not keep it.
func each[T any](table *columnar.Table[T], name string, f func(*T)) error {
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
