package columnar

import "github.com/winnow/winnow/schemas"

// Packages has a row for each package, extractor and scorer. If the types of pages are
// known, each page type of a package has rows too.
var Packages = &Table[schemas.PackageRow]{schemas.TablePackages, []column[schemas.PackageRow]{
	text("run", func(r *schemas.PackageRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.PackageRow) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain. `(all)` pools the packages of the run."),
	optional("page_type", func(r *schemas.PackageRow) *string { return &r.PageType }).
		means("Page type whose documents the row is about.").nullWhen("the row is about all documents of the package"),
	text("extractor", func(r *schemas.PackageRow) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default."),
	optional("scorer", func(r *schemas.PackageRow) *string { return &r.Scorer }).
		means("Name of the scorer.").nullWhen("no scorer was chosen: the row has what needs no gold"),
	int64s("documents", func(r *schemas.PackageRow) *int64 { return &r.Documents }).
		means("Documents of the row: pages of the package (and page type).").in("pages"),
	int64s("failures", func(r *schemas.PackageRow) *int64 { return &r.Failures }).
		means("Documents on which the extractor failed.").in("pages"),
	int64s("skipped", func(r *schemas.PackageRow) *int64 { return &r.Skipped }).
		means("Documents to which the extractor does not apply, such as those of sites without a template.").in("pages"),
	int64s("scored", func(r *schemas.PackageRow) *int64 { return &r.Scored }).
		means("Documents with a score; failed extractions included.").in("pages"),
	int64s("answered", func(r *schemas.PackageRow) *int64 { return &r.Answered }).
		means("Scored documents whose extraction did not fail.").in("pages"),
	int64s("skipped_gold", func(r *schemas.PackageRow) *int64 { return &r.SkippedGold }).
		means("Skipped documents that have gold.").in("pages"),
	optional("mean", func(r *schemas.PackageRow) *string { return &r.Mean }).
		means("Which figure the scorer's source publishes, and `headline` holds: `macro`, `of_means`, `micro`, `value` ...").nullWhen("there is no scorer"),
	numbers("headline", func(r *schemas.PackageRow) *float64 { return &r.Headline }, nil).
		means("The figure that the scorer's source publishes; failed extractions count as 0.").in("the scorer's").nullWhen("no document of the row has a score"),
	numbers("mean_precision", func(r *schemas.PackageRow) *float64 { return &r.MeanPrecision }, nil).
		means("Mean precision over the scored documents.").in("share, 0 to 1").nullWhen("no document of the row has a score, or the scorer defines none"),
	numbers("mean_recall", func(r *schemas.PackageRow) *float64 { return &r.MeanRecall }, nil).
		means("Mean recall over the scored documents.").in("share, 0 to 1").nullWhen("no document of the row has a score, or the scorer defines none"),
	numbers("mean_f1", func(r *schemas.PackageRow) *float64 { return &r.MeanF1 }, nil).
		means("Mean F1 over the scored documents; failed extractions count as 0.").in("F1, 0 to 1").nullWhen("no document of the row has a score, or the scorer defines none"),
	numbers("sd_f1", func(r *schemas.PackageRow) *float64 { return &r.SDF1 }, nil).
		means("Sample standard deviation of F1 over the scored documents.").in("F1").nullWhen("fewer than two documents have an F1"),
	numbers("sd_value", func(r *schemas.PackageRow) *float64 { return &r.SDValue }, nil).
		means("Sample standard deviation of the value of a scorer that is not an F1.").in("the scorer's").nullWhen("the scorer is an F1"),
	numbers("ci_low", func(r *schemas.PackageRow) *float64 { return &r.CILow }, nil).
		means("Lower end of the 95 % bootstrap interval of the mean over the documents. Pages of a site are drawn together if there are several sites.").in("F1, or the scorer's value").nullWhen("there are too few documents"),
	numbers("ci_high", func(r *schemas.PackageRow) *float64 { return &r.CIHigh }, nil).
		means("Upper end of the same interval.").in("F1, or the scorer's value").nullWhen("there are too few documents"),
	numbers("p05", func(r *schemas.PackageRow) *float64 { return &r.P05 }, nil).
		means("5th percentile over the documents.").in("F1, or the scorer's value").nullWhen("no document of the row has a score"),
	numbers("p50", func(r *schemas.PackageRow) *float64 { return &r.P50 }, nil).
		means("Median over the documents.").in("F1, or the scorer's value").nullWhen("no document of the row has a score"),
	numbers("p95", func(r *schemas.PackageRow) *float64 { return &r.P95 }, nil).
		means("95th percentile over the documents.").in("F1, or the scorer's value").nullWhen("no document of the row has a score"),
	numbers("headline_precision", func(r *schemas.PackageRow) *float64 { return &r.HeadlinePrecision }, nil).
		means("Precision from which `headline` is computed: the mean over all scored documents or over those that define it, or `common` / `extracted` of all documents (`mean` says which).").in("share, 0 to 1").nullWhen("no document of the row defines it, or the scorer defines none"),
	numbers("headline_recall", func(r *schemas.PackageRow) *float64 { return &r.HeadlineRecall }, nil).
		means("Recall from which `headline` is computed: the mean over all scored documents or over those that define it, or `common` / `gold` of all documents (`mean` says which).").in("share, 0 to 1").nullWhen("no document of the row defines it, or the scorer defines none"),
	int64s("precision_n", func(r *schemas.PackageRow) *int64 { return &r.PrecisionN }).
		means("What `headline_precision` is a mean over or a share of: documents or, of pooled counts, extracted items.").in("pages or items"),
	int64s("recall_n", func(r *schemas.PackageRow) *int64 { return &r.RecallN }).
		means("What `headline_recall` is a mean over or a share of: documents or, of pooled counts, items of the gold.").in("pages or items"),
	numbers("mean_skipped_plain", func(r *schemas.PackageRow) *float64 { return &r.MeanSkippedPlain }, nil).
		means("The mean, if skipped documents count as the whole text of the page.").in("F1, or the scorer's value").nullWhen("no document of the row has a score, or `plain` was not run"),
	numbers("s_per_kb", func(r *schemas.PackageRow) *float64 { return &r.SPerKB }, nil).
		means("Time of the extractor alone: sum of times over sum of bytes.").in("seconds per kB of HTML").nullWhen("the extractor ran on no document of the row"),
	numbers("mb_per_s", func(r *schemas.PackageRow) *float64 { return &r.MBPerS }, nil).
		means("Throughput of the extractor alone.").in("MB of HTML per second").nullWhen("the extractor ran on no document of the row"),
	bools("trained_on", func(r *schemas.PackageRow) *bool { return &r.TrainedOn }).
		means("Whether the extractor, or a member of an ensemble, was trained on pages of the package: its scores are then better than on pages that it has not seen."),
	bools("bound", func(r *schemas.PackageRow) *bool { return &r.Bound }).
		means("Whether the extractor reads the gold: it is a bound for others and has no rank."),
}}

// PackageColumns returns the packages table with the named columns only. Rows that are
// read with it have nothing else.
func PackageColumns(names ...string) *Table[schemas.PackageRow] { return Packages.only(names) }
