package schemas

// Document is a row of the documents table: one page and one extractor.
type Document struct {
	Run, Package, DocID, URL string
	Site                     string
	SiteBy                   string // what a site is: "host", "domain" or "package"
	PageType, Language       string
	Charset, CharsetSource   string // encoding of the payload; "bom", "http", "meta", "detected" or "default"
	File                     string
	Offset                   int64 // of the unit that holds the record
	Ordinal                  int32 // of the record within the unit
	RecordID, Date           string
	Flags                    string // comma-separated: "truncated,payload-over-limit"
	Extractor, Fidelity      string
	Outcome, Reason          string
	HTMLBytes, TextChars     int64
	TextHash                 uint64  // of the extracted text
	ParseNS, FeatureNS       int64   // of the page, shared by all its extractors
	ExtractNS                int64   // of this extractor alone
	Spans                    []int32 // start, end, start, end … over the page text; nil unless asked for

	// Of site-level extractors that had a template; zero for all others.
	TemplateID    string  // of the template that was applied; see TemplateRow
	TemplatePages int64   // that it was learned from
	InSample      bool    // the page is one of them
	Coverage      float64 // share of the page's words that the extractor removed
	Notes         string  // remarks of the extractor on its answer, comma-separated

	// How far the extractors of the run agree on the page, 0 to 1; NaN stands for
	// null: nothing to compare. PageConsensus is the same for all of them, and low
	// where the page is doubtful.
	Consensus     float64 // mean agreement with the others, a family counting once
	ConsensusF1   float64 // agreement with the words that more than half of the others chose
	PageConsensus float64 // mean agreement of all pairs

	// Complexity is the share of the page's words that are not its gold's, 0 to 1;
	// NaN (null) without gold. The same for all extractors of the page.
	Complexity float64

	// ConfigHash is made of all settings of the extractor, named or not, and of
	// the version of what it learns: rows of two runs that have the same are of
	// the same method. 16 hexadecimal digits.
	ConfigHash string

	// Of site-level extractors, whether they had a template or not. SiteBy,
	// Site and TemplateMethod find the row of the templates table, which says the
	// rest: bytes, flags, version, clusters, when it was learned and in what time.
	// Whether the page itself was in order is Outcome and Reason.
	TemplateMethod string // TemplateRow.Method of what the extractor applies
	TemplateStatus string // TemplateRow.Status; a site without a row has "too_few_pages"
	LOO            bool   // the page is in the sample, and was left out where pages are counted
	Cluster        int64  // of pages that the page was put into, from 1; 0 if the method has none

	HTTPStatus int64 // of the response; 0 if there is none (a resource)
	Replaced   int64 // replacement characters put in for bytes that are no text in Charset

	// Confidence is the word F1 that the extractor expects of its answer; NaN (null)
	// of one that does not say.
	Confidence float64
}

// ScoreRow is a row of the scores table: one page, extractor and scorer.
type ScoreRow struct {
	Run, Package, DocID     string
	Extractor, Scorer       string
	Reason                  string // why the numbers are null; empty if they are not
	Precision, Recall, F1   float64
	Value                   float64
	Common, Extracted, Gold int64 // Gold also of a failed extraction: what it missed
	PUndefined, RUndefined  bool
	Method                  string
	Spans                   string // "native", "aligned" or ""

	CommonHigh int64   // upper bound of Common where Method says that it is a lower one; else 0
	Universe   int64   // items that could have been chosen, for measures with true negatives; else 0
	Coverage   float64 // share of the gold's words that are on the page; NaN (null) where nothing was aligned
	// Baseline is what the whole text of the page scores (extractor "plain"), in
	// rows of skipped extractions: F1, or Value of a measure without one. NaN
	// (null) elsewhere, and where plain was not run.
	Baseline float64
}

