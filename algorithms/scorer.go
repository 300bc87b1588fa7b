package algorithms

import "github.com/winnow/winnow/algorithms/page"

// Scorer is one published measure: it compares what an extractor found with
// the gold of the page. Like an Extractor it is a plain value.
type Scorer struct {
	Description

	// With returns the scorer with other settings; nil if it has none. Unknown
	// names and impossible values are errors that name what is allowed.
	With func(settings map[string]string) (*Scorer, error)

	// Mean names the package figure that the scorer's source publishes.
	Mean Mean
	// Top is the largest Value of a MeanValue scorer; 0 means 1. Lower means
	// that the smaller Value is the better one.
	Top   float64
	Lower bool

	// Snippets means that the scorer reads the snippets of the gold alone
	// (Gold.With, Gold.Without): it scores pages whose gold has no text, too.
	Snippets bool

	// Score measures t. It is not called for pages without gold or for
	// extractors that failed.
	Score func(t *Trial) Score
}

// Mean is how a scorer's documents become one package figure.
type Mean string

const (
	MacroF1   Mean = "macro"    // mean of the documents' F1
	F1OfMeans Mean = "of_means" // harmonic mean of mean precision and mean recall
	MicroF1   Mean = "micro"    // from counts pooled over the package
	MeanValue Mean = "value"    // mean of Score.Value: not a precision/recall scorer

	// F1OfDefined is F1OfMeans where documents with PUndefined are left out of
	// the mean precision and those with RUndefined out of the mean recall.
	F1OfDefined Mean = "of_defined_means"
)

// Score is the answer of a Scorer. Common, Extracted and Gold count items
// (characters, words, blocks, nodes … by the scorer); precision, recall and
// F1 follow from them unless the scorer says otherwise. No field is ever NaN
// or infinite.
type Score struct {
	Common, Extracted, Gold int64
	// CommonHigh is an upper bound of Common where, by Method, Common is
	// only a lower bound; 0 where Common is exact.
	CommonHigh int64
	// Universe is the number of items that could have been chosen (blocks of the
	// page, snippets of the gold), for scorers that count true negatives; 0 for
	// the others.
	Universe int64

	Precision, Recall, F1 float64
	Value                 float64 // value of a scorer that does not compute an F1

	PUndefined, RUndefined bool   // the denominator was 0 and the edge rule answered
	Method                 string // how it was computed where there is a choice: "exact", "anchored" …
	// Coverage is the share of the gold's words that were found on the page, for
	// scorers that align the gold text with the page; Placed is true if it is known.
	Coverage float64
	Placed   bool
	// Reason says why there is no score; the numbers are then null in the table.
	Reason Reason
}

// FromCounts is the score of counts under the default edge rules: both empty 1,
// one empty 0 with a flag.
func FromCounts(common, extracted, gold int64) Score {
	s := Score{Common: common, Extracted: extracted, Gold: gold}
	switch {
	case extracted == 0 && gold == 0:
		s.Precision, s.Recall, s.F1 = 1, 1, 1
	case extracted == 0:
		s.PUndefined = true
	case gold == 0:
		s.RUndefined = true
	default:
		s.Precision = float64(common) / float64(extracted)
		s.Recall = float64(common) / float64(gold)
		s.F1 = 2 * float64(common) / float64(extracted+gold)
	}
	return s
}

// Gold is the gold side of a page. What scorers compute of it (tokens, match masks,
// automata) is a GoldFeature: computed once and shared by all extractions of the page.
type Gold struct {
	Text     string   // the main content; empty means that there is none
	Markdown string   // the main content with its structure; empty if there is none
	HTML     []byte   // annotated page for node-level gold; nil if there is none
	With     []string // snippets that must appear; nil if the package has none for this page
	Without  []string // snippets that must not; nil if the package has none for this page
	Language string   // language of the content, as a BCP 47 tag; empty if it is not known
	Page     *page.Page

	features memo
}

// Reset makes g ready for the gold of another page.
func (g *Gold) Reset() {
	g.Text, g.Markdown, g.HTML, g.With, g.Without, g.Language, g.Page = "", "", nil, nil, nil, "", nil
	g.features.next()
}

// Trial is one extraction to be scored.
type Trial struct {
	Gold *Gold
	// Text is the extracted text, blocks separated by newlines. Valid during Score.
	Text []byte
	// Selection is the location of Text on the page; nil if the extractor gave only
	// text and it was not aligned.
	Selection *page.Selection
	Aligned   bool // Selection comes from alignment, not from the extractor

	features memo
	scratch  memo
}

// Reset makes t ready for another extraction.
func (t *Trial) Reset(g *Gold, text []byte, sel *page.Selection, aligned bool) {
	t.Gold, t.Text, t.Selection, t.Aligned = g, text, sel, aligned
	t.features.next()
}

// TrialScratch is Scratch for scorers.
func TrialScratch[T any](t *Trial) *T { return keep[T](&t.scratch) }
