package columnar

import (
	"slices"

	"github.com/winnow/winnow/schemas"
)

// docs/reference/tables.md describes the columns of these tables for their readers, and
// the types of package schemas describe the fields.

// Pages has a row for each page. PagesOf adds the columns of facts.
var Pages = &Table[schemas.Page]{schemas.TablePages, []column[schemas.Page]{
	text("run", func(r *schemas.Page) *string { return &r.Run }),
	text("package", func(r *schemas.Page) *string { return &r.Package }),
	text("doc_id", func(r *schemas.Page) *string { return &r.DocID }),
	hash64("page_id", func(r *schemas.Page) *uint64 { return &r.PageID }),
	text("url", func(r *schemas.Page) *string { return &r.URL }),
	optional("site", func(r *schemas.Page) *string { return &r.Site }),
	optional("site_by", func(r *schemas.Page) *string { return &r.SiteBy }),
	text("file", func(r *schemas.Page) *string { return &r.File }),
	int64s("offset", func(r *schemas.Page) *int64 { return &r.Offset }),
	int32s("ordinal", func(r *schemas.Page) *int32 { return &r.Ordinal }),
	optional("record_id", func(r *schemas.Page) *string { return &r.RecordID }),
	optional("date", func(r *schemas.Page) *string { return &r.Date }),
	positives("http_status", func(r *schemas.Page) *int64 { return &r.HTTPStatus }),
	optional("charset", func(r *schemas.Page) *string { return &r.Charset }),
	optional("charset_source", func(r *schemas.Page) *string { return &r.CharsetSource }),
	int64s("replaced", func(r *schemas.Page) *int64 { return &r.Replaced }),
	optional("page_type", func(r *schemas.Page) *string { return &r.PageType }),
	optional("gold_language", func(r *schemas.Page) *string { return &r.GoldLanguage }),
	int64s("html_bytes", func(r *schemas.Page) *int64 { return &r.HTMLBytes }),
	hash64("content_hash", func(r *schemas.Page) *uint64 { return &r.ContentHash }),
	int64s("parse_ns", func(r *schemas.Page) *int64 { return &r.ParseNS }),
	int64s("facts_ns", func(r *schemas.Page) *int64 { return &r.FactsNS }),
	optional("facts_failed", func(r *schemas.Page) *string { return &r.FactsFailed }),
	optional("flags", func(r *schemas.Page) *string { return &r.Flags }),
	numbers("complexity", func(r *schemas.Page) *float64 { return &r.Complexity }, nil),
	numbers("page_consensus", func(r *schemas.Page) *float64 { return &r.PageConsensus }, nil),
}}

// Documents has a row for each page and extractor. What depends on the page alone is in
// Pages; schemas.Document lists what is repeated here, and why. DocumentsOf adds the
// columns of facts.
var Documents = &Table[schemas.Document]{schemas.TableDocuments, []column[schemas.Document]{
	text("run", func(r *schemas.Document) *string { return &r.Run }),
	text("package", func(r *schemas.Document) *string { return &r.Package }),
	text("doc_id", func(r *schemas.Document) *string { return &r.DocID }),
	hash64("page_id", func(r *schemas.Document) *uint64 { return &r.PageID }),
	text("url", func(r *schemas.Document) *string { return &r.URL }),
	optional("page_type", func(r *schemas.Document) *string { return &r.PageType }),
	text("file", func(r *schemas.Document) *string { return &r.File }),
	int64s("offset", func(r *schemas.Document) *int64 { return &r.Offset }),
	text("extractor", func(r *schemas.Document) *string { return &r.Extractor }),
	text("outcome", func(r *schemas.Document) *string { return &r.Outcome }),
	optional("reason", func(r *schemas.Document) *string { return &r.Reason }),
	int64s("html_bytes", func(r *schemas.Document) *int64 { return &r.HTMLBytes }),
	int64s("text_chars", func(r *schemas.Document) *int64 { return &r.TextChars }),
	int64s("parse_ns", func(r *schemas.Document) *int64 { return &r.ParseNS }),
	int64s("feature_ns", func(r *schemas.Document) *int64 { return &r.FeatureNS }),
	int64s("extract_ns", func(r *schemas.Document) *int64 { return &r.ExtractNS }),
	spans("spans", func(r *schemas.Document) *[]int32 { return &r.Spans }),
	optional("fidelity", func(r *schemas.Document) *string { return &r.Fidelity }),
	hash64("text_hash", func(r *schemas.Document) *uint64 { return &r.TextHash }),
	optional("template_id", func(r *schemas.Document) *string { return &r.TemplateID }),
	int64s("template_pages", func(r *schemas.Document) *int64 { return &r.TemplatePages }),
	bools("in_sample", func(r *schemas.Document) *bool { return &r.InSample }),
	shares("coverage", func(r *schemas.Document) *float64 { return &r.Coverage }, noTemplate),
	optional("notes", func(r *schemas.Document) *string { return &r.Notes }),
	numbers("consensus", func(r *schemas.Document) *float64 { return &r.Consensus }, nil),
	numbers("consensus_f1", func(r *schemas.Document) *float64 { return &r.ConsensusF1 }, nil),
	optional("config_hash", func(r *schemas.Document) *string { return &r.ConfigHash }),
	optional("template_method", func(r *schemas.Document) *string { return &r.TemplateMethod }),
	optional("template_status", func(r *schemas.Document) *string { return &r.TemplateStatus }),
	bools("loo", func(r *schemas.Document) *bool { return &r.LOO }),
	positives("cluster", func(r *schemas.Document) *int64 { return &r.Cluster }),
	bools("has_gold", func(r *schemas.Document) *bool { return &r.HasGold }),
	numbers("confidence", func(r *schemas.Document) *float64 { return &r.Confidence }, nil),
	optional("facts_failed", func(r *schemas.Document) *string { return &r.FactsFailed }),
	truths("kept", func(r *schemas.Document) *schemas.Truth { return &r.Kept }),
	optional("left_out_by", func(r *schemas.Document) *string { return &r.LeftOutBy }),
}}

