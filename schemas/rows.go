package schemas

import "math"

// Page is a row of the pages table: one page.
type Page struct {
	Run, Package, DocID, URL string
	PageID                   uint64 // hash of the name of the file, the offset and the ordinal
	Site                     string
	SiteBy                   string // what a site is: "host", "domain" or "package"
	File                     string
	Offset                   int64 // start of the unit that holds the record
	Ordinal                  int32 // number of the record within the unit
	RecordID, Date           string
	HTTPStatus               int64  // status of the response; 0 if there is none (a resource)
	Charset, CharsetSource   string // encoding of the payload; "bom", "http", "meta", "detected" or "default"
	Replaced                 int64  // replacement characters written for bytes that are not valid in Charset
	PageType, GoldLanguage   string // as the gold states them
	HTMLBytes                int64
	ContentHash              uint64 // hash of all that is read of the page itself (see Capture); 0 unless each extractor has answered
	ParseNS                  int64
	FactsNS                  int64  // time of all facts, of the page and of its texts
	FactsFailed              string // comma-separated, with the reasons: "rights:panic"
	Flags                    string // comma-separated: "truncated,payload-over-limit"

	// Complexity is the share of the page's words that are not in its gold, from 0 to
	// 1. It is NaN (null) without gold.
	Complexity float64
	// PageConsensus is the mean agreement of all pairs of the run's extractors, from 0 to
	// 1. It is NaN (null) if there is nothing to compare, and low if the page is doubtful.
	PageConsensus float64

	Facts []Value // facts of the page, by Recipe.PageColumns
}

// Document is a row of the documents table: one page and one extractor. What depends
// on the page alone is in Page, to which PageID leads. Some of it is repeated here: URL,
// PageType, File, Offset, HTMLBytes and ParseNS for queries without a join, and HasGold
// because the rows of scores are checked against these rows while both are read once.
type Document struct {
	Run, Package, DocID, URL string
	PageID                   uint64
	PageType                 string
	File                     string
	Offset                   int64
	Extractor, Fidelity      string
	Outcome, Reason          string
	HTMLBytes, TextChars     int64
	TextHash                 uint64  // hash of the extracted text
	ParseNS, FeatureNS       int64   // time for the page, shared by all its extractors
	ExtractNS                int64   // time of this extractor, and of its members if it is an ensemble
	Spans                    []int32 // start, end, start, end … over the page text; nil unless asked for

	// These fields are set for site-level extractors that had a template; zero for all others.
	TemplateID    string  // the template that was applied; see TemplateRow
	TemplatePages int64   // the number of pages that it was learned from
	InSample      bool    // the template was learned from this page too
	Coverage      float64 // share of the page's words that the extractor removed
	Notes         string  // remarks of the extractor on its answer, comma-separated

	// The agreement of the extractor with the run's others on the page, from 0 to 1. NaN
	// means null: there is nothing to compare.
	Consensus   float64 // mean agreement with the others, a family counting once
	ConsensusF1 float64 // agreement with the words that more than half of the others chose

	// ConfigHash is a hash of all settings of the extractor, named or not, and of the
	// version of what it learns. Rows of two runs with the same hash are results of the
	// same extractor. It has 16 hexadecimal digits.
	ConfigHash string

	// These fields are set for site-level extractors, with or without a template.
	// Page.SiteBy, Page.Site and TemplateMethod identify the row of the templates table, which
	// has the bytes, the flags, the version and the clusters of the template, when it
	// was learned and how long that took. Outcome and Reason tell whether the page
	// itself could be processed.
	TemplateMethod string // TemplateRow.Method of the template that the extractor applies
	TemplateStatus string // TemplateRow.Status; a site without a row has "too_few_pages"
	LOO            bool   // the page is in the sample, and was left out where pages are counted
	Cluster        int64  // the cluster of pages to which the page belongs, from 1; 0 if the extractor has none

	HasGold bool // the page has gold, and so its extractions have rows of scores

	FactsFailed string  // facts of the text, comma-separated, with the reasons: "quality:panic"
	Facts       []Value // facts of the text, by Recipe.DocumentColumns

	// Confidence is the word F1 that the extractor expects of its answer. It is NaN
	// (null) for extractors that do not estimate it.
	Confidence float64

	// Kept reports whether the text fulfils Recipe.Keep. It is Unknown without such an
	// expression, and for extractors that gave no answer.
	Kept Truth
	// LeftOutBy names the clause of the expression because of which the text is not kept:
	// its number and the beginning of its text.
	LeftOutBy string
}

