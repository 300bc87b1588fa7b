package pack

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/gold/goldtest"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// FuzzWrite checks that packing any archive ends, stays within its limits and omits no
// document in silence.
func FuzzWrite(f *testing.F) {
	names := goldtest.Names(goldtest.Small)
	f.Add(goldtest.Tarball(f, names, goldtest.Small, "small/"))
	f.Add(goldtest.Tarball(f, names, goldtest.Small, ""))
	f.Add(goldtest.Tarball(f, []string{"1.html"}, goldtest.Small, "../"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.tar")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := gold.Open(path, gold.Limits{Files: 100, ArchiveBytes: 1 << 20, PageBytes: 1 << 16, GoldBytes: 1 << 16})
		if err != nil {
			return
		}
		defer p.Close()
		done, err := Write(t.Context(), write.NewWriter(io.Discard), p, Options{})
		if err == nil && done.Documents+len(done.Refused) != p.Len() {
			t.Fatalf("%d written and %d refused of %d", done.Documents, len(done.Refused), p.Len())
		}
	})
}