func noTemplate(r *schemas.Document) bool { return r.TemplateID == "" }

// Scores has a row for each page, extractor and scorer. A row with a reason has
// no numbers.
var Scores = &Table[schemas.ScoreRow]{schemas.TableScores, []column[schemas.ScoreRow]{
	text("run", func(r *schemas.ScoreRow) *string { return &r.Run }),
	text("package", func(r *schemas.ScoreRow) *string { return &r.Package }),
	text("doc_id", func(r *schemas.ScoreRow) *string { return &r.DocID }),
	text("extractor", func(r *schemas.ScoreRow) *string { return &r.Extractor }),
	text("scorer", func(r *schemas.ScoreRow) *string { return &r.Scorer }),
	numbers("precision", func(r *schemas.ScoreRow) *float64 { return &r.Precision }, unscored),
	numbers("recall", func(r *schemas.ScoreRow) *float64 { return &r.Recall }, unscored),
	numbers("f1", func(r *schemas.ScoreRow) *float64 { return &r.F1 }, unscored),
	optional("reason", func(r *schemas.ScoreRow) *string { return &r.Reason }),
	numbers("value", func(r *schemas.ScoreRow) *float64 { return &r.Value }, unscored),
	int64s("common", func(r *schemas.ScoreRow) *int64 { return &r.Common }),
	int64s("extracted", func(r *schemas.ScoreRow) *int64 { return &r.Extracted }),
	int64s("gold", func(r *schemas.ScoreRow) *int64 { return &r.Gold }),
	bools("p_undefined", func(r *schemas.ScoreRow) *bool { return &r.PUndefined }),
	bools("r_undefined", func(r *schemas.ScoreRow) *bool { return &r.RUndefined }),
	optional("method", func(r *schemas.ScoreRow) *string { return &r.Method }),
	optional("spans", func(r *schemas.ScoreRow) *string { return &r.Spans }),
	positives("common_high", func(r *schemas.ScoreRow) *int64 { return &r.CommonHigh }),
	positives("universe", func(r *schemas.ScoreRow) *int64 { return &r.Universe }),
	numbers("coverage", func(r *schemas.ScoreRow) *float64 { return &r.Coverage }, unscored),
	numbers("baseline", func(r *schemas.ScoreRow) *float64 { return &r.Baseline }, nil),
}}

func unscored(r *schemas.ScoreRow) bool { return r.Reason != "" }

