package diff

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// page is one page of a group.
type page struct {
	url, outcome, reason string
	hash                 uint64
	hasGold              bool
	scores               []float64 // by scorer; a missing one is NaN
}

// said returns the outcome with its reason.
func (p *page) said() string {
	if p.reason == "" {
		return p.outcome
	}
	return p.outcome + "/" + p.reason
}

// score returns the score by scorer i, or NaN.
func (p *page) score(i int) float64 {
	if p.scores == nil {
		return math.NaN()
	}
	return p.scores[i]
}

// group is all pages of one key. There are several if a document was archived several
// times under one id.
type group struct {
	pkg, id, extractor string
	pages              []page
}

// has reports whether rows of that key belong to the group.
func (g *group) has(pkg, id, extractor string) bool {
	return pkg == g.pkg && id == g.id && extractor == g.extractor
}

// page returns page i, or nil if there is none.
func (g *group) page(i int) *page {
	if g == nil || i >= len(g.pages) {
		return nil
	}
	return &g.pages[i]
}

// side reads the documents and scores of one run side by side.
type side struct {
	scorers []string
	means   map[string]string // schemas.Method.Mean, by scorer

	documents cursor[schemas.Document]
	scores    cursor[schemas.ScoreRow]
	group     group // what next returned
	err       error // the first one; there is no further group then
}

// cursor reads rows. row is nil before the first and after the last one, and after an error.
type cursor[T any] struct {
	row  *T
	pull func() (*T, error, bool)
	stop func()
}

func newCursor[T any](rows iter.Seq2[*T, error]) cursor[T] {
	pull, stop := iter.Pull2(rows)
	return cursor[T]{pull: pull, stop: stop}
}

// advance moves a cursor of a side to its next row.
func advance[T any](s *side, c *cursor[T]) {
	var err error
	if c.row, err, _ = c.pull(); err != nil {
		c.row, s.err = nil, err
	}
}

// open returns the side of a run for some extractors and scorers.
func (r Run) open(ctx context.Context, extractors, scorers []string) *side {
	documents := columnar.DocumentColumns(nil, "package", "doc_id", "url", "extractor", "outcome", "reason", "text_hash", "has_gold")
	means := map[string]string{}
	for _, s := range r.Manifest.Run.Recipe.Scorers {
		means[s.Name] = s.Mean
	}
	return newSide(scorers, means,
		ordered(ctx, r, documents, schemas.CompareDocuments, func(d *schemas.Document) bool { return slices.Contains(extractors, d.Extractor) }),
		ordered(ctx, r, columnar.Scores, schemas.CompareScores, func(s *schemas.ScoreRow) bool {
			return slices.Contains(extractors, s.Extractor) && slices.Contains(scorers, s.Scorer)
		}))
}

func newSide(scorers []string, means map[string]string, documents iter.Seq2[*schemas.Document, error], scores iter.Seq2[*schemas.ScoreRow, error]) *side {
	return &side{scorers: scorers, means: means, documents: newCursor(documents), scores: newCursor(scores)}
}

// ordered yields the chosen rows of all parts of a run in one order. Each part has that
// order already; several parts are sorted, with temporary files if they are large.
func ordered[T any](ctx context.Context, r Run, table *columnar.Table[T], compare func(a, b *T) int, chosen func(*T) bool) iter.Seq2[*T, error] {
	rows := func(yield func(*T, error) bool) {
		for row, err := range tables.TableRows(ctx, r.Store, table, r.Manifest) {
			if err == nil && !chosen(row) {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
	if len(r.Manifest.FilesOf(table.Name())) < 2 {
		return rows
	}
	return extsort.Sorted(ctx, rows, table, compare)
}

func (s *side) stop() {
	s.documents.stop()
	s.scores.stop()
}

// next returns the next group, which is valid until the one after it, or nil at the end and
// after an error.
func (s *side) next() *group {
	if s.group.pages == nil { // nothing was read yet
		advance(s, &s.documents)
		advance(s, &s.scores)
	}
	d, g := s.documents.row, &s.group
	if d == nil {
		if row := s.scores.row; row != nil && s.err == nil {
			s.err = fmt.Errorf("%w: package %s, document %s, extractor %s has a score and no row of documents", account.ErrConservation, row.Package, row.DocID, row.Extractor)
		}
		return nil
	}
	*g = group{d.Package, d.DocID, d.Extractor, g.pages[:0]}
	for ; d != nil && g.has(d.Package, d.DocID, d.Extractor); d = s.documents.row {
		g.pages = append(g.pages, page{url: d.URL, outcome: d.Outcome, reason: d.Reason, hash: d.TextHash, hasGold: d.HasGold})
		advance(s, &s.documents)
	}
	s.score()
	return g
}

// score adds the scores of the group to its pages. For each scorer, the pages with gold
// have one score each, in the same order.
func (s *side) score() {
	scorer, at := "", -1
	for row := s.scores.row; row != nil && s.group.has(row.Package, row.DocID, row.Extractor); row = s.scores.row {
		if row.Scorer != scorer {
			scorer, at = row.Scorer, -1
		}
		for at++; at < len(s.group.pages) && !s.group.pages[at].hasGold; at++ {
		}
		if at >= len(s.group.pages) {
			s.err = fmt.Errorf("%w: package %s, document %s, extractor %s has more scores by %s than pages with gold", account.ErrConservation, row.Package, row.DocID, row.Extractor, scorer)
			return
		}
		p := &s.group.pages[at]
		if p.scores == nil {
			p.scores = slices.Repeat([]float64{math.NaN()}, len(s.scorers))
		}
		if i := slices.Index(s.scorers, scorer); i >= 0 {
			p.scores[i] = value(row, p.outcome, s.means[scorer])
		}
		advance(s, &s.scores)
	}
}
