// Package suite is the one list that names every method Winnow has. It is the
// only package that imports them all; nothing registers itself.
package suite

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/wrapped"
	"github.com/winnow/winnow/algorithms/score/gottron"
)

// Extractors returns all extractors, page-level before site-level, in the
// order in which tables and catalogues show them. The slice is new, the values
// are shared.
func Extractors() []*algorithms.Extractor {
	return slices.Concat(
		wrapped.Extractors(),
	)
}

// Scorers returns all scorers in the order in which tables show them.
func Scorers() []*algorithms.Scorer {
	return slices.Concat(
		gottron.Scorers,
	)
}