// Links has a row for each link of a page. It exists if the fact "links" was asked for.
var Links = &Table[schemas.LinkRow]{schemas.TableLinks, []column[schemas.LinkRow]{
	text("run", func(r *schemas.LinkRow) *string { return &r.Run }),
	text("package", func(r *schemas.LinkRow) *string { return &r.Package }),
	text("doc_id", func(r *schemas.LinkRow) *string { return &r.DocID }),
	hash64("page_id", func(r *schemas.LinkRow) *uint64 { return &r.PageID }),
	text("url", func(r *schemas.LinkRow) *string { return &r.URL }),
	int32s("position", func(r *schemas.LinkRow) *int32 { return &r.Position }),
	text("target", func(r *schemas.LinkRow) *string { return &r.Target }),
	optional("anchor_text", func(r *schemas.LinkRow) *string { return &r.AnchorText }),
	optional("rel", func(r *schemas.LinkRow) *string { return &r.Rel }),
	truths("in_main", func(r *schemas.LinkRow) *schemas.Truth { return &r.InMain }),
	optional("main_by", func(r *schemas.LinkRow) *string { return &r.MainBy }),
}}

// Texts has a row for each page and extractor that found a text: the text itself.
var Texts = &Table[schemas.Text]{schemas.TableTexts, []column[schemas.Text]{
	text("run", func(r *schemas.Text) *string { return &r.Run }),
	text("package", func(r *schemas.Text) *string { return &r.Package }),
	text("doc_id", func(r *schemas.Text) *string { return &r.DocID }),
	text("url", func(r *schemas.Text) *string { return &r.URL }),
	text("extractor", func(r *schemas.Text) *string { return &r.Extractor }),
	text("form", func(r *schemas.Text) *string { return &r.Form }),
	longText("text", func(r *schemas.Text) *string { return &r.Text }),
	text("record_id", func(r *schemas.Text) *string { return &r.RecordID }),
	text("date", func(r *schemas.Text) *string { return &r.Date }),
}}

// TextsOf returns the table Texts with what JSON lines have besides: of the page, of the
// text, and the columns of a recipe's facts. Readers that need no more read the same files
// as Texts.
func TextsOf(r *schemas.Recipe) *Table[schemas.Text] {
	all := &Table[schemas.Text]{Texts.name, append(slices.Clone(Texts.columns), textDetails...)}
	return all.with(r.TextColumns(), func(row *schemas.Text) *[]schemas.Value { return &row.Facts })
}

var textDetails = []column[schemas.Text]{
	hash64("page_id", func(r *schemas.Text) *uint64 { return &r.PageID }),
	positives("http_status", func(r *schemas.Text) *int64 { return &r.HTTPStatus }),
	int64s("text_chars", func(r *schemas.Text) *int64 { return &r.TextChars }),
	hash64("text_hash", func(r *schemas.Text) *uint64 { return &r.TextHash }),
	numbers("confidence", func(r *schemas.Text) *float64 { return &r.Confidence }, nil),
}

// Packages has a row for each package, extractor and scorer. If the types of pages are
// known, each page type of a package has rows too.
var Packages = &Table[schemas.PackageRow]{schemas.TablePackages, []column[schemas.PackageRow]{
	text("run", func(r *schemas.PackageRow) *string { return &r.Run }),
	text("package", func(r *schemas.PackageRow) *string { return &r.Package }),
	optional("page_type", func(r *schemas.PackageRow) *string { return &r.PageType }),
	text("extractor", func(r *schemas.PackageRow) *string { return &r.Extractor }),
	optional("scorer", func(r *schemas.PackageRow) *string { return &r.Scorer }),
	int64s("documents", func(r *schemas.PackageRow) *int64 { return &r.Documents }),
	int64s("failures", func(r *schemas.PackageRow) *int64 { return &r.Failures }),
	int64s("skipped", func(r *schemas.PackageRow) *int64 { return &r.Skipped }),
	int64s("scored", func(r *schemas.PackageRow) *int64 { return &r.Scored }),
	int64s("answered", func(r *schemas.PackageRow) *int64 { return &r.Answered }),
	int64s("skipped_gold", func(r *schemas.PackageRow) *int64 { return &r.SkippedGold }),
	optional("mean", func(r *schemas.PackageRow) *string { return &r.Mean }),
	numbers("headline", func(r *schemas.PackageRow) *float64 { return &r.Headline }, nil),
	numbers("mean_precision", func(r *schemas.PackageRow) *float64 { return &r.MeanPrecision }, nil),
	numbers("mean_recall", func(r *schemas.PackageRow) *float64 { return &r.MeanRecall }, nil),
	numbers("mean_f1", func(r *schemas.PackageRow) *float64 { return &r.MeanF1 }, nil),
	numbers("sd_f1", func(r *schemas.PackageRow) *float64 { return &r.SDF1 }, nil),
	numbers("sd_value", func(r *schemas.PackageRow) *float64 { return &r.SDValue }, nil),
	numbers("ci_low", func(r *schemas.PackageRow) *float64 { return &r.CILow }, nil),
	numbers("ci_high", func(r *schemas.PackageRow) *float64 { return &r.CIHigh }, nil),
	numbers("p05", func(r *schemas.PackageRow) *float64 { return &r.P05 }, nil),
	numbers("p50", func(r *schemas.PackageRow) *float64 { return &r.P50 }, nil),
	numbers("p95", func(r *schemas.PackageRow) *float64 { return &r.P95 }, nil),
	numbers("headline_precision", func(r *schemas.PackageRow) *float64 { return &r.HeadlinePrecision }, nil),
	numbers("headline_recall", func(r *schemas.PackageRow) *float64 { return &r.HeadlineRecall }, nil),
	int64s("precision_n", func(r *schemas.PackageRow) *int64 { return &r.PrecisionN }),
	int64s("recall_n", func(r *schemas.PackageRow) *int64 { return &r.RecallN }),
	numbers("mean_skipped_plain", func(r *schemas.PackageRow) *float64 { return &r.MeanSkippedPlain }, nil),
	numbers("s_per_kb", func(r *schemas.PackageRow) *float64 { return &r.SPerKB }, nil),
	numbers("mb_per_s", func(r *schemas.PackageRow) *float64 { return &r.MBPerS }, nil),
	bools("trained_on", func(r *schemas.PackageRow) *bool { return &r.TrainedOn }),
	bools("bound", func(r *schemas.PackageRow) *bool { return &r.Bound }),
}}

