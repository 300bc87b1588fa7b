package stats

import (
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// Document is a row of the documents table with the row of its page.
type Document struct {
	*schemas.Document
	Page *schemas.Page
}

// Add counts the rows of a part. Both tables must have the order of
// schemas.CompareScores, so that the scores of an extraction can be matched with its
// document.
func (t *Tally) Add(documents iter.Seq2[Document, error], scores iter.Seq2[*schemas.ScoreRow, error]) error {
	next, stop := iter.Pull2(scores)
	defer stop()
	j := join{next: next, chosen: &t.chosen}
	if err := j.advance(); err != nil {
		return err
	}
	for row, err := range documents {
		if err != nil {
			return err
		}
		if !t.chosen.extraction(row.Package, row.Extractor) {
			continue
		}
		if err := j.document(row, t); err != nil {
			return err
		}
		if err := t.full(); err != nil {
			return err
		}
	}
	return j.end(t)
}

// join reads documents and scores side by side. It collects all documents of one key
// (package, doc_id, extractor), because a document id that was archived twice has two
// documents and, for each scorer, two scores in the same order.
type join struct {
	next   func() (*schemas.ScoreRow, error, bool)
	chosen *choice
	score  *schemas.ScoreRow // nil at the end

	key    schemas.Document // identifies the group: Package, DocID, Extractor
	scored []scored         // its documents with gold
}

func (j *join) advance() error {
	for {
		row, err, ok := j.next()
		if j.score = row; !ok {
			j.score = nil
			return err
		}
		if err != nil || j.chosen.extraction(row.Package, row.Extractor) && among(j.chosen.scorers, row.Scorer) {
			return err
		}
	}
}

// document reads the next row of documents.
func (j *join) document(row Document, t *Tally) error {
	s := t.document(row.Document, row.Page)
	if schemas.CompareDocuments(row.Document, &j.key) != 0 {
		if err := j.flush(t); err != nil {
			return err
		}
	}
	j.key.Package, j.key.DocID, j.key.Extractor = row.Package, row.DocID, row.Extractor
	if row.HasGold {
		j.scored = append(j.scored, s)
	}
	return nil
}

// flush counts the scores of the group.
func (j *join) flush(t *Tally) error {
	scorer, n := "", 0
	for j.score != nil && j.score.Package == j.key.Package && j.score.DocID == j.key.DocID && j.score.Extractor == j.key.Extractor {
		if j.score.Scorer != scorer {
			scorer, n = j.score.Scorer, 0
		}
		if n == len(j.scored) {
			return fmt.Errorf("%w: package %s, document %s, extractor %s has %d rows of documents with gold, but more rows of scores by %s",
				account.ErrConservation, j.key.Package, j.key.DocID, j.key.Extractor, n, scorer)
		}
		t.score(j.score, &j.scored[n])
		n++
		if err := j.advance(); err != nil {
			return err
		}
	}
	j.scored = j.scored[:0]
	return nil
}

func (j *join) end(t *Tally) error {
	if err := j.flush(t); err != nil {
		return err
	}
	if s := j.score; s != nil {
		return fmt.Errorf("%w: package %s, document %s, extractor %s has a score and no row of documents", account.ErrConservation, s.Package, s.DocID, s.Extractor)
	}
	return nil
}
