package schemas

// Document is a row of the documents table: one page and one extractor.
type Document struct {
	Run, Package, DocID, URL string
	Site                     string
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
}

// ScoreRow is a row of the scores table: one page, extractor and scorer.
type ScoreRow struct {
	Run, Package, DocID     string
	Extractor, Scorer       string
	Reason                  string // why the numbers are null; empty if they are not
	Precision, Recall, F1   float64
	Value                   float64
	Common, Extracted, Gold int64
	PUndefined, RUndefined  bool
	Method                  string
	Spans                   string // "native", "aligned" or ""
}

// PackageRow is a row of the packages table: one package, extractor and scorer.
// NaN stands for null.
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
	Percentiles string  // how they were computed: "exact" or "hist" (to 0.0001)
	CI          string  // how the interval was computed: "poisson-1000", "poisson-200"
}

// AgreementRow is a row of the agreement table: how much two extractors chose
// the same text, over the documents of a package. NaN stands for null.
type AgreementRow struct {
	Run, Package           string
	ExtractorA, ExtractorB string // in this order of names
	Documents              int64  // behind the mean
	MeanF1                 float64
	BothEmpty, Failed      int64 // documents left out of it
}

// Text is a row of the texts table: what one extractor found on one page.
type Text struct {
	Run       string `json:"run,omitempty"`
	Package   string `json:"package"`
	DocID     string `json:"id"`
	URL       string `json:"url"`
	Extractor string `json:"extractor"`
	Text      string `json:"text"`
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
