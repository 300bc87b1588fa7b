package columnar

import "github.com/winnow/winnow/schemas"

// Packages has a row for each package, extractor and scorer. If the types of pages are
// known, each page type of a package has rows too.
var Packages = &Table[schemas.PackageRow]{schemas.TablePackages, []column[schemas.PackageRow]{
	text("run", func(r *schemas.PackageRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.PackageRow) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain. `(all)` pools the packages of the run."),
	text("extractor", func(r *schemas.PackageRow) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default."),
	optional("scorer", func(r *schemas.PackageRow) *string { return &r.Scorer }).
		means("Name of the scorer.").nullWhen("no scorer was chosen: the row has what needs no gold"),
	int64s("documents", func(r *schemas.PackageRow) *int64 { return &r.Documents }).
		means("Documents of the row: pages of the package (and page type).").in("pages"),
	int64s("failures", func(r *schemas.PackageRow) *int64 { return &r.Failures }).
		means("Documents on which the extractor failed.").in("pages"),
	numbers("mean_precision", func(r *schemas.PackageRow) *float64 { return &r.MeanPrecision }, nil).
		means("Mean precision over the scored documents.").in("share, 0 to 1").nullWhen("no document of the row has a score, or the scorer defines none"),
	numbers("mean_recall", func(r *schemas.PackageRow) *float64 { return &r.MeanRecall }, nil).
		means("Mean recall over the scored documents.").in("share, 0 to 1").nullWhen("no document of the row has a score, or the scorer defines none"),
	numbers("mean_f1", func(r *schemas.PackageRow) *float64 { return &r.MeanF1 }, nil).
		means("Mean F1 over the scored documents; failed extractions count as 0.").in("F1, 0 to 1").nullWhen("no document of the row has a score, or the scorer defines none"),
	numbers("sd_f1", func(r *schemas.PackageRow) *float64 { return &r.SDF1 }, nil).
		means("Sample standard deviation of F1 over the scored documents.").in("F1").nullWhen("fewer than two documents have an F1"),
	numbers("ci_low", func(r *schemas.PackageRow) *float64 { return &r.CILow }, nil).
		means("Lower end of the 95 % bootstrap interval of the mean; `ci` says how it was computed.").in("the headline's").nullWhen("there are too few documents"),
	numbers("ci_high", func(r *schemas.PackageRow) *float64 { return &r.CIHigh }, nil).
		means("Upper end of the same interval.").in("the headline's").nullWhen("there are too few documents"),
	numbers("p05", func(r *schemas.PackageRow) *float64 { return &r.P05 }, nil).
		means("5th percentile over the documents.").in("F1, or the scorer's value").nullWhen("no document of the row has a score"),
	numbers("p50", func(r *schemas.PackageRow) *float64 { return &r.P50 }, nil).
		means("Median over the documents.").in("F1, or the scorer's value").nullWhen("no document of the row has a score"),
	numbers("p95", func(r *schemas.PackageRow) *float64 { return &r.P95 }, nil).
		means("95th percentile over the documents.").in("F1, or the scorer's value").nullWhen("no document of the row has a score"),
	numbers("s_per_kb", func(r *schemas.PackageRow) *float64 { return &r.SPerKB }, nil).
		means("Time of the extractor alone: sum of times over sum of bytes.").in("seconds per kB of HTML").nullWhen("the extractor ran on no document of the row"),
	numbers("mb_per_s", func(r *schemas.PackageRow) *float64 { return &r.MBPerS }, nil).
		means("Throughput of the extractor alone.").in("MB of HTML per second").nullWhen("the extractor ran on no document of the row"),
	int64s("scored", func(r *schemas.PackageRow) *int64 { return &r.Scored }).
		means("Documents with a score; failed extractions included.").in("pages"),
	int64s("empties", func(r *schemas.PackageRow) *int64 { return &r.Empties }).
		means("Documents for which the extractor chose nothing.").in("pages"),
	int64s("skipped", func(r *schemas.PackageRow) *int64 { return &r.Skipped }).
		means("Documents to which the extractor does not apply, such as those of sites without a template.").in("pages"),
	int64s("no_gold", func(r *schemas.PackageRow) *int64 { return &r.NoGold }).
		means("Documents without gold, or without the kind of gold that the scorer needs.").in("pages"),
	numbers("f1_of_means", func(r *schemas.PackageRow) *float64 { return &r.F1OfMeans }, nil).
		means("Harmonic mean of mean precision and mean recall.").in("F1, 0 to 1").nullWhen("no document of the row has a score"),
	numbers("f1_micro", func(r *schemas.PackageRow) *float64 { return &r.F1Micro }, nil).
		means("F1 of the counts of all scored documents added up.").in("F1, 0 to 1").nullWhen("the counts define none"),
	int64s("unscored", func(r *schemas.PackageRow) *int64 { return &r.Unscored }).
		means("Documents that the scorer could not score, for a reason of its own.").in("pages"),
	int64s("answered", func(r *schemas.PackageRow) *int64 { return &r.Answered }).
		means("Scored documents whose extraction did not fail.").in("pages"),
	numbers("answered_f1", func(r *schemas.PackageRow) *float64 { return &r.AnsweredF1 }, nil).
		means("Mean F1 over the answered documents.").in("F1, 0 to 1").nullWhen("no document was answered"),
	numbers("mean_value", func(r *schemas.PackageRow) *float64 { return &r.MeanValue }, nil).
		means("Mean of `scores.value` over the answered documents.").in("the scorer's").nullWhen("the scorer has no value"),
	int64s("html_bytes", func(r *schemas.PackageRow) *int64 { return &r.HTMLBytes }).
		means("Size of the pages on which the extractor ran.").in("bytes"),
	int64s("extract_ns", func(r *schemas.PackageRow) *int64 { return &r.ExtractNS }).
		means("Time of the extractor on them, as in `documents`; that of an ensemble includes its members.").in("nanoseconds"),
	optional("percentiles", func(r *schemas.PackageRow) *string { return &r.Percentiles }).
		means("How `p05`, `p50` and `p95` were computed: `exact`, or `hist` (to 1/10,000 of the range).").nullWhen("no document of the row has a score"),
	optional("ci", func(r *schemas.PackageRow) *string { return &r.CI }).
		means("How the interval was computed: `poisson-1000-site` draws the pages of a site together, `poisson-1000-page` one by one.").nullWhen("there is no interval"),
	optional("page_type", func(r *schemas.PackageRow) *string { return &r.PageType }).
		means("Page type whose documents the row is about.").nullWhen("the row is about all documents of the package"),
	optional("reasons", func(r *schemas.PackageRow) *string { return &r.Reasons }).
		means("Reasons of failed and skipped documents with their numbers: `no_template:4,timeout:1`.").nullWhen("there are none"),
	optional("mean", func(r *schemas.PackageRow) *string { return &r.Mean }).
		means("Which figure the scorer's source publishes, and `headline` holds: `macro`, `of_means`, `micro`, `value` ...").nullWhen("there is no scorer"),
	numbers("headline", func(r *schemas.PackageRow) *float64 { return &r.Headline }, nil).
		means("The figure that the scorer's source publishes; failed extractions count as 0.").in("the scorer's").nullWhen("no document of the row has a score"),
	numbers("sd_value", func(r *schemas.PackageRow) *float64 { return &r.SDValue }, nil).
		means("Sample standard deviation of the value of a scorer that is not an F1.").in("the scorer's").nullWhen("the scorer is an F1"),
	numbers("mean_skipped_zero", func(r *schemas.PackageRow) *float64 { return &r.MeanSkippedZero }, nil).
		means("The mean, if skipped documents count as 0.").in("the headline's").nullWhen("no document of the row has a score"),
	numbers("mean_skipped_plain", func(r *schemas.PackageRow) *float64 { return &r.MeanSkippedPlain }, nil).
		means("The mean, if skipped documents count as the whole text of the page.").in("the headline's").nullWhen("no document of the row has a score, or `plain` was not run"),
	int64s("skipped_gold", func(r *schemas.PackageRow) *int64 { return &r.SkippedGold }).
		means("Skipped documents that have gold.").in("pages"),
	int64s("common", func(r *schemas.PackageRow) *int64 { return &r.Common }).
		means("Sum of `scores.common` over the scored documents.").in("the scorer's items"),
	int64s("extracted", func(r *schemas.PackageRow) *int64 { return &r.Extracted }).
		means("Sum of `scores.extracted`.").in("the scorer's items"),
	int64s("gold", func(r *schemas.PackageRow) *int64 { return &r.Gold }).
		means("Sum of `scores.gold`.").in("the scorer's items"),
	int64s("universe", func(r *schemas.PackageRow) *int64 { return &r.Universe }).
		means("Sum of `scores.universe`.").in("the scorer's items"),
	numbers("micro_precision", func(r *schemas.PackageRow) *float64 { return &r.MicroPrecision }, nil).
		means("`common` / `extracted`.").in("share, 0 to 1").nullWhen("the counts define none"),
	numbers("micro_recall", func(r *schemas.PackageRow) *float64 { return &r.MicroRecall }, nil).
		means("`common` / `gold`.").in("share, 0 to 1").nullWhen("the counts define none"),
	numbers("micro_accuracy", func(r *schemas.PackageRow) *float64 { return &r.MicroAccuracy }, nil).
		means("Share of `universe` that is rightly chosen or rightly left.").in("share, 0 to 1").nullWhen("the counts define none"),
	int64s("precision_defined", func(r *schemas.PackageRow) *int64 { return &r.PrecisionDefined }).
		means("Documents whose precision has a denominator.").in("pages"),
	int64s("recall_defined", func(r *schemas.PackageRow) *int64 { return &r.RecallDefined }).
		means("Documents whose recall has a denominator.").in("pages"),
	numbers("mean_defined_precision", func(r *schemas.PackageRow) *float64 { return &r.MeanDefinedPrecision }, nil).
		means("Mean precision over `precision_defined` documents.").in("share, 0 to 1").nullWhen("there are none"),
	numbers("mean_defined_recall", func(r *schemas.PackageRow) *float64 { return &r.MeanDefinedRecall }, nil).
		means("Mean recall over `recall_defined` documents.").in("share, 0 to 1").nullWhen("there are none"),
	int64s("bounded", func(r *schemas.PackageRow) *int64 { return &r.Bounded }).
		means("Documents whose number of common items is a lower bound.").in("pages"),
	numbers("f1_gap", func(r *schemas.PackageRow) *float64 { return &r.F1Gap }, nil).
		means("Largest F1 that a lower bound may have cost a document.").in("F1").nullWhen("no document is bounded"),
	int64s("low_coverage", func(r *schemas.PackageRow) *int64 { return &r.LowCoverage }).
		means("Documents of whose gold less than 0.9 is found on the page.").in("pages"),
	numbers("pages_per_s", func(r *schemas.PackageRow) *float64 { return &r.PagesPerS }, nil).
		means("Throughput of the extractor alone.").in("pages per second").nullWhen("the extractor ran on no document of the row"),
	numbers("total_pages_per_s", func(r *schemas.PackageRow) *float64 { return &r.TotalPagesPerS }, nil).
		means("Throughput with parsing and shared features. A wrapped library parses for itself: its total is its own time.").in("pages per second").nullWhen("the extractor ran on no document of the row"),
	numbers("total_s_per_kb", func(r *schemas.PackageRow) *float64 { return &r.TotalSPerKB }, nil).
		means("Time with parsing and shared features.").in("seconds per kB of HTML").nullWhen("the extractor ran on no document of the row"),
	numbers("total_mb_per_s", func(r *schemas.PackageRow) *float64 { return &r.TotalMBPerS }, nil).
		means("Throughput with parsing and shared features.").in("MB of HTML per second").nullWhen("the extractor ran on no document of the row"),
	int64s("total_ns", func(r *schemas.PackageRow) *int64 { return &r.TotalNS }).
		means("Time with parsing and shared features.").in("nanoseconds"),
	numbers("mean_s_per_kb", func(r *schemas.PackageRow) *float64 { return &r.MeanSPerKB }, nil).
		means("Mean of the documents' own ratios (Gottron 2007).").in("seconds per kB of HTML").nullWhen("the extractor ran on no document of the row"),
	numbers("agree_mean", func(r *schemas.PackageRow) *float64 { return &r.AgreeMean }, nil).
		means("Mean agreement with the other extractors, a family of variants counting once.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
	numbers("consensus_f1", func(r *schemas.PackageRow) *float64 { return &r.ConsensusF1 }, nil).
		means("Mean of `documents.consensus_f1`.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
	numbers("page_consensus", func(r *schemas.PackageRow) *float64 { return &r.PageConsensus }, nil).
		means("Mean of `pages.page_consensus`.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
	numbers("answered_micro_precision", func(r *schemas.PackageRow) *float64 { return &r.AnsweredMicroPrecision }, nil).
		means("`micro_precision` without failed extractions.").in("share, 0 to 1").nullWhen("the counts define none"),
	numbers("answered_micro_recall", func(r *schemas.PackageRow) *float64 { return &r.AnsweredMicroRecall }, nil).
		means("`micro_recall` without failed extractions.").in("share, 0 to 1").nullWhen("the counts define none"),
	numbers("answered_micro_f1", func(r *schemas.PackageRow) *float64 { return &r.AnsweredMicroF1 }, nil).
		means("`f1_micro` without failed extractions.").in("F1, 0 to 1").nullWhen("the counts define none"),
	numbers("answered_micro_accuracy", func(r *schemas.PackageRow) *float64 { return &r.AnsweredMicroAccuracy }, nil).
		means("`micro_accuracy` without failed extractions.").in("share, 0 to 1").nullWhen("the counts define none"),
	optional("methods", func(r *schemas.PackageRow) *string { return &r.Methods }).
		means("How scores were computed, with numbers: `anchored:1,exact:61`.").nullWhen("the scorer has one way"),
	int64s("gold_empty", func(r *schemas.PackageRow) *int64 { return &r.GoldEmpty }).
		means("Scored documents whose gold has no items: the page has no content.").in("pages"),
	numbers("headline_sd", func(r *schemas.PackageRow) *float64 { return &r.HeadlineSD }, nil).
		means("Standard deviation of `headline` over 1,000 resamples of the documents, for scorers whose figure is a ratio of means.").in("the scorer's").nullWhen("the figure is a plain mean"),
	numbers("headline_low", func(r *schemas.PackageRow) *float64 { return &r.HeadlineLow }, nil).
		means("Lower end of the 95 % interval over the same resamples.").in("the scorer's").nullWhen("the figure is a plain mean"),
	numbers("headline_high", func(r *schemas.PackageRow) *float64 { return &r.HeadlineHigh }, nil).
		means("Upper end of the same interval.").in("the scorer's").nullWhen("the figure is a plain mean"),
	numbers("extract_ns_p50", func(r *schemas.PackageRow) *float64 { return &r.ExtractNSP50 }, nil).
		means("Median over the documents of the time of the extractor alone.").in("nanoseconds").nullWhen("the extractor ran on no document of the row"),
	numbers("extract_ns_p90", func(r *schemas.PackageRow) *float64 { return &r.ExtractNSP90 }, nil).
		means("90th percentile over the documents of the time of the extractor alone.").in("nanoseconds").nullWhen("the extractor ran on no document of the row"),
	numbers("extract_ns_p99", func(r *schemas.PackageRow) *float64 { return &r.ExtractNSP99 }, nil).
		means("99th percentile over the documents of the time of the extractor alone.").in("nanoseconds").nullWhen("the extractor ran on no document of the row"),
	numbers("total_ns_p50", func(r *schemas.PackageRow) *float64 { return &r.TotalNSP50 }, nil).
		means("Median over the documents of the time with parsing and shared features.").in("nanoseconds").nullWhen("the extractor ran on no document of the row"),
	numbers("total_ns_p90", func(r *schemas.PackageRow) *float64 { return &r.TotalNSP90 }, nil).
		means("90th percentile over the documents of the time with parsing and shared features.").in("nanoseconds").nullWhen("the extractor ran on no document of the row"),
	numbers("total_ns_p99", func(r *schemas.PackageRow) *float64 { return &r.TotalNSP99 }, nil).
		means("99th percentile over the documents of the time with parsing and shared features.").in("nanoseconds").nullWhen("the extractor ran on no document of the row"),
	numbers("html_bytes_p50", func(r *schemas.PackageRow) *float64 { return &r.HTMLBytesP50 }, nil).
		means("Median over the documents of the size of the page.").in("bytes").nullWhen("the extractor ran on no document of the row"),
	numbers("html_bytes_p90", func(r *schemas.PackageRow) *float64 { return &r.HTMLBytesP90 }, nil).
		means("90th percentile over the documents of the size of the page.").in("bytes").nullWhen("the extractor ran on no document of the row"),
	numbers("html_bytes_p99", func(r *schemas.PackageRow) *float64 { return &r.HTMLBytesP99 }, nil).
		means("99th percentile over the documents of the size of the page.").in("bytes").nullWhen("the extractor ran on no document of the row"),
	numbers("text_chars_p50", func(r *schemas.PackageRow) *float64 { return &r.TextCharsP50 }, nil).
		means("Median over the documents of the length of the extracted text.").in("characters").nullWhen("the extractor ran on no document of the row"),
	numbers("text_chars_p90", func(r *schemas.PackageRow) *float64 { return &r.TextCharsP90 }, nil).
		means("90th percentile over the documents of the length of the extracted text.").in("characters").nullWhen("the extractor ran on no document of the row"),
	numbers("text_chars_p99", func(r *schemas.PackageRow) *float64 { return &r.TextCharsP99 }, nil).
		means("99th percentile over the documents of the length of the extracted text.").in("characters").nullWhen("the extractor ran on no document of the row"),
	optional("cost_percentiles", func(r *schemas.PackageRow) *string { return &r.CostPercentiles }).
		means("How the percentiles of cost were computed: `exact`, or `sketch` (to 1 % of the value).").nullWhen("the extractor ran on no document of the row"),
	bools("trained_on", func(r *schemas.PackageRow) *bool { return &r.TrainedOn }).
		means("Whether the extractor, or a member of an ensemble, was trained on pages of the package: its scores are then better than on pages that it has not seen."),
}}