// PackageColumns returns the packages table with the named columns only. Rows that are
// read with it have nothing else.
func PackageColumns(names ...string) *Table[schemas.PackageRow] { return Packages.only(names) }

// Speed has a row for each package and extractor: what does not depend on a scorer. If
// the types of pages are known, each page type of a package has rows too.
var Speed = &Table[schemas.SpeedRow]{schemas.TableSpeed, []column[schemas.SpeedRow]{
	text("run", func(r *schemas.SpeedRow) *string { return &r.Run }),
	text("package", func(r *schemas.SpeedRow) *string { return &r.Package }),
	optional("page_type", func(r *schemas.SpeedRow) *string { return &r.PageType }),
	text("extractor", func(r *schemas.SpeedRow) *string { return &r.Extractor }),
	int64s("documents", func(r *schemas.SpeedRow) *int64 { return &r.Documents }),
	int64s("failures", func(r *schemas.SpeedRow) *int64 { return &r.Failures }),
	int64s("empties", func(r *schemas.SpeedRow) *int64 { return &r.Empties }),
	int64s("skipped", func(r *schemas.SpeedRow) *int64 { return &r.Skipped }),
	optional("reasons", func(r *schemas.SpeedRow) *string { return &r.Reasons }),
	int64s("html_bytes", func(r *schemas.SpeedRow) *int64 { return &r.HTMLBytes }),
	int64s("extract_ns", func(r *schemas.SpeedRow) *int64 { return &r.ExtractNS }),
	int64s("total_ns", func(r *schemas.SpeedRow) *int64 { return &r.TotalNS }),
	numbers("pages_per_s", func(r *schemas.SpeedRow) *float64 { return &r.PagesPerS }, nil),
	numbers("s_per_kb", func(r *schemas.SpeedRow) *float64 { return &r.SPerKB }, nil),
	numbers("mb_per_s", func(r *schemas.SpeedRow) *float64 { return &r.MBPerS }, nil),
	numbers("total_pages_per_s", func(r *schemas.SpeedRow) *float64 { return &r.TotalPagesPerS }, nil),
	numbers("total_mb_per_s", func(r *schemas.SpeedRow) *float64 { return &r.TotalMBPerS }, nil),
	numbers("agree_mean", func(r *schemas.SpeedRow) *float64 { return &r.AgreeMean }, nil),
	numbers("consensus_f1", func(r *schemas.SpeedRow) *float64 { return &r.ConsensusF1 }, nil),
	numbers("extract_ns_p50", func(r *schemas.SpeedRow) *float64 { return &r.ExtractNSAt.P50 }, nil),
	numbers("extract_ns_p90", func(r *schemas.SpeedRow) *float64 { return &r.ExtractNSAt.P90 }, nil),
	numbers("extract_ns_p99", func(r *schemas.SpeedRow) *float64 { return &r.ExtractNSAt.P99 }, nil),
	numbers("total_ns_p50", func(r *schemas.SpeedRow) *float64 { return &r.TotalNSAt.P50 }, nil),
	numbers("total_ns_p90", func(r *schemas.SpeedRow) *float64 { return &r.TotalNSAt.P90 }, nil),
	numbers("total_ns_p99", func(r *schemas.SpeedRow) *float64 { return &r.TotalNSAt.P99 }, nil),
	numbers("html_bytes_p50", func(r *schemas.SpeedRow) *float64 { return &r.HTMLBytesAt.P50 }, nil),
	numbers("html_bytes_p90", func(r *schemas.SpeedRow) *float64 { return &r.HTMLBytesAt.P90 }, nil),
	numbers("html_bytes_p99", func(r *schemas.SpeedRow) *float64 { return &r.HTMLBytesAt.P99 }, nil),
	numbers("text_chars_p50", func(r *schemas.SpeedRow) *float64 { return &r.TextCharsAt.P50 }, nil),
	numbers("text_chars_p90", func(r *schemas.SpeedRow) *float64 { return &r.TextCharsAt.P90 }, nil),
	numbers("text_chars_p99", func(r *schemas.SpeedRow) *float64 { return &r.TextCharsAt.P99 }, nil),
}}

