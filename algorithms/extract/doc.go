// Package extract is the folder of the page-level extractors. It has one folder for
// each published family, with its definition, its departures from the source, its code
// and its tests. Features that several families share are in algorithms/feature.
//
// The tests of this package cover all families together: the conformance page, on which
// the words of every extractor are known, the smoke test on public gold packages, and
// the benchmark.
//
// This package is internal to Winnow and may change in any release.
package extract
