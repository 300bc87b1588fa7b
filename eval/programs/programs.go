// Package programs is the suite with the extractors of the program winnow-peers, which must be on
// the PATH: go -C peers install ./winnow-peers
//
// This package is internal to Winnow and may change in any release.
package programs

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/extract/process"
)

// names are those of winnow-peers.
var names = []string{"trafilatura", "trafilatura-fast", "trafilatura-precision", "trafilatura-recall", "readability", "domdistiller"}

// Extractors returns the list. The slice is new, the values are shared.
func Extractors() []*algorithms.Extractor { return slices.Clone(extractors) }

var extractors = func() []*algorithms.Extractor {
	list, err := With()
	if err != nil {
		panic("programs: " + err.Error())
	}
	return list
}()

// command is the value of --extractor-command that adds an extractor of winnow-peers.
func command(name string) string { return name + "=winnow-peers " + name }

// Flags returns the flags by which winnow run has the extractors of winnow-peers as well.
func Flags() (flags []string) {
	for _, name := range names {
		flags = append(flags, "--extractor-command", command(name))
	}
	return flags
}

// With returns Extractors with others in the places of those that have their names. See
// suite.With.
func With(others ...*algorithms.Extractor) ([]*algorithms.Extractor, error) {
	var programs []*algorithms.Extractor
	for _, name := range names {
		e, err := process.Parse(command(name))
		if err != nil {
			return nil, err
		}
		programs = append(programs, e)
	}
	return suite.With(slices.Concat(programs, others)...)
}
