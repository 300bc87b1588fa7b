package overview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func isMissing(err error) bool { return errors.Is(err, blob.ErrNotFound) }

// failureCount is the number of records that did not become a page, or were damaged, for one
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

// list names pages, with the figure by which they are in the list.
type list struct {
	Title, Caption, Column string
	Millis                 bool // the figure is a time in nanoseconds
	Pages                  []stats.Page
}

// unsureOf collects the pages of one extractor.
type unsureOf struct {
	lowest *stats.Lowest
	sum    float64
	n      int64
}

// documents reads the table of documents once. It finds what was kept, the pages on which
// extractors agree least, those for which an extractor expects the worst answers and those
// that took longest, and what templates removed.
func (v *view) documents(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options) error {
	extractors := m.Run.Recipe.Extractors
	if rows := v.Pages * int64(len(extractors)); rows > o.Rows {
		v.Unread = fmt.Sprintf("The run has %s rows of documents, too many to look through for this page. Order the table of pages by page_consensus; 'winnow report --table confidence' lists the pages of least confidence.", grouped(rows))
		if v.Learned != nil {
			v.Learned.Note = fmt.Sprintf("What they removed is in the documents table, column coverage: %s rows are too many to look through for this page.", grouped(rows))
		}
		return nil
	}
	doubtful, slowest := stats.NewLowest(o.Pages), stats.NewLowest(o.Pages)
	byExtractor := map[string]*unsureOf{}
	v.Kept = newKept(&m.Run.Recipe)
	var page stats.Page // the current one, with the time spent so far
	columns := columnar.DocumentColumns(nil, "package", "doc_id", "page_id", "url", "extractor", "outcome", "html_bytes", "parse_ns", "feature_ns", "extract_ns",
		"text_chars", "text_hash", "confidence", "kept", "template_method", "template_id", "in_sample", "coverage", "notes")
	pages := tables.PageColumns(&m.Run.Recipe, stats.ByLanguage)
	for i := range m.Parts {
		for row, err := range tables.DocumentColumns(ctx, store, pages, columns, &m.Parts[i]) {
			if err != nil {
				return err
			}
			if row.Package != page.Package || row.DocID != page.DocID {
				if page.DocID != "" {
					slowest.Add(page)
				}
				page = stats.Page{Package: strings.Clone(row.Package), DocID: strings.Clone(row.DocID), URL: strings.Clone(row.URL), Bytes: row.HTMLBytes, Figure: -float64(row.ParseNS + row.FeatureNS)}
				if listed := page; !math.IsNaN(row.Page.PageConsensus) {
					listed.Figure = row.Page.PageConsensus
					doubtful.Add(listed)
				}
			}
			page.Figure -= float64(row.ExtractNS)
			v.Kept.add(row)
			if v.Learned != nil {
				v.Learned.add(row.Document)
			}
			if !math.IsNaN(row.Confidence) {
				u := byExtractor[row.Extractor]
				if u == nil {
					u = &unsureOf{lowest: stats.NewLowest(o.Pages)}
					byExtractor[strings.Clone(row.Extractor)] = u
				}
				u.n++
				u.sum += row.Confidence
				listed := page
				listed.Figure = row.Confidence
				u.lowest.Add(listed)
			}
		}
	}
	if page.DocID != "" {
		slowest.Add(page)
	}
	if v.Learned != nil {
		v.Learned.removed(v.Packages)
	}
	add := func(l list, left int64, where string) {
		if left > 0 {
			l.Caption += fmt.Sprintf(" %s in %s.", more(left), where)
		}
		if len(l.Pages) > 0 {
			v.Lists = append(v.Lists, l)
		}
	}
	for _, e := range extractors {
		if u := byExtractor[e.Name]; u != nil {
			add(list{Title: "Least confidence: " + clean(e.Name), Column: "confidence", Pages: u.lowest.Pages(),
				Caption: fmt.Sprintf("The word F1 that %s expects of its answer; its mean over all pages is %.3f.", clean(e.Name), u.sum/float64(u.n))}, u.lowest.More(), "the documents table, column confidence")
		}
	}
	add(list{Title: "Least agreement", Column: "agreement", Pages: doubtful.Pages(), Caption: "The mean agreement of all pairs of extractors. Where they choose different words, the page is hard, or hardly has main content."},
		doubtful.More(), "the pages table, column page_consensus")
	last := list{Title: "Slowest pages", Column: "ms", Millis: true, Pages: slowest.Pages(), Caption: "The time of parsing, of shared measurements and of all extractors together; that of an ensemble includes its members once more."}
	for i := range last.Pages {
		last.Pages[i].Figure = -last.Pages[i].Figure
	}
	add(last, 0, "")
	return v.Kept.finish(ctx, store, m, o)
}
