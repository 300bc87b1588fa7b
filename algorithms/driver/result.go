package driver

import (
	"math"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/page"
)

// Input is one page and what is known about it.
type Input struct {
	HTML []byte // UTF-8; must not change before the next page, and never if Result.Stuck
	URL  string
	// Package and Document name the page where others name it: programs (Extractor.Command) may
	// know it by them. Both may be empty.
	Package, Document string

	Gold *Gold // nil if the page has none
	// Headers are the fields of the HTTP response that facts read.
	Headers []fact.Header
	// Index are the fields of the index that led to the page.
	Index []fact.Header
	// Site is what files of the page's host state about it; nil if they were not read.
	Site *fact.Site
	// Template returns what e learned about the page's site, or the reason why
	// there is nothing. Nil if the run has no templates.
	Template func(e *algorithms.Extractor) (*algorithms.Template, algorithms.Reason)
}

// Gold is the main content of a page as an expert sees it.
type Gold struct {
	Text string
	// SnippetsOnly is true if Text is unknown and not empty: only scorers of snippets
	// (algorithms.Scorer.Snippets) return scores then.
	SnippetsOnly  bool
	Markdown      string // Text with its structure; empty if there is none
	HTML          []byte // annotated page; nil if there is none
	With, Without []string
	Language      string // BCP 47; empty if it is not known
}

// Result is the outcome of one page.
type Result struct {
	Page        *page.Page
	HTMLBytes   int
	ParseNS     int64
	FeatureNS   int64
	Extractions []Extraction // the order is that of Config.Extractors

	Facts   []fact.Value // facts of the page: the columns of Config.Facts, in order
	Unfound []Unfound    // facts of the page that failed; their values are null
	FactNS  int64        // time of finding all facts, of the page and of the texts
	// Links are those of the page, if one of Config.Facts finds them. LinksBy is the
	// extractor whose selection says which of them are in the main content; nil if there
	// is none.
	Links    []fact.Link
	LinkText []byte // the text that contains the strings of Links
	LinksBy  *algorithms.Extractor

	// Stuck is true if an extractor or scorer did not return from this page. It may still
	// read Input.HTML, which must therefore never change.
	Stuck bool
}

// Extraction is the result of one extractor on the page.
type Extraction struct {
	Extractor *algorithms.Extractor
	Outcome   algorithms.Outcome
	Reason    algorithms.Reason
	Detail    string // message and stack of a failure, for the log
	ExtractNS int64

	Text         []byte   // blocks separated by newlines
	TextChars    int      // runes
	TextHash     uint64   // xxHash64
	Notes        []string // the extractor's remarks on its answer
	Confidence   float32  // word F1 that the extractor expects of its answer; 0 if it reports none
	Cluster      int      // algorithms.Template.Cluster
	Selection    page.Selection
	HasSelection bool
	Aligned      bool // Selection was found by aligning Text
	// Probabilities are those of parts of the page (algorithms.Pass.Probabilities).
	Probabilities []algorithms.Probability

	// Facts are those of the text: the columns of Config.Facts, in order. All are null if
	// the extractor failed or was skipped.
	Facts   []fact.Value
	Unfound []Unfound // facts of the text that failed; their values are null

	Scores []Scored // the order is that of Config.Scorers
}

// Unfound is a fact that failed.
type Unfound struct {
	Fact   string
	Reason algorithms.Reason
	Detail string // for the log: message and stack
}

// Scored is one scorer's result for one extraction.
type Scored struct {
	Scorer *algorithms.Scorer
	Score  algorithms.Score
	Err    string // defect of the scorer; Score then has no numbers
}

// Confident returns Confidence, NaN if the extractor reports none.
func (x *Extraction) Confident() float64 {
	if x.Confidence > 0 {
		return float64(x.Confidence)
	}
	return math.NaN()
}

func (x *Extraction) reset() {
	x.Outcome, x.Reason, x.Detail, x.ExtractNS = "", algorithms.NoReason, "", 0
	x.Text, x.TextChars, x.TextHash, x.Notes = x.Text[:0], 0, 0, x.Notes[:0]
	x.Confidence, x.Probabilities = 0, x.Probabilities[:0]
	x.Selection.Reset()
	x.HasSelection, x.Aligned, x.Cluster = false, false, 0
}

func (x *Extraction) fail(reason algorithms.Reason, detail string, stack []byte) {
	x.Outcome, x.Reason, x.Detail = algorithms.Failed, reason, detail
	if stack != nil {
		x.Detail += "\n" + string(stack)
	}
}

// finish computes from Text what the tables report about it.
func (x *Extraction) finish() {
	x.TextChars = utf8.RuneCount(x.Text)
	x.TextHash = xxhash.Sum64(x.Text)
	x.Outcome = algorithms.OK
	if blank(x.Text) {
		x.Outcome = algorithms.Empty
	}
}

func blank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
