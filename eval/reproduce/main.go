// Command reproduce writes eval/reproduction.md: published figures beside ours,
// from the packages tables of finished runs.
//
//	winnow pack --unwrap cleaneval-final.tar.xz l3s-gn1.tar.xz ... -o packages.warc.gz
//	winnow run --extractors page --scorers all --out OUT packages.warc.gz
//	winnow run --extractors all --site-by domain --scorers vec,words,nodes,block-f,word-f --out SITES sites.warc.gz
//	go -C eval run ./reproduce --packages DIR SITES OUT > eval/reproduction.md
//
// sites.warc.gz has the packages of which sites have several pages. DIR holds the
// packages' archives: the measures are run on texts made of them, beside what
// public programs say of the same texts, and the fact metadata beside what a package
// states (--metadata writes that section alone). Several OUT are read as one: where two
// have a row of the same package, extractor and scorer the later one counts, so
// all are to be of packages that were packed alike.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/winnow/winnow/eval/results"
	"github.com/winnow/winnow/schemas"
)

func main() {
	packages := flag.String("packages", "", "folder with the gold packages' archives, for the measures")
	onlyMetadata := flag.Bool("metadata", false, "write the last section alone, which needs no OUT")
	onlyMarkdown := flag.Bool("markdown", false, "write the section on Markdown alone, which needs no OUT")
	onlyLanguage := flag.Bool("language", false, "write the section on the second language alone, which needs no OUT")
	missed := flag.Bool("missed", false, "with --markdown: name the elements that the Markdown of the gold lacks, on the standard error")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: reproduce [--packages DIR] OUT... > reproduction.md, or reproduce --metadata|--markdown|--language --packages DIR")
		flag.PrintDefaults()
	}
	flag.Parse()
	outs := flag.Args()
	if len(outs) == 0 != (*onlyMetadata || *onlyMarkdown || *onlyLanguage) {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	switch {
	case *onlyMetadata:
		err = writeMetadata(os.Stdout, *packages)
	case *onlyLanguage:
		err = writeLanguage(os.Stdout, *packages)
	case *onlyMarkdown:
		var explain io.Writer
		if *missed {
			explain = os.Stderr
		}
		err = writeMarkdown(os.Stdout, *packages, explain)
	default:
		err = writeAll(os.Stdout, outs, *packages)
	}
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
	if err := writeScorers(w, packages); err != nil {
		return err
	}
	if err := writeMetadata(w, packages); err != nil {
		return err
	}
	if err := writeMarkdown(w, packages, nil); err != nil {
		return err
	}
	return writeLanguage(w, packages)
}

// readRuns joins the packages tables of several runs.
func readRuns(outs []string) ([]schemas.PackageRow, error) {
	var all []schemas.PackageRow
	at := map[key]int{}
	for _, out := range outs {
		rows, err := results.Packages(out)
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
