package gold

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/pipeline/warc/write"
)

// FuzzOpenArchive checks that reading any archive ends, stays within its limits and
// yields records that can be written.
func FuzzOpenArchive(f *testing.F) {
	names := keys(small)
	f.Add(tarball(f, names, small, "small/"))
	f.Add(tarball(f, names, small, ""))
	f.Add(tarball(f, []string{"1.html"}, small, "../"))
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
		done, err := Pack(t.Context(), write.NewWriter(io.Discard), p, PackOptions{})
		if err == nil && done.Documents+len(done.Refused) != p.Len() {
			t.Fatalf("%d written and %d refused of %d", done.Documents, len(done.Refused), p.Len())
		}
	})
}
