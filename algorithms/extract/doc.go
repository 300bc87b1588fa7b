// Package extract is the room of the page-level extractors: one folder for
// each published family, which holds its definition, its departures from the
// source, its code and its tests. Nothing here is shared; what several
// families measure lives in algorithms/feature.
//
// The tests of this package look at all families together: the conformance
// page on which every method's words are known, the smoke test on public gold
// packages, and the benchmark.
package extract
