package account

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// ErrConservation means that sums which must agree do not: a record, a row or a byte is
// missing or counted twice. Nothing is published then.
var ErrConservation = errors.New("the account does not add up")

// AddCounts adds b to a.
func AddCounts(a, b *schemas.Counts) {
	a.Records += b.Records
	a.Pages += b.Pages
	a.WithGold += b.WithGold
	a.Bytes += b.Bytes
	a.BytesUnits += b.BytesUnits
	a.BytesGaps += b.BytesGaps
	a.BytesEmpty += b.BytesEmpty
	a.BytesHTML += b.BytesHTML
	AddMap(&a.ByType, b.ByType)
	AddMap(&a.NotHTML, b.NotHTML)
	AddMap(&a.Refused, b.Refused)
	AddMap(&a.Defects, b.Defects)
	AddMap(&a.Outcomes, b.Outcomes)
	AddMap(&a.Rows, b.Rows)
	AddMap(&a.Unmade, b.Unmade)
	AddMap(&a.LeftOut, b.LeftOut)
}

// AddMap adds the numbers of b to those of a, which is made if there is none.
func AddMap[K comparable](a *map[K]int64, b map[K]int64) {
	if *a == nil && len(b) > 0 {
		*a = make(map[K]int64, len(b))
	}
	for k, n := range b {
		(*a)[k] += n
	}
}

// Sum is the sum of the numbers of m.
func Sum[K comparable](m map[K]int64) (n int64) {
	for _, v := range m {
		n += v
	}
	return n
}

// CheckCounts verifies that the sums in the comment of schemas.Counts hold for the counts
// of one or more items. span is the number of bytes from First to Next.
func CheckCounts(c *schemas.Counts, recipe *schemas.Recipe, span int64) error {
	off := func(left string, a int64, right string, b int64) error {
		return fmt.Errorf("%w: %s are %d, %s are %d", ErrConservation, left, a, right, b)
	}
	unnamed := c.NotHTML[schemas.KindUnnamed] + c.NotHTML[schemas.KindOtherURL] // these kinds are counted for all records
	notHTML, refused := Sum(c.NotHTML), Sum(c.Refused)
	extractors, scorers := int64(len(recipe.Extractors)), int64(len(recipe.Scorers))
	switch {
	case c.Records != c.Pages+notHTML+refused:
		return off("records read", c.Records, fmt.Sprintf("pages (%d), records that are not pages (%d) and refused ones (%d) together", c.Pages, notHTML, refused), c.Pages+notHTML+refused)
	case len(c.ByType) > 0 && Sum(c.ByType) != c.Records:
		return off("records read", c.Records, "records by type together", Sum(c.ByType))
	case c.Bytes != c.BytesUnits+c.BytesGaps:
		return off("bytes", c.Bytes, "bytes in units and gaps together", c.BytesUnits+c.BytesGaps)
	case c.Bytes != span:
		return off("bytes", c.Bytes, "bytes from the first record to the next item's", span)
	case c.Rows[schemas.TablePages] != c.Pages:
		return off("rows of pages", c.Rows[schemas.TablePages], "pages", c.Pages)
	case c.Rows[schemas.TableDocuments] != c.Pages*extractors:
		return off("rows of documents", c.Rows[schemas.TableDocuments], fmt.Sprintf("pages (%d) times extractors (%d)", c.Pages, extractors), c.Pages*extractors)
	case c.WithGold < 0 || c.WithGold > c.Pages:
		return off("pages with gold", c.WithGold, "pages", c.Pages)
	case c.Rows[schemas.TableScores] != c.WithGold*extractors*scorers:
		return off("rows of scores", c.Rows[schemas.TableScores], fmt.Sprintf("pages with gold (%d) times extractors (%d) times scorers (%d)", c.WithGold, extractors, scorers), c.WithGold*extractors*scorers)
	case !recipe.Records && c.Rows[schemas.TableRecords] != 0:
		return off("copied records", c.Rows[schemas.TableRecords], "records that the recipe has copied", 0)
	case recipe.Records && c.Rows[schemas.TableRecords] != c.Records-unnamed:
		return off("copied records", c.Rows[schemas.TableRecords], "records that an index named", c.Records-unnamed)
	case c.Rows[schemas.TableLinks] > 0 && recipe.LinksColumn() < 0:
		return off("rows of links", c.Rows[schemas.TableLinks], "those of a run without the fact that finds them", 0)
	}
	perExtractor := map[string]int64{}
	for key, n := range c.Outcomes {
		name, _ := SplitOutcome(key)
		perExtractor[name] += n
	}
	for _, m := range recipe.Extractors {
		if n := perExtractor[m.Name]; n != c.Pages {
			return off("outcomes of "+m.Name, n, "pages", c.Pages)
		}
		delete(perExtractor, m.Name)
	}
	if len(perExtractor) > 0 {
		return fmt.Errorf("%w: outcomes of %s, which the recipe does not have", ErrConservation, strings.Join(slices.Sorted(maps.Keys(perExtractor)), ", "))
	}
	texts, left, answered := c.Rows[schemas.TableTexts], Sum(c.LeftOut), Answered(c)
	switch {
	case recipe.Texts == "" && texts != 0:
		return off("rows of texts", texts, "texts that the recipe asks for", 0)
	case recipe.Keep == "" && left != 0:
		return off("texts left out", left, "texts that the recipe leaves out", 0)
	case recipe.Texts == "" && left > answered, recipe.Texts != "" && texts+left != answered:
		return off(fmt.Sprintf("rows of texts (%d) and texts left out (%d) together", texts, left), texts+left, "answers of extractors", answered)
	}
	return nil
}