// Agreement has a row for each package and pair of extractors.
var Agreement = &Table[schemas.AgreementRow]{schemas.TableAgreement, []column[schemas.AgreementRow]{
	text("run", func(r *schemas.AgreementRow) *string { return &r.Run }),
	text("package", func(r *schemas.AgreementRow) *string { return &r.Package }),
	text("extractor_a", func(r *schemas.AgreementRow) *string { return &r.ExtractorA }),
	text("extractor_b", func(r *schemas.AgreementRow) *string { return &r.ExtractorB }),
	int64s("documents", func(r *schemas.AgreementRow) *int64 { return &r.Documents }),
	numbers("mean_f1", func(r *schemas.AgreementRow) *float64 { return &r.MeanF1 }, nil),
	int64s("both_empty", func(r *schemas.AgreementRow) *int64 { return &r.BothEmpty }),
	int64s("failed", func(r *schemas.AgreementRow) *int64 { return &r.Failed }),
	int64s("sum_e9", func(r *schemas.AgreementRow) *int64 { return &r.SumE9 }),
}}

// Failures has a row for each record or range that should have become a page but did
// not, or that was read with damage.
var Failures = &Table[schemas.Failure]{schemas.TableFailures, []column[schemas.Failure]{
	text("run", func(r *schemas.Failure) *string { return &r.Run }),
	text("file", func(r *schemas.Failure) *string { return &r.File }),
	int64s("offset", func(r *schemas.Failure) *int64 { return &r.Offset }),
	int64s("length", func(r *schemas.Failure) *int64 { return &r.Length }),
	text("stage", func(r *schemas.Failure) *string { return &r.Stage }),
	text("reason", func(r *schemas.Failure) *string { return &r.Reason }),
	int32s("attempts", func(r *schemas.Failure) *int32 { return &r.Attempts }),
	optional("severity", func(r *schemas.Failure) *string { return &r.Severity }),
	optional("detail", func(r *schemas.Failure) *string { return &r.Detail }),
}}

// Templates has a row for each site and learned method.
var Templates = &Table[schemas.TemplateRow]{schemas.TableTemplates, []column[schemas.TemplateRow]{
	text("run", func(r *schemas.TemplateRow) *string { return &r.Run }),
	text("site", func(r *schemas.TemplateRow) *string { return &r.Site }),
	text("method", func(r *schemas.TemplateRow) *string { return &r.Method }),
	text("status", func(r *schemas.TemplateRow) *string { return &r.Status }),
	int64s("pages", func(r *schemas.TemplateRow) *int64 { return &r.Pages }),
	int64s("linked", func(r *schemas.TemplateRow) *int64 { return &r.Linked }),
	int64s("bytes", func(r *schemas.TemplateRow) *int64 { return &r.Bytes }),
	int64s("clusters", func(r *schemas.TemplateRow) *int64 { return &r.Clusters }),
	optional("flags", func(r *schemas.TemplateRow) *string { return &r.Flags }),
	optional("template_id", func(r *schemas.TemplateRow) *string { return &r.TemplateID }),
	int64s("learn_ns", func(r *schemas.TemplateRow) *int64 { return &r.LearnNS }),
	optional("site_by", func(r *schemas.TemplateRow) *string { return &r.SiteBy }),
	int64s("version", func(r *schemas.TemplateRow) *int64 { return &r.Version }),
	int64s("learned", func(r *schemas.TemplateRow) *int64 { return &r.Learned }),
	text("sample", func(r *schemas.TemplateRow) *string { return &r.Sample }).hashes(),
	blobs("body", func(r *schemas.TemplateRow) *[]byte { return &r.Body }).hashes(),
}}

