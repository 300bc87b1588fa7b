package page

import "testing"

// decodedPages reads the first pages of a package, at most max bytes of them.
func decodedPages(b testing.TB, name string, max int) (pages [][]byte) {
	size := 0
	eachPackagePage(b, name, func(id string, src []byte) bool {
		pages = append(pages, append([]byte(nil), src...))
		size += len(src)
		return size < max
	})
	return pages
}

// BenchmarkTwin parses pages of each package with the twin and with Page, in
// turns, one core:
//
//	go test -run '^$' -bench 'Twin' -benchtime 3x -cpu 1
func BenchmarkTwin(b *testing.B) {
	for _, name := range packageNames {
		pages := decodedPages(b, name, 24<<20)
		b.Run("package="+name+"/parser=net", func(b *testing.B) {
			b.SetBytes(size(pages))
			for b.Loop() {
				for _, src := range pages {
					twin(src)
				}
			}
		})
		b.Run("package="+name+"/parser=page", func(b *testing.B) {
			var p Page
			b.SetBytes(size(pages))
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range pages {
					p.Parse(src, Options{})
				}
			}
		})
	}
}
