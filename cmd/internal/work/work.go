// Package work holds what the programs that do the work of a run share: worker and winnow.
package work

import (
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact/pii"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/algorithms/suite/linked"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/extract/isolate"
)

// Extraction returns what the task of the phase extract needs to carry out any recipe:
// all extractors, scorers and facts, and for each slot what wrapped libraries need: a child
// process that can be killed, and an aligner that finds their texts in the page.
func Extraction() extract.Options {
	return extract.Options{
		Extractors: linked.Extractors(), Scorers: suite.Scorers(), Facts: suite.Facts(), Mask: pii.Masker,
		Isolate: func() (driver.Isolate, func()) {
			cage := isolate.New(isolate.Options{})
			return cage.Run, cage.Close
		},
		Align: func() func(*page.Selection, *page.Body, string) { return new(align.Aligner).Text },
	}
}