// PackageRow is a row of the packages table: one package, extractor and scorer.
// NaN stands for null.
//
// A measure that is no F1 (Mean is "value") has no precision, recall and F1; its
// interval, percentiles, Headline and SDValue are those of ScoreRow.Value.
type PackageRow struct {
	Run, Package, Extractor, Scorer  string
	Documents, Failures              int64
	Scored, Empties, Skipped, NoGold int64
	MeanPrecision, MeanRecall        float64
	MeanF1, SDF1                     float64
	CILow, CIHigh                    float64
	P05, P50, P95                    float64
	F1OfMeans, F1Micro               float64
	SPerKB, MBPerS                   float64

	Unscored    int64   // documents that the scorer could not score, for a reason of its own
	Answered    int64   // documents behind AnsweredF1: scored ones whose extraction did not fail
	AnsweredF1  float64 // mean over them; MeanF1 counts failed extractions as 0
	MeanValue   float64 // of ScoreRow.Value, over the answered documents
	HTMLBytes   int64   // of the documents on which the extractor ran, and
	ExtractNS   int64   // its time on them: what SPerKB and MBPerS are made of
	Percentiles string  // how they were computed: "exact" or "hist" (to 1/10,000 of the range)
	// CI is how the interval was computed: "poisson-1000-site" is a bootstrap of
	// 1000 replicates in which the pages of a site are drawn together, "-page" one
	// in which they are drawn one by one, because there is one site or none is known.
	CI string

	// PageType is empty for all pages of the package. Where the gold says of what
	// type pages are, each type has rows of its own besides.
	PageType string
	Reasons  string // of failed and skipped documents: "no_template:4,timeout:1"

	Mean     string  // which figure the measure's source publishes: algorithms.Mean
	Headline float64 // that figure; failed extractions count as 0
	SDValue  float64 // standard deviation of Value, for a measure that is no F1

	// What skipped extractions do to the mean (spec site-level, 2.8). MeanF1, or
	// for a measure that is no F1 its Headline, leaves them out.
	MeanSkippedZero  float64 // they count as 0
	MeanSkippedPlain float64 // they count as the whole text of the page does; null if plain was not run
	SkippedGold      int64   // skipped documents with gold: how many that are

	// Pooled counts of all scored documents.
	Common, Extracted, Gold, Universe          int64
	MicroPrecision, MicroRecall, MicroAccuracy float64
	// The same without failed extractions, as programs count that skip them.
	AnsweredMicroPrecision, AnsweredMicroRecall float64
	AnsweredMicroF1, AnsweredMicroAccuracy      float64
	PrecisionDefined, RecallDefined             int64   // documents with a denominator,
	MeanDefinedPrecision, MeanDefinedRecall     float64 // and the means over them
	Bounded                                     int64   // documents whose common items are a lower bound,
	F1Gap                                       float64 // and the largest F1 that this may have cost one
	LowCoverage                                 int64   // documents of whose gold less than 0.9 is on the page

	Methods   string // how scores were computed: "anchored:1,exact:61", as ScoreRow.Method
	GoldEmpty int64  // scored documents whose gold has no items: the page has no content

	// Of a bootstrap of Headline, where that is a mean over the documents that define
	// it (algorithms.F1OfDefined): its standard deviation and 95 % interval over 1000
	// resamples of the documents, which are the same for all extractors.
	HeadlineSD, HeadlineLow, HeadlineHigh float64

	// Throughput besides SPerKB and MBPerS, which are of the extractor alone. Total
	// is with parsing the page and computing the features that all share; a wrapped
	// library does neither with Winnow's means, and its total is its own time.
	PagesPerS, TotalPagesPerS, TotalSPerKB, TotalMBPerS float64
	TotalNS                                             int64
	MeanSPerKB                                          float64 // mean of the documents' ratios (Gottron 2007)

	// Of the documents on which the extractor ran, each one's: ExtractNS; its part of
	// TotalNS; HTMLBytes; and, of those it answered, TextChars. Null
	// where there are none. CostPercentiles says how they were computed: "exact", or
	// "sketch" (to 1 % of the value).
	ExtractNSP50, ExtractNSP90, ExtractNSP99 float64
	TotalNSP50, TotalNSP90, TotalNSP99       float64
	HTMLBytesP50, HTMLBytesP90, HTMLBytesP99 float64
	TextCharsP50, TextCharsP90, TextCharsP99 float64
	CostPercentiles                          string

	AgreeMean     float64 // mean agreement with the other extractors, a family counting once
	ConsensusF1   float64 // mean of Document.ConsensusF1
	PageConsensus float64 // mean of Document.PageConsensus
}

// SmallPackages stands in the agreement table for all packages with fewer pages than
// Recipe.AgreementPages, where a run has more than a thousand packages. Their own
// rows are in the files of the parts.
const SmallPackages = "(small)"

// AgreementPages is the default of Recipe.AgreementPages.
const AgreementPages = 10

// AgreementRow is a row of the agreement table: how much two extractors chose
// the same text, over the documents of a package. NaN stands for null. A part
// holds a row for its documents, the table one for all.
type AgreementRow struct {
	Run, Package           string
	ExtractorA, ExtractorB string // in this order of names
	Documents              int64  // behind the mean
	MeanF1                 float64
	BothEmpty, Failed      int64 // documents left out of it
	// SumE9 is the sum that the mean is made of, in units of 1e-9: rows of one
	// pair are added up exactly, in any order.
	SumE9 int64
}

// Text is a row of the texts table: what one extractor found on one page.
type Text struct {
	Run       string `json:"run,omitempty"`
	Package   string `json:"package"`
	DocID     string `json:"id"`
	URL       string `json:"url"`
	Extractor string `json:"extractor"`
	Text      string `json:"text"`
	// The page's record, as in Document.
	RecordID string `json:"record_id,omitempty"`
	Date     string `json:"date,omitempty"`
}

// Failure is a row of the failures table: a record or item that became no page
// though it should have, or that was read with damage.
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
	Pages     int64  // of the sample
	Linked    int64  // link candidates, of methods that ask for them
	Bytes     int64  // of the template
	Clusters  int64
	Flags     string // comma-separated: "small_sample,truncated,reused"
	// TemplateID is made of all that the template is; "" if there is none.
	TemplateID string
	LearnNS    int64 // sketches and fold; the parsing of sample pages is in none

	SiteBy  string // what a site is: "host", "domain" or "package"
	Version int64  // of the method's sketches and templates
	Learned int64  // when the run that learned it was planned, seconds since 1970
}
