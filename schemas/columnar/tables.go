package columnar

import "github.com/winnow/winnow/schemas"

// Documents has a row for each page and extractor.
var Documents = &Table[schemas.Document]{schemas.TableDocuments, []column[schemas.Document]{
	text("run", func(r *schemas.Document) *string { return &r.Run }),
	text("package", func(r *schemas.Document) *string { return &r.Package }),
	text("doc_id", func(r *schemas.Document) *string { return &r.DocID }),
	text("url", func(r *schemas.Document) *string { return &r.URL }),
	optional("page_type", func(r *schemas.Document) *string { return &r.PageType }),
	optional("language", func(r *schemas.Document) *string { return &r.Language }),
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
	optional("site", func(r *schemas.Document) *string { return &r.Site }),
	optional("charset", func(r *schemas.Document) *string { return &r.Charset }),
	optional("charset_source", func(r *schemas.Document) *string { return &r.CharsetSource }),
	int32s("ordinal", func(r *schemas.Document) *int32 { return &r.Ordinal }),
	optional("record_id", func(r *schemas.Document) *string { return &r.RecordID }),
	optional("date", func(r *schemas.Document) *string { return &r.Date }),
	optional("flags", func(r *schemas.Document) *string { return &r.Flags }),
	optional("fidelity", func(r *schemas.Document) *string { return &r.Fidelity }),
	hash64("text_hash", func(r *schemas.Document) *uint64 { return &r.TextHash }),
}}

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
}}

func unscored(r *schemas.ScoreRow) bool { return r.Reason != "" }

// Packages has a row for each package, extractor and scorer.
var Packages = &Table[schemas.PackageRow]{schemas.TablePackages, []column[schemas.PackageRow]{
	text("run", func(r *schemas.PackageRow) *string { return &r.Run }),
	text("package", func(r *schemas.PackageRow) *string { return &r.Package }),
	text("extractor", func(r *schemas.PackageRow) *string { return &r.Extractor }),
	optional("scorer", func(r *schemas.PackageRow) *string { return &r.Scorer }),
	int64s("documents", func(r *schemas.PackageRow) *int64 { return &r.Documents }),
	int64s("failures", func(r *schemas.PackageRow) *int64 { return &r.Failures }),
	numbers("mean_precision", func(r *schemas.PackageRow) *float64 { return &r.MeanPrecision }, nil),
	numbers("mean_recall", func(r *schemas.PackageRow) *float64 { return &r.MeanRecall }, nil),
	numbers("mean_f1", func(r *schemas.PackageRow) *float64 { return &r.MeanF1 }, nil),
	numbers("sd_f1", func(r *schemas.PackageRow) *float64 { return &r.SDF1 }, nil),
	numbers("ci_low", func(r *schemas.PackageRow) *float64 { return &r.CILow }, nil),
	numbers("ci_high", func(r *schemas.PackageRow) *float64 { return &r.CIHigh }, nil),
	numbers("p05", func(r *schemas.PackageRow) *float64 { return &r.P05 }, nil),
	numbers("p50", func(r *schemas.PackageRow) *float64 { return &r.P50 }, nil),
	numbers("p95", func(r *schemas.PackageRow) *float64 { return &r.P95 }, nil),
	numbers("s_per_kb", func(r *schemas.PackageRow) *float64 { return &r.SPerKB }, nil),
	numbers("mb_per_s", func(r *schemas.PackageRow) *float64 { return &r.MBPerS }, nil),
	int64s("scored", func(r *schemas.PackageRow) *int64 { return &r.Scored }),
	int64s("empties", func(r *schemas.PackageRow) *int64 { return &r.Empties }),
	int64s("skipped", func(r *schemas.PackageRow) *int64 { return &r.Skipped }),
	int64s("no_gold", func(r *schemas.PackageRow) *int64 { return &r.NoGold }),
	numbers("f1_of_means", func(r *schemas.PackageRow) *float64 { return &r.F1OfMeans }, nil),
	numbers("f1_micro", func(r *schemas.PackageRow) *float64 { return &r.F1Micro }, nil),
	int64s("unscored", func(r *schemas.PackageRow) *int64 { return &r.Unscored }),
	int64s("answered", func(r *schemas.PackageRow) *int64 { return &r.Answered }),
	numbers("answered_f1", func(r *schemas.PackageRow) *float64 { return &r.AnsweredF1 }, nil),
	numbers("mean_value", func(r *schemas.PackageRow) *float64 { return &r.MeanValue }, nil),
	int64s("html_bytes", func(r *schemas.PackageRow) *int64 { return &r.HTMLBytes }),
	int64s("extract_ns", func(r *schemas.PackageRow) *int64 { return &r.ExtractNS }),
	optional("percentiles", func(r *schemas.PackageRow) *string { return &r.Percentiles }),
	optional("ci", func(r *schemas.PackageRow) *string { return &r.CI }),
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
}}

// Texts has a row for each page and extractor: the text itself.
var Texts = &Table[schemas.Text]{schemas.TableTexts, []column[schemas.Text]{
	text("run", func(r *schemas.Text) *string { return &r.Run }),
	text("package", func(r *schemas.Text) *string { return &r.Package }),
	text("doc_id", func(r *schemas.Text) *string { return &r.DocID }),
	text("url", func(r *schemas.Text) *string { return &r.URL }),
	text("extractor", func(r *schemas.Text) *string { return &r.Extractor }),
	longText("text", func(r *schemas.Text) *string { return &r.Text }),
}}

// Failures has a row for each record or range that became no page though it
// should have, or that was read with damage.
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