// Truth is a truth value that may be null.
type Truth int8

// The values of a Truth. The zero value is null.
const (
	No      Truth = -1
	Unknown Truth = 0
	Yes     Truth = 1
)

// LinkRow is a row of the links table: a link of a page to another.
type LinkRow struct {
	Run, Package, DocID, URL string
	PageID                   uint64 // as in Page
	Position                 int32  // index among the rows of the page
	Target                   string // absolute address
	AnchorText, Rel          string
	InMain                   Truth  // whether it is in the main content as MainBy chose it
	MainBy                   string // an extractor; empty if no extractor chose anything on the page
}

// ScoreRow is a row of the scores table: one page, extractor and scorer.
type ScoreRow struct {
	Run, Package, DocID     string
	Extractor, Scorer       string
	Reason                  string // why the numbers are null; empty if they exist
	Precision, Recall, F1   float64
	Value                   float64
	Common, Extracted, Gold int64 // Gold is set for a failed extraction too: it is what the extractor missed
	PUndefined, RUndefined  bool
	Method                  string
	Spans                   string // "native", "aligned" or ""

	CommonHigh int64   // upper bound of Common if, by Method, Common is a lower bound; else 0
	Universe   int64   // items that could have been chosen, for scorers with true negatives; else 0
	Coverage   float64 // share of the gold's words that are on the page; NaN (null) where nothing was aligned
	// Baseline is the score of the whole text of the page (extractor "plain"). It is
	// set in rows of skipped extractions: F1, or Value of a scorer without F1. It is
	// NaN (null) elsewhere, and where plain was not run.
	Baseline float64
}

// Headline returns the figure by which pages are compared: F1, or Value of a scorer that does
// not compute an F1.
func (r *ScoreRow) Headline() float64 {
	if math.IsNaN(r.F1) {
		return r.Value
	}
	return r.F1
}

// PackageRow is a row of the packages table: one package, extractor and scorer, and, in
// rows with a PageType, only the pages of that type. NaN means null.
//
// A scorer that does not compute an F1 (Mean is "value") has no precision, recall and
// F1. Its interval, percentiles, Headline and SDValue are those of ScoreRow.Value.
type PackageRow struct {
	Run, Package, PageType, Extractor, Scorer string

	Documents, Failures, Skipped int64 // as in SpeedRow, for queries without a join
	Scored                       int64 // documents with a score; failed extractions included
	Answered                     int64 // scored documents whose extraction did not fail
	SkippedGold                  int64 // skipped documents with gold
	// Mean names the figure that the scorer's source publishes (algorithms.Mean), and
	// Headline is that figure. Failed extractions count as 0, and skipped ones are left
	// out.
	Mean     string
	Headline float64

	MeanPrecision, MeanRecall float64
	MeanF1, SDF1              float64
	SDValue                   float64 // standard deviation of Value, for a scorer that does not compute an F1
	CILow, CIHigh             float64
	P05, P50, P95             float64

	// The precision and the recall from which Headline is computed, and the number that
	// each is a share of or a mean over: documents or, for pooled counts, items.
	HeadlinePrecision, HeadlineRecall float64
	PrecisionN, RecallN               int64

	// MeanSkippedPlain is the mean in which skipped documents count as the whole text of
	// the page does. It is null if plain was not run.
	MeanSkippedPlain float64

	SPerKB, MBPerS float64 // as in SpeedRow

	// TrainedOn: the extractor was trained on pages of the package, so its scores are
	// better than on pages that it has not seen. Bound: it reads the gold and has no rank.
	TrainedOn, Bound bool
}

