package compact

import (
	"fmt"
	"hash/maphash"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// rowCheck verifies that the rows of an item's shards are those that its report
// counts, that every page has its row and one of every extractor, that every
// extraction of a page with gold has a score by every scorer, and that every page has as
// many links as it says. Otherwise the rows of one
// bad shard would be found only when the whole run is added up, and would fail it.
//
// The rows of an item are adjacent, so that only the rows of one item are counted at a
// time. If all rows of an item are missing, the number of rows shows it.
type rowCheck struct {
	found      *Damage
	seed       maphash.Seed
	extractors []string
	scorers    map[string]bool

	of       *Entry            // the item whose rows are counted
	outcomes map[string]int64  // number of its documents
	leftOut  map[string]int64  // number of its documents, by the clause
	scores   map[string]uint64 // number of its scores, by scorer
	pages    uint64            // number of its pages

	// documents holds, for each item, a sum of hashes of the keys of rows with gold. A worker cannot predict
	// the hashes, so equal sums mean equal sets of keys.
	documents map[*Entry]uint64
	// extracted holds such sums for the pages that the documents of an item are about.
	extracted map[*Entry]uint64
	// links holds such sums for the pages that the links of an item are on, less those that
	// its pages count: 0 if all are there.
	links   map[*Entry]uint64
	linksAt int // index of the number of links among the facts of a page; -1 if there is none
}

func newRowCheck(r *schemas.Recipe, found *Damage) *rowCheck {
	c := &rowCheck{found: found, seed: maphash.MakeSeed(), scorers: map[string]bool{},
		outcomes: map[string]int64{}, leftOut: map[string]int64{}, scores: map[string]uint64{}, documents: map[*Entry]uint64{}, extracted: map[*Entry]uint64{},
		links: map[*Entry]uint64{}, linksAt: r.LinksColumn()}
	for _, m := range r.Extractors {
		c.extractors = append(c.extractors, m.Name)
	}
	for _, m := range r.Scorers {
		c.scorers[m.Name] = true
	}
	return c
}

// key identifies an extraction within a run.
func (c *rowCheck) key(pkg, doc, extractor string) uint64 {
	return maphash.Comparable(c.seed, [3]string{pkg, doc, extractor})
}

func (c *rowCheck) document(e *Entry, r *schemas.Document) {
	if c.of != e {
		c.endDocuments()
		c.of = e
	}
	c.outcomes[account.OutcomeKey(r.Extractor, r.Outcome, r.Reason)]++
	if r.Kept == schemas.No {
		c.leftOut[r.LeftOutBy]++
	}
	c.extracted[e] += c.pageKey(r.Package, r.DocID, r.PageID)
	if len(c.scorers) > 0 && r.HasGold {
		c.documents[e] += c.key(r.Package, r.DocID, r.Extractor)
	}
}

// endDocuments compares the outcomes of an item with its report.
func (c *rowCheck) endDocuments() {
	if c.of != nil {
		if err := account.CheckOutcomes(c.outcomes, c.of.Done.Counts.Outcomes); err != nil {
			c.found.Add(c.of, err)
		}
		if err := account.CheckLeftOut(c.leftOut, c.of.Done.Counts.LeftOut); err != nil {
			c.found.Add(c.of, err)
		}
	}
	c.of = nil
	clear(c.outcomes)
	clear(c.leftOut)
}

// pageKey identifies a page within a run.
func (c *rowCheck) pageKey(pkg, doc string, id uint64) uint64 {
	return maphash.Comparable(c.seed, struct {
		pkg, doc string
		id       uint64
	}{pkg, doc, id})
}

func (c *rowCheck) page(e *Entry, r *schemas.Page) {
	if c.of != e {
		c.endPages()
		c.of = e
	}
	key := c.pageKey(r.Package, r.DocID, r.PageID)
	c.pages += uint64(len(c.extractors)) * key
	if c.linksAt >= 0 && c.linksAt < len(r.Facts) {
		c.links[e] -= uint64(r.Facts[c.linksAt].Int()) * key
	}
}

// endPages compares the pages of an item with those of its documents: every page has as
// many rows there as the run has extractors.
func (c *rowCheck) endPages() {
	if c.of != nil && c.pages != c.extracted[c.of] {
		c.found.Add(c.of, fmt.Errorf("%w: its rows of pages are not those of its documents", account.ErrConservation))
	}
	c.of, c.pages = nil, 0
}

func (c *rowCheck) link(e *Entry, r *schemas.LinkRow) {
	c.links[e] += c.pageKey(r.Package, r.DocID, r.PageID)
}

// endLinks compares the links of all items with the counts of their pages.
func (c *rowCheck) endLinks(entries []*Entry) {
	for _, e := range entries {
		if c.links[e] != 0 {
			c.found.Add(e, fmt.Errorf("%w: its links are not those that its pages count", account.ErrConservation))
		}
	}
}

func (c *rowCheck) score(e *Entry, r *schemas.ScoreRow) {
	if c.of != e {
		c.endScores()
		c.of = e
	}
	if c.scorers[r.Scorer] { // if a row has another scorer, a row of one of these scorers is missing
		c.scores[r.Scorer] += c.key(r.Package, r.DocID, r.Extractor)
	}
}

// endScores compares the extractions that were scored with those of the documents.
func (c *rowCheck) endScores() {
	if c.of != nil {
		for scorer := range c.scorers {
			if c.scores[scorer] != c.documents[c.of] {
				c.found.Add(c.of, fmt.Errorf("%w: the scores by %s are not those of its documents with gold", account.ErrConservation, scorer))
				break
			}
		}
	}
	c.of = nil
	clear(c.scores)
}
