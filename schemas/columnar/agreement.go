package columnar

import "github.com/winnow/winnow/schemas"

// Agreement has a row for each package and pair of extractors.
var Agreement = &Table[schemas.AgreementRow]{schemas.TableAgreement, []column[schemas.AgreementRow]{
	text("run", func(r *schemas.AgreementRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.AgreementRow) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("extractor_a", func(r *schemas.AgreementRow) *string { return &r.ExtractorA }).
		means("First extractor of the pair, by name."),
	text("extractor_b", func(r *schemas.AgreementRow) *string { return &r.ExtractorB }).
		means("Second extractor of the pair."),
	int64s("documents", func(r *schemas.AgreementRow) *int64 { return &r.Documents }).
		means("Documents behind the mean.").in("pages"),
	numbers("mean_f1", func(r *schemas.AgreementRow) *float64 { return &r.MeanF1 }, nil).
		means("Mean word F1 between the two extractions: how far the two chose the same text.").in("F1, 0 to 1").nullWhen("`documents` is 0"),
	int64s("both_empty", func(r *schemas.AgreementRow) *int64 { return &r.BothEmpty }).
		means("Documents left out because neither chose anything.").in("pages"),
	int64s("failed", func(r *schemas.AgreementRow) *int64 { return &r.Failed }).
		means("Documents left out because one of the two failed or was skipped.").in("pages"),
	int64s("sum_e9", func(r *schemas.AgreementRow) *int64 { return &r.SumE9 }).
		means("The sum behind the mean, as a whole number, so that parts add up exactly in any order.").in("1e-9 F1"),
}}
