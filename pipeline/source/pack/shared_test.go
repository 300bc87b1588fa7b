package pack

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// TestRealPackages packs the published packages, if they are available, and
// compares their descriptions with the documents found.
func TestRealPackages(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set: no published packages")
	}
	for name, want := range map[string]Packed{
		"cleaneval-dev":   {Documents: 58, EmptyGold: 1},
		"cleaneval-final": {Documents: 681, EmptyGold: 6},
		"cleanportaleval": {Documents: 71, EmptyGold: 2},
		"dragnet":         {Documents: 1381},
		"l3s-gn1":         {Documents: 621},
		"readability":     {Documents: 116},
		"wcxb-dev":        {Documents: 1358, EmptyGold: 19, Snippets: 2},
		"trafilatura-dev": {Documents: 478, Snippets: 478},
	} {
		t.Run(name, func(t *testing.T) {
			if want.Documents > 600 && os.Getenv("WINNOW_LONG_TESTS") == "" {
				t.Skip("a large package, which is packed if WINNOW_LONG_TESTS is set")
			}
			p, err := gold.Open(filepath.Join(shared, "packages", name+".tar.xz"), gold.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			got, err := Write(t.Context(), write.NewWriter(io.Discard), p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got.Refused {
				t.Error(got.Refused[i].Detail)
			}
			if got.Documents != want.Documents || got.EmptyGold != want.EmptyGold || got.NoGold != want.NoGold || got.Snippets != want.Snippets {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got.HTMLBytes != p.Info.HTMLBytes || got.Documents != p.Info.Documents || len(p.Orphans) > 0 || p.Info.Name != name {
				t.Errorf("package %s says %d bytes and %d documents; orphans %q", p.Info.Name, p.Info.HTMLBytes, p.Info.Documents, p.Orphans)
			}
			if charset := name == "wcxb-dev"; charset != (p.ContentType(new(gold.Document)) == "text/html; charset=utf-8") {
				t.Errorf("content type %s", p.ContentType(new(gold.Document)))
			}
		})
	}
}
