// Package pack writes pages that are separate files, and their gold, into WARC files, so
// that a run reads them like every other crawl.
//
//	p, err := gold.Open("my-site", gold.Limits{})
//	done, err := pack.Write(ctx, write.NewWriter(file), p, pack.Options{})
//
// The pages are read by package source, as everything else is. The same pages give the
// same bytes. A document that cannot be read is left out and named; the others are packed.
//
// This package is internal to Winnow and may change in any release.
package pack
