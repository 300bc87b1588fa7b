package algotest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/winnow/winnow/algorithms"
)

var update = flag.Bool("update", false, "rewrite golden cases with the present answers")

// Golden runs every case in testdata/*.txtar. A case says in its comment why
// it matters and holds the file page.html and, for each extractor it is about,
// one file named by the extractor with the text it must select. Every case
// must name at least one of the extractors given, and every extractor must
// have at least one case.
func Golden(t *testing.T, extractors ...*algorithms.Extractor) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]int{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(string(archive.Comment)) == "" {
			t.Errorf("%s: does not say why it matters", file)
		}
		html, claimed := "", 0
		for _, f := range archive.Files {
			if f.Name == "page.html" {
				html = string(f.Data)
			}
		}
		for i, f := range archive.Files {
			for _, e := range extractors {
				if f.Name != e.Name {
					continue
				}
				claimed++
				cases[e.Name]++
				got := Text(t, e, html)
				if got != "" && !strings.HasSuffix(got, "\n") {
					got += "\n"
				}
				if *update {
					archive.Files[i].Data = []byte(got)
				} else if got != string(f.Data) {
					t.Errorf("%s: %s selects\n%s\nwant\n%s", file, e.Name, got, f.Data)
				}
			}
		}
		if claimed == 0 {
			t.Errorf("%s: no extractor of this package claims it", file)
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, e := range extractors {
		if cases[e.Name] == 0 {
			t.Errorf("%s has no golden case in testdata", e.Name)
		}
	}
}