// Answered returns the number of extractions that have a text. An empty answer has none.
func Answered(c *schemas.Counts) (n int64) {
	for key, extractions := range c.Outcomes {
		if _, outcome := SplitOutcome(key); outcome == "ok" {
			n += extractions
		}
	}
	return n
}

// Failed returns the number of extractions that failed.
func Failed(c *schemas.Counts) (n int64) {
	for key, extractions := range c.Outcomes {
		if _, outcome := SplitOutcome(key); outcome == "failed" || strings.HasPrefix(outcome, "failed/") {
			n += extractions
		}
	}
	return n
}

// CheckLeftOut verifies that the rows written mark as many texts as left
// out, and by which clause, as was reported.
func CheckLeftOut(rows, reported map[string]int64) error {
	if !maps.Equal(rows, reported) {
		return fmt.Errorf("%w: %d rows of documents say that their text was left out, reported are %d, or the clauses differ", ErrConservation, Sum(rows), Sum(reported))
	}
	return nil
}

// OutcomeKey is the key of Counts.Outcomes: "bte/ok", "bte/failed/panic".
func OutcomeKey(extractor, outcome, reason string) string {
	if reason == "" {
		return extractor + "/" + outcome
	}
	return extractor + "/" + outcome + "/" + reason
}

// SplitOutcome splits a key after the extractor's name, which has no slash.
func SplitOutcome(key string) (extractor, rest string) {
	extractor, rest, _ = strings.Cut(key, "/")
	return extractor, rest
}

// CheckOutcomes verifies that the rows written have the outcomes reported.
func CheckOutcomes(rows, reported map[string]int64) error {
	for _, key := range slices.Sorted(maps.Keys(reported)) {
		if rows[key] != reported[key] {
			return fmt.Errorf("%w: %d rows of documents with outcome %s, reported are %d", ErrConservation, rows[key], key, reported[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if rows[key] != 0 && reported[key] == 0 {
			return fmt.Errorf("%w: %d rows of documents with outcome %s, reported are none", ErrConservation, rows[key], key)
		}
	}
	return nil
}
