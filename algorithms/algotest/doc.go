// Package algotest is the harness that every extractor's test calls: properties that
// hold for all extractors and scorers, and golden cases in readable files. Only tests
// use it.
//
// This package is internal to Winnow and may change in any release.
package algotest
