package columnar

import "github.com/winnow/winnow/schemas"

// Scores has a row for each page, extractor and scorer. A row with a reason has
// no numbers.
var Scores = &Table[schemas.ScoreRow]{schemas.TableScores, []column[schemas.ScoreRow]{
	text("run", func(r *schemas.ScoreRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.ScoreRow) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("doc_id", func(r *schemas.ScoreRow) *string { return &r.DocID }).
		means("Identifier of the page within its package: the gold's, or the file name, offset and ordinal of its record."),
	text("extractor", func(r *schemas.ScoreRow) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default."),
	text("scorer", func(r *schemas.ScoreRow) *string { return &r.Scorer }).
		means("Name of the scorer, with its settings where they are not the default."),
	numbers("precision", func(r *schemas.ScoreRow) *float64 { return &r.Precision }, unscored).
		means("Share of what was extracted that is in the gold.").in("share, 0 to 1").nullWhen("`reason` says why; also of scorers that define none"),
	numbers("recall", func(r *schemas.ScoreRow) *float64 { return &r.Recall }, unscored).
		means("Share of the gold that was extracted.").in("share, 0 to 1").nullWhen("`reason` says why; also of scorers that define none"),
	numbers("f1", func(r *schemas.ScoreRow) *float64 { return &r.F1 }, unscored).
		means("Harmonic mean of precision and recall.").in("F1, 0 to 1").nullWhen("`reason` says why; also of scorers that define none"),
	optional("reason", func(r *schemas.ScoreRow) *string { return &r.Reason }).
		means("Why there are no numbers, from a closed list: `no_answer`, `no_gold` (the gold is not of the kind that the scorer needs) ...").nullWhen("there are numbers"),
	numbers("value", func(r *schemas.ScoreRow) *float64 { return &r.Value }, unscored).
		means("The number of a scorer that is not an F1; for others what its source publishes.").in("the scorer's").nullWhen("`reason` says why; also of scorers without one"),
	int64s("common", func(r *schemas.ScoreRow) *int64 { return &r.Common }).
		means("Items (characters, words, nodes ...) common to extraction and gold.").in("the scorer's items"),
	int64s("extracted", func(r *schemas.ScoreRow) *int64 { return &r.Extracted }).
		means("Items of the extraction.").in("the scorer's items"),
	int64s("gold", func(r *schemas.ScoreRow) *int64 { return &r.Gold }).
		means("Items of the gold; also of a failed extraction, which has missed them.").in("the scorer's items"),
	bools("p_undefined", func(r *schemas.ScoreRow) *bool { return &r.PUndefined }).
		means("Whether precision has the denominator 0 and its value is a convention of the source."),
	bools("r_undefined", func(r *schemas.ScoreRow) *bool { return &r.RUndefined }).
		means("Whether recall has the denominator 0 and its value is a convention of the source."),
	optional("method", func(r *schemas.ScoreRow) *string { return &r.Method }).
		means("How the score was computed where there are several ways: `exact`, `anchored` ...").nullWhen("the scorer has one way"),
	optional("spans", func(r *schemas.ScoreRow) *string { return &r.Spans }).
		means("Whether the extraction chose spans itself (`native`) or they were found by alignment (`aligned`).").nullWhen("the extraction has no spans"),
	positives("common_high", func(r *schemas.ScoreRow) *int64 { return &r.CommonHigh }).
		means("Upper bound of `common` where `method` says that `common` is a lower bound.").in("the scorer's items").nullWhen("`common` is exact"),
	positives("universe", func(r *schemas.ScoreRow) *int64 { return &r.Universe }).
		means("Items that could have been chosen, for scorers that count true negatives.").in("the scorer's items").nullWhen("the scorer counts none"),
	numbers("coverage", func(r *schemas.ScoreRow) *float64 { return &r.Coverage }, unscored).
		means("Share of the gold's words that are found on the page.").in("share, 0 to 1").nullWhen("the scorer aligns nothing, or `reason` says why"),
	numbers("baseline", func(r *schemas.ScoreRow) *float64 { return &r.Baseline }, nil).
		means("What the whole text of the page (extractor `plain`) scores, in rows of skipped extractions.").in("the scorer's").nullWhen("the extraction was not skipped, or `plain` was not run"),
}}

func unscored(r *schemas.ScoreRow) bool { return r.Reason != "" }