// SpeedRow is a row of the speed table: what does not depend on a scorer, of one package
// and extractor and, in rows with a PageType, of the pages of that type. NaN means
// null.
type SpeedRow struct {
	Run, Package, PageType, Extractor     string
	Documents, Failures, Empties, Skipped int64
	Reasons                               string // reasons of failed and skipped documents: "no_template:4,timeout:1"

	// Sums over the documents on which the extractor ran, and the throughput that they
	// give. Total includes parsing the page and computing the features that extractors
	// share. A program of --extractor-command parses the page itself, so its total is its own time.
	HTMLBytes, ExtractNS, TotalNS int64
	PagesPerS, SPerKB, MBPerS     float64
	TotalPagesPerS, TotalMBPerS   float64

	// Percentiles over the documents on which the extractor ran: of ExtractNS, of each
	// document's part of TotalNS, of HTMLBytes, and of TextChars of the answered
	// documents. They are null if there are no documents.
	ExtractNSAt, TotalNSAt, HTMLBytesAt, TextCharsAt Percentiles

	AgreeMean   float64 // mean agreement with the other extractors, a family counting once
	ConsensusF1 float64 // mean of Document.ConsensusF1
}

// Percentiles are the 50th, 90th and 99th percentile of a quantity.
type Percentiles struct{ P50, P90, P99 float64 }

// SmallPackages is the name in the agreement table for all packages with fewer pages
// than Recipe.AgreementPages, if a run has more than a thousand packages. The parts'
// files have rows for each of these packages.
const SmallPackages = "(small)"

// AgreementPages is the default of Recipe.AgreementPages.
const AgreementPages = 10

// AgreementRow is a row of the agreement table. It tells how much of the text that two
// extractors chose is the same, over the documents of a package. NaN means null. A
// part's file has a row for the part's documents. The table of the run has one row for
// all documents.
type AgreementRow struct {
	Run, Package           string
	ExtractorA, ExtractorB string // names, A before B in the alphabet
	Documents              int64  // documents that the mean is computed from
	MeanF1                 float64
	BothEmpty, Failed      int64 // documents that are left out of the mean
	// SumE9 is the sum that the mean is made of, in units of 1e-9: rows of one
	// pair are added up exactly, in any order.
	SumE9 int64
}

// Text is a row of the texts table: what one extractor found on one page.
type Text struct {
	Run       string `json:"run,omitempty"`
	Package   string `json:"package"`
	DocID     string `json:"doc_id"`
	URL       string `json:"url"`
	Extractor string `json:"extractor"`
	Form      string `json:"form"` // form of Text: FormText, FormMarkdown or FormHTML
	Text      string `json:"text"`
	// The page's record, as in Page.
	RecordID string `json:"record_id,omitempty"`
	Date     string `json:"date,omitempty"`

	// What formats with facts have besides. JSON lines and conversion records are read
	// without it.
	PageID     uint64  `json:"-"` // as in Page
	HTTPStatus int64   `json:"-"` // as in Page
	TextChars  int64   `json:"-"` // as in Document
	TextHash   uint64  `json:"-"` // as in Document
	Confidence float64 `json:"-"` // as in Document
	Facts      []Value `json:"-"` // facts of the page and of the text, by Recipe.TextColumns
}

// Failure is a row of the failures table: a record or item that should have become a
// page but did not, or that was read with damage.
type Failure struct {
	Run, File      string
	Offset, Length int64
	Stage, Reason  string
	Severity       string // "note", "damaged" or "lost"
	Detail         string
	Attempts       int32
}

// TemplateRow is a row of the templates table: one site and learned method.
type TemplateRow struct {
	Run, Site string
	Method    string // what was learned; methods that share a template share a row
	Status    string // "ok", "empty", "too_few_pages", "learn_failed" or "oversize"
	Pages     int64  // pages in the sample
	Linked    int64  // link candidates, of methods that ask for them
	Bytes     int64  // size of the template
	Clusters  int64
	Flags     string // comma-separated: "small_sample,truncated,reused"
	// TemplateID identifies the content of the template. It is "" if there is no
	// template.
	TemplateID string
	LearnNS    int64 // time of the sketches and of Finish, without the parsing of sample pages

	SiteBy  string // what a site is: "host", "domain" or "package"
	Version int64  // version of the method's sketches and templates
	Learned int64  // when the run that learned it was planned, seconds since 1970

	Sample string // ranks of the sample's pages, as SampleOf writes them
	Body   []byte // the template itself, as the method wrote it; empty if there is none
}

// Duplicate is a row of the table duplicates: a text that is a near-duplicate of others.
type Duplicate struct {
	Run, Package, DocID, URL, Extractor string

	Cluster     int64   // number of the cluster within the file, from 1
	ClusterSize int64   // texts in the cluster
	Kept        bool    // the first text of the cluster
	Jaccard     float64 // similarity with the text that is kept; 0 if Kept
}
