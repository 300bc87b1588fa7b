package overview

import (
	"context"
	"iter"
	"math"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// worstEach is the number of worst pages of an extractor on a package, and on its pages of
// each type.
const worstEach = 5

// steps is the number of steps in which the distribution of scores is counted.
const steps = 25

type worstKey struct{ extractor, pkg, pageType string } // pageType "": all pages

type histogramKey struct {
	pkg       string
	all       bool
	extractor string
}

// readScores finds the pages with the worst scores by the scorer that ranks, of each
// extractor, package and page type, and counts the scores of the packages that are shown.
func (v *view) readScores(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options) error {
	v.worst, v.histograms = map[worstKey]*stats.Lowest{}, map[histogramKey][]int64{}
	if v.Scorer.Name == "" || v.Pages*int64(len(m.Run.Recipe.Extractors))*int64(len(v.Scorers)) > o.Rows {
		return nil
	}
	shown := map[string]bool{}
	for i := range v.Packages {
		shown[v.Packages[i].Name] = !v.Packages[i].All
	}
	columns := columnar.ScoreColumns("package", "doc_id", "extractor", "scorer", "reason", "f1", "value")
	pages := columnar.PageColumns(nil, "package", "doc_id", "page_id", "url", "page_type", "html_bytes")
	for i := range m.Parts {
		if err := func() error {
			next, stop := iter.Pull2(tables.PartRows(ctx, store, pages, &m.Parts[i]))
			defer stop()
			var page schemas.Page // the page of the current scores, because both tables have the same order
			for row, err := range tables.PartRows(ctx, store, columns, &m.Parts[i]) {
				if err != nil {
					return err
				}
				if row.Scorer != v.Scorer.Name || row.Reason != "" {
					continue
				}
				for page.Package != row.Package || page.DocID != row.DocID {
					found, err, ok := next()
					if err != nil {
						return err
					}
					if !ok {
						break
					}
					page = schemas.Page{Package: strings.Clone(found.Package), DocID: strings.Clone(found.DocID), URL: strings.Clone(found.URL), PageType: strings.Clone(found.PageType), HTMLBytes: found.HTMLBytes}
				}
				if page.Package == row.Package && page.DocID == row.DocID {
					v.addScore(row, &page, shown[row.Package])
				}
			}
			return nil
		}(); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) addScore(row *schemas.ScoreRow, page *schemas.Page, shown bool) {
	score := row.F1
	if !hasF1(v.Scorer) {
		score = row.Value
	}
	if math.IsNaN(score) {
		return
	}
	extractor := strings.Clone(row.Extractor)
	step := max(0, min(steps-1, int(score*steps)))
	for _, key := range []histogramKey{{pkg: page.Package, extractor: extractor}, {pkg: schemas.AllPackages, all: true, extractor: extractor}} {
		if !shown && !key.all {
			continue
		}
		if v.histograms[key] == nil {
			v.histograms[key] = make([]int64, steps)
		}
		v.histograms[key][step]++
	}
	if v.Scorer.Lower {
		score = -score
	}
	if !shown {
		return
	}
	types := []string{"", page.PageType}
	if page.PageType == "" {
		types = types[:1]
	}
	for _, pageType := range types {
		key := worstKey{extractor, page.Package, pageType}
		l := v.worst[key]
		if l == nil {
			l = stats.NewLowest(worstEach)
			v.worst[key] = l
		}
		l.Add(stats.Page{Package: page.Package, DocID: page.DocID, URL: page.URL, Bytes: page.HTMLBytes, Figure: score})
	}
}
