package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/eval/results"
	"github.com/winnow/winnow/pipeline/stats"
)

// sitesRecord holds the figures of site-level extractors on one package.
type sitesRecord struct {
	Package string     `json:"package"`
	Digest  string     `json:"digest"` // of the package, the extractors and their models
	Rows    []siteItem `json:"rows"`
}

// siteItem has the figures of one extractor. A page without a template counts as one
// with an empty answer.
type siteItem struct {
	Extractor string  `json:"extractor"`
	Pages     int64   `json:"pages"`
	Skipped   int64   `json:"skipped"`
	F1        float64 `json:"f1"` // mean over all pages
	Answered  float64 `json:"answered"`
	Low       float64 `json:"low"` // 95 % interval of Answered
	High      float64 `json:"high"`
}

// besides lists page-level extractors that are shown beside the site-level ones.
const besides = "winnow,trafilatura,plain"

// measureSites runs the program on the package that has several pages of each site:
// site-level extractors need all phases of a run.
func (o *options) measureSites(ctx context.Context, s *methods) error {
	path, err := filepath.Abs(pathOf(o.packages, o.sites))
	if err != nil {
		return err
	}
	digest, err := digestOf(path)
	if err != nil {
		return err
	}
	shown, err := choose.Extractors(programs.Extractors(), "site,"+besides)
	if err != nil {
		return err
	}
	anew := false
	for _, e := range shown {
		digest = s.keyOf(e, digest)
		anew = anew || o.anew(e)
	}
	file := filepath.Join(o.cache, "sites.json")
	var r sitesRecord
	if readJSON(file, &r) == nil && r.Package == o.sites && r.Digest == digest && !anew {
		return nil
	}
	dir, err := os.MkdirTemp("", "quality-sites-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	archive, out := filepath.Join(dir, "sites.warc.gz"), filepath.Join(dir, "out")
	for _, args := range [][]string{
		{"pack", "--unwrap", path, "-o", archive},
		slices.Concat([]string{"run"}, programs.Flags(), []string{"--site-by", "domain", "--extractors", "site," + besides, "--scorers", "wcxb-word-f1", "--out", out, archive}),
	} {
		c := exec.CommandContext(ctx, "go", append([]string{"run", "./cmd/winnow"}, args...)...)
		c.Dir = o.source
		if text, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("winnow %s: %w\n%s", strings.Join(args, " "), err, text)
		}
	}
	rows, err := results.Packages(out)
	if err != nil {
		return err
	}
	r = sitesRecord{Package: o.sites, Digest: digest}
	for _, row := range rows {
		if row.Package == o.sites {
			r.Rows = append(r.Rows, siteItem{row.Extractor, row.Documents, row.Skipped, stats.RankedFigure(row.MeanF1, row.Scored, row.SkippedGold, false), row.MeanF1, row.CILow, row.CIHigh})
		}
	}
	return writeJSON(file, r)
}
