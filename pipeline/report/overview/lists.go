package overview

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func isMissing(err error) bool { return errors.Is(err, blob.ErrNotFound) }

// failureCount is how often something became no page, or was damaged.
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

// doubt is a page on which extractors do not agree.
type doubt struct {
	Package, DocID, URL string
	Consensus           float64
	Chars               int64
}

// worse orders pages by how little extractors agree.
func (a *doubt) worse(b *doubt) bool {
	return cmp.Or(cmp.Compare(a.Consensus, b.Consensus), cmp.Compare(a.Package, b.Package), cmp.Compare(a.DocID, b.DocID)) < 0
}

// doubts is a heap with the least doubtful page on top.
type doubts []doubt

// Len, Less, Swap, Push and Pop are container/heap's.
func (d doubts) Len() int           { return len(d) }
func (d doubts) Less(i, j int) bool { return d[j].worse(&d[i]) }
func (d doubts) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *doubts) Push(x any)        { *d = append(*d, x.(doubt)) }
func (d *doubts) Pop() any {
	last := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return last
}

// documents goes through the table of documents, once, for what it says of single
// pages: which are doubtful, and what templates removed from them.
func (v *view) documents(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options) error {
	extractors := m.Run.Recipe.Extractors
	if len(extractors) < 2 {
		v.NoDoubtful = "There is one extractor: nothing to compare."
		if v.Learned == nil {
			return nil
		}
	}
	if rows := v.Pages * int64(len(extractors)); rows > o.Rows {
		v.NoDoubtful = fmt.Sprintf("The run has %s rows of documents, too many to look through for this page: order the table by page_consensus.", grouped(rows))
		if v.Learned != nil {
			v.Learned.Note = fmt.Sprintf("What they removed is in the documents table, column coverage: %s rows are too many to look through for this page.", grouped(rows))
		}
		return nil
	}
	var worst doubts
	for _, file := range m.FilesOf(schemas.TableDocuments) {
		for row, err := range tables.Rows(ctx, store, columnar.Documents, file) {
			if err != nil {
				return err
			}
			if v.Learned != nil {
				v.Learned.add(row)
			}
			if row.Extractor != extractors[0].Name || math.IsNaN(row.PageConsensus) {
				continue
			}
			d := doubt{row.Package, row.DocID, row.URL, row.PageConsensus, row.HTMLBytes}
			switch {
			case len(worst) < o.Pages:
				heap.Push(&worst, d)
			case d.worse(&worst[0]):
				worst[0] = d
				heap.Fix(&worst, 0)
				v.MoreDoubtful++
			default:
				v.MoreDoubtful++
			}
		}
	}
	slices.SortFunc(worst, func(a, b doubt) int {
		if a.worse(&b) {
			return -1
		}
		return 1
	})
	v.Doubtful = worst
	if v.Learned != nil {
		v.Learned.removed(v.Packages)
	}
	return nil
}
