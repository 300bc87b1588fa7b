// Package work holds what the programs that do the work of a run share: worker and winnow.
package work

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact/pii"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/extract"
)

// Extraction returns what the task of the phase extract needs to carry out any recipe with
// the given extractors: all scorers and facts.
func Extraction(extractors []*algorithms.Extractor) extract.Options {
	return extract.Options{Extractors: extractors, Scorers: suite.Scorers(), Facts: suite.Facts(), Mask: pii.Masker}
}
