package overview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func isMissing(err error) bool { return errors.Is(err, blob.ErrNotFound) }

// failureCount is the number of records that became no page, or were damaged, for one
// reason.
type failureCount struct {
	Stage, Reason, Severity string
	N                       int64
}

// failures counts the failures table and keeps its first rows.
func (v *view) failures(ctx context.Context, store blob.Store, most int) error {
	type kind struct{ stage, reason, severity string }
	seen := map[kind]int64{}
	for row, err := range tables.Rows(ctx, store, columnar.Failures, schemas.FailuresFile) {
		if err != nil {
			return err
		}
		seen[kind{row.Stage, row.Reason, row.Severity}]++
		if len(v.Examples) < most {
			v.Examples = append(v.Examples, *row)
		} else {
			v.MoreFailures++
		}
	}
	for k, n := range seen {
		v.Failures = append(v.Failures, failureCount{k.stage, k.reason, k.severity, n})
	}
	slices.SortFunc(v.Failures, func(a, b failureCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Severity, b.Severity))
	})
	return nil
}

// unsure lists the pages for which an extractor expects the worst answers.
type unsure struct {
	Extractor string
	Pages     []stats.Page // by confidence
	More      int64
	Mean      float64 // mean confidence over all its pages
}

// unsureOf collects the pages of one extractor.
type unsureOf struct {
	lowest *stats.Lowest
	sum    float64
	n      int64
}

// documents reads the table of documents once. It finds the pages on which extractors
// agree least, the pages for which an extractor expects the worst answers, and what
// templates removed.
func (v *view) documents(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options) error {
	extractors := m.Run.Recipe.Extractors
	if len(extractors) < 2 {
		v.NoDoubtful = "There is one extractor: nothing to compare."
	}
	if rows := v.Pages * int64(len(extractors)); rows > o.Rows {
		v.NoDoubtful = fmt.Sprintf("The run has %s rows of documents, too many to look through for this page: order the table of pages by page_consensus.", grouped(rows))
		v.NoUnsure = fmt.Sprintf("The run has %s rows of documents, too many to look through for this page: 'winnow report --table confidence' lists these pages.", grouped(rows))
		if v.Learned != nil {
			v.Learned.Note = fmt.Sprintf("What they removed is in the documents table, column coverage: %s rows are too many to look through for this page.", grouped(rows))
		}
		return nil
	}
	doubtful := stats.NewLowest(o.Pages)
	all := v.newSeen(o)
	byExtractor := map[string]*unsureOf{}
	columns := columnar.DocumentColumns(nil, "package", "doc_id", "page_id", "url", "extractor", "outcome", "html_bytes", "parse_ns", "feature_ns", "extract_ns",
		"text_chars", "consensus_f1", "confidence", "template_method", "template_id", "in_sample", "coverage", "notes")
	pages := tables.PageColumns(&m.Run.Recipe, stats.ByLanguage)
	for i := range m.Parts {
		for row, err := range tables.DocumentColumns(ctx, store, pages, columns, &m.Parts[i]) {
			if err != nil {
				return err
			}
			all.add(row)
			if v.Learned != nil {
				v.Learned.add(row.Document)
			}
			if row.Extractor == extractors[0].Name && !math.IsNaN(row.Page.PageConsensus) {
				doubtful.Add(stats.Page{Package: row.Package, DocID: row.DocID, URL: row.URL, Bytes: row.HTMLBytes, Figure: row.Page.PageConsensus})
			}
			if !math.IsNaN(row.Confidence) {
				u := byExtractor[row.Extractor]
				if u == nil {
					u = &unsureOf{lowest: stats.NewLowest(o.Pages)}
					byExtractor[row.Extractor] = u
				}
				u.n++
				u.sum += row.Confidence
				u.lowest.Add(stats.Page{Package: row.Package, DocID: row.DocID, URL: row.URL, Bytes: row.HTMLBytes, Figure: row.Confidence})
			}
		}
	}
	all.into(v)
	v.Doubtful, v.MoreDoubtful = doubtful.Pages(), doubtful.More()
	for _, e := range extractors {
		if u := byExtractor[e.Name]; u != nil {
			v.Unsure = append(v.Unsure, unsure{e.Name, u.lowest.Pages(), u.lowest.More(), u.sum / float64(u.n)})
		}
	}
	if v.Learned != nil {
		v.Learned.removed(v.Packages)
	}
	return nil
}