// TemplateList has the columns of Templates without the templates themselves.
var TemplateList = Templates.only([]string{"run", "site", "method", "status", "pages", "linked", "bytes", "clusters", "flags", "template_id", "learn_ns", "site_by", "version", "learned"})

// Learned has the columns of Templates that hold what was learned.
var Learned = Templates.only([]string{"site", "method", "status", "linked", "clusters", "flags", "template_id", "site_by", "version", "learned", "sample", "body"})

// Candidates has a row for each page that may be in the sample of its site. A run needs
// it between the phases scan and learn only.
var Candidates = &Table[schemas.Candidate]{schemas.TableCandidates, []column[schemas.Candidate]{
	text("site", func(r *schemas.Candidate) *string { return &r.Site }),
	text("kind", func(r *schemas.Candidate) *string { return &r.Kind }),
	hash64("rank", func(r *schemas.Candidate) *uint64 { return &r.Rank }),
	hash64("text_hash", func(r *schemas.Candidate) *uint64 { return &r.TextHash }),
	hash64("target", func(r *schemas.Candidate) *uint64 { return &r.Target }),
	text("url", func(r *schemas.Candidate) *string { return &r.URL }),
	int64s("date", func(r *schemas.Candidate) *int64 { return &r.Date }),
	text("record_id", func(r *schemas.Candidate) *string { return &r.RecordID }),
	int32s("file", func(r *schemas.Candidate) *int32 { return &r.File }),
	int64s("offset", func(r *schemas.Candidate) *int64 { return &r.Offset }),
	int32s("ordinal", func(r *schemas.Candidate) *int32 { return &r.Ordinal }),
	text("copies", func(r *schemas.Candidate) *string { return &r.Copies }),
	int64s("copy", func(r *schemas.Candidate) *int64 { return &r.Copy }),
	text("file_url", func(r *schemas.Candidate) *string { return &r.Stored.URL }),
	int64s("file_size", func(r *schemas.Candidate) *int64 { return &r.Stored.Size }),
	text("file_identity", func(r *schemas.Candidate) *string { return &r.Stored.Identity }),
	int64s("within_offset", func(r *schemas.Candidate) *int64 { return &r.Stored.Within.Offset }),
	int64s("within_size", func(r *schemas.Candidate) *int64 { return &r.Stored.Within.Size }),
	bools("private", func(r *schemas.Candidate) *bool { return &r.Private }),
}}

// Captures has a row for the latest capture of each page in earlier runs, see
// schemas.Run.Captures.
var Captures = &Table[schemas.Capture]{schemas.TableCaptures, []column[schemas.Capture]{
	hash64("address", func(r *schemas.Capture) *uint64 { return &r.Address }).hashes(),
	hash64("content", func(r *schemas.Capture) *uint64 { return &r.Content }).hashes(),
	int32s("run", func(r *schemas.Capture) *int32 { return &r.Run }),
}}

// Duplicates has a row for each text that has near-duplicates. The command dedup writes it.
var Duplicates = &Table[schemas.Duplicate]{schemas.TableDuplicates, []column[schemas.Duplicate]{
	text("run", func(r *schemas.Duplicate) *string { return &r.Run }),
	text("package", func(r *schemas.Duplicate) *string { return &r.Package }),
	text("doc_id", func(r *schemas.Duplicate) *string { return &r.DocID }),
	text("url", func(r *schemas.Duplicate) *string { return &r.URL }),
	text("extractor", func(r *schemas.Duplicate) *string { return &r.Extractor }),
	int64s("cluster", func(r *schemas.Duplicate) *int64 { return &r.Cluster }),
	int64s("cluster_size", func(r *schemas.Duplicate) *int64 { return &r.ClusterSize }),
	bools("kept", func(r *schemas.Duplicate) *bool { return &r.Kept }),
	shares("jaccard", func(r *schemas.Duplicate) *float64 { return &r.Jaccard }, func(r *schemas.Duplicate) bool { return r.Kept }),
}}
