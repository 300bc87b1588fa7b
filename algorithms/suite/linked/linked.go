// Package linked is the suite with the code of the wrapped libraries, for programs that
// run extractors. Package suite only describes those libraries (see package
// algorithms/extract/wrapped).
package linked

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/wrapped/library"
	"github.com/winnow/winnow/algorithms/suite"
)

// Extractors returns the list of suite.Extractors. All of its extractors can run. The
// slice is new, the values are shared.
func Extractors() []*algorithms.Extractor { return slices.Clone(extractors) }

// With returns Extractors with others in the places of those that have their names. See
// suite.With.
func With(others ...*algorithms.Extractor) ([]*algorithms.Extractor, error) {
	return suite.With(slices.Concat(library.Extractors(), others)...)
}

var extractors = func() []*algorithms.Extractor {
	list, err := With()
	if err != nil { // a library replaces an extractor that the suite does not list
		panic("linked: " + err.Error())
	}
	return list
}()
