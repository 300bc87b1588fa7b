package columnar

import (
	"slices"

	"github.com/winnow/winnow/schemas"
)

// Speed has a row for each package and extractor: what does not depend on a scorer. If
// the types of pages are known, each page type of a package has rows too.
var Speed = &Table[schemas.SpeedRow]{schemas.TableSpeed, slices.Concat([]column[schemas.SpeedRow]{
	text("run", func(r *schemas.SpeedRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.SpeedRow) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain. `(all)` pools the packages of the run."),
	optional("page_type", func(r *schemas.SpeedRow) *string { return &r.PageType }).
		means("Page type whose documents the row is about.").nullWhen("the row is about all documents of the package"),
	text("extractor", func(r *schemas.SpeedRow) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default."),
	int64s("documents", func(r *schemas.SpeedRow) *int64 { return &r.Documents }).
		means("Documents of the row: pages of the package (and page type).").in("pages"),
	int64s("failures", func(r *schemas.SpeedRow) *int64 { return &r.Failures }).
		means("Documents on which the extractor failed.").in("pages"),
	int64s("empties", func(r *schemas.SpeedRow) *int64 { return &r.Empties }).
		means("Documents for which the extractor chose nothing.").in("pages"),
	int64s("skipped", func(r *schemas.SpeedRow) *int64 { return &r.Skipped }).
		means("Documents to which the extractor does not apply, such as those of sites without a template.").in("pages"),
	optional("reasons", func(r *schemas.SpeedRow) *string { return &r.Reasons }).
		means("Reasons of failed and skipped documents with their numbers: `no_template:4,timeout:1`.").nullWhen("there are none"),
	int64s("html_bytes", func(r *schemas.SpeedRow) *int64 { return &r.HTMLBytes }).
		means("Size of the pages on which the extractor ran.").in("bytes"),
	int64s("extract_ns", func(r *schemas.SpeedRow) *int64 { return &r.ExtractNS }).
		means("Time of the extractor on them, as in `documents`; that of an ensemble includes its members.").in("nanoseconds"),
	int64s("total_ns", func(r *schemas.SpeedRow) *int64 { return &r.TotalNS }).
		means("Time with parsing and shared features.").in("nanoseconds"),
	numbers("pages_per_s", func(r *schemas.SpeedRow) *float64 { return &r.PagesPerS }, nil).
		means("Throughput of the extractor alone.").in("pages per second").nullWhen("the extractor ran on no document of the row"),
	numbers("s_per_kb", func(r *schemas.SpeedRow) *float64 { return &r.SPerKB }, nil).
		means("Time of the extractor alone: sum of times over sum of bytes.").in("seconds per kB of HTML").nullWhen("the extractor ran on no document of the row"),
	numbers("mb_per_s", func(r *schemas.SpeedRow) *float64 { return &r.MBPerS }, nil).
		means("Throughput of the extractor alone.").in("MB of HTML per second").nullWhen("the extractor ran on no document of the row"),
	numbers("total_pages_per_s", func(r *schemas.SpeedRow) *float64 { return &r.TotalPagesPerS }, nil).
		means("Throughput with parsing and shared features. A program of --extractor-command parses for itself: its total is its own time.").in("pages per second").nullWhen("the extractor ran on no document of the row"),
	numbers("total_mb_per_s", func(r *schemas.SpeedRow) *float64 { return &r.TotalMBPerS }, nil).
		means("Throughput with parsing and shared features.").in("MB of HTML per second").nullWhen("the extractor ran on no document of the row"),
	numbers("agree_mean", func(r *schemas.SpeedRow) *float64 { return &r.AgreeMean }, nil).
		means("Mean agreement with the other extractors, a family of variants counting once.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
	numbers("consensus_f1", func(r *schemas.SpeedRow) *float64 { return &r.ConsensusF1 }, nil).
		means("Mean of `documents.consensus_f1`.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
}, percentiles("extract_ns", "time of the extractor alone", "nanoseconds", func(r *schemas.SpeedRow) *schemas.Percentiles { return &r.ExtractNSAt }),
	percentiles("total_ns", "time with parsing and shared features", "nanoseconds", func(r *schemas.SpeedRow) *schemas.Percentiles { return &r.TotalNSAt }),
	percentiles("html_bytes", "size of the page", "bytes", func(r *schemas.SpeedRow) *schemas.Percentiles { return &r.HTMLBytesAt }),
	percentiles("text_chars", "length of the extracted text", "characters", func(r *schemas.SpeedRow) *schemas.Percentiles { return &r.TextCharsAt }))}

// percentiles returns the columns of the percentiles of a quantity.
func percentiles(name, quantity, unit string, field func(*schemas.SpeedRow) *schemas.Percentiles) []column[schemas.SpeedRow] {
	of := func(suffix, percentile string, value func(*schemas.Percentiles) *float64) column[schemas.SpeedRow] {
		return numbers(name+suffix, func(r *schemas.SpeedRow) *float64 { return value(field(r)) }, nil).
			means(percentile + " over the documents of the " + quantity + ".").in(unit).nullWhen("the extractor ran on no document of the row")
	}
	return []column[schemas.SpeedRow]{
		of("_p50", "Median", func(p *schemas.Percentiles) *float64 { return &p.P50 }),
		of("_p90", "90th percentile", func(p *schemas.Percentiles) *float64 { return &p.P90 }),
		of("_p99", "99th percentile", func(p *schemas.Percentiles) *float64 { return &p.P99 }),
	}
}
