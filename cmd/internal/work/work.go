// Package work holds what the programs that do the work of a run share: worker and winnow.
package work

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact/pii"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/extract/process"
)

// Extraction returns what the task of the phase extract needs to carry out any recipe with
// the given extractors: all scorers and facts, and for each slot what extractors that are
// programs need: processes, and an aligner that finds their texts in the page.
func Extraction(extractors []*algorithms.Extractor) extract.Options {
	return extract.Options{
		Extractors: extractors, Scorers: suite.Scorers(), Facts: suite.Facts(), Mask: pii.Masker,
		Isolate: func() (driver.Isolate, func()) {
			processes := process.New(process.Options{})
			return processes.Run, processes.Close
		},
		Align: func() func(*page.Selection, *page.Body, string) { return new(align.Aligner).Text },
	}
}
