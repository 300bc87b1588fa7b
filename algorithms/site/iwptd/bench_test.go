package iwptd

import (
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/iwptd -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }
