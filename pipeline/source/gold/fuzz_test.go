package gold

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/pipeline/source/gold/goldtest"
)

// FuzzOpenArchive checks that reading any archive ends, and that it yields each document
// or an error in its place.
func FuzzOpenArchive(f *testing.F) {
	names := goldtest.Names(goldtest.Small)
	f.Add(goldtest.Tarball(f, names, goldtest.Small, "small/"))
	f.Add(goldtest.Tarball(f, names, goldtest.Small, ""))
	f.Add(goldtest.Tarball(f, []string{"1.html"}, goldtest.Small, "../"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.tar")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Open(path, Limits{Files: 100, ArchiveBytes: 1 << 20, PageBytes: 1 << 16, GoldBytes: 1 << 16})
		if err != nil {
			return
		}
		defer p.Close()
		n := 0
		for range p.Documents(t.Context()) {
			n++
		}
		if n != p.Len() {
			t.Fatalf("%d documents of %d", n, p.Len())
		}
	})
}
