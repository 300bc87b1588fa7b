// Package blobtest tests code that publishes files. It has the suite that every
// blob.Store must pass, a store in memory, and a store that fails on demand.
//
// This package is internal to Winnow and may change in any release.
package blobtest
