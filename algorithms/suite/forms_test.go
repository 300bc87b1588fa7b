package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/internal/testpages"
	"github.com/winnow/winnow/algorithms/page"
)

// TestForms checks that the answers of all page-level extractors say the same as text, as
// spans, as HTML and as Markdown, on the pages that the harness makes.
func TestForms(t *testing.T) {
	for _, p := range algotest.Pages() {
		if len(p.HTML) < 100_000 || p.Name == "many-blocks" {
			checkForms(t, p.Name, p.HTML)
		}
	}
	for seed := range uint64(50) {
		checkForms(t, "random", algotest.Random(seed))
	}
}

// TestFormsOfStructure does the same on the pages of the Markdown writer's own cases.
func TestFormsOfStructure(t *testing.T) {
	files, err := filepath.Glob("../page/markdown/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkForms(t, filepath.Base(file), string(a.Files[0].Data))
	}
}

// TestRealForms does the same on some real pages of each gold package and of the crawl files,
// or on all of them if WINNOW_LONG_TESTS is set, which takes an hour.
func TestRealForms(t *testing.T) {
	every := 50
	if os.Getenv("WINNOW_LONG_TESTS") != "" {
		every = 1
	}
	t.Run("packages", func(t *testing.T) {
		archives, err := filepath.Glob(filepath.Join(os.Getenv("WINNOW_SHARED"), "packages", "*.tar.xz"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range archives {
			names = append(names, strings.TrimSuffix(filepath.Base(a), ".tar.xz"))
		}
		for _, p := range algotest.RealPages(t, every, names...) {
			checkForms(t, p.Name, p.HTML)
		}
	})
	t.Run("crawls", func(t *testing.T) {
		pages := 0
		testpages.EachOfCrawls(t, func(id string, src []byte) {
			if pages++; pages%every == 0 {
				checkForms(t, id, string(src))
			}
		})
		t.Logf("%d pages, one of %d was checked", pages, every)
	})
}

func checkForms(t *testing.T, name, html string) {
	var pg page.Page
	var pass algorithms.Pass
	pg.Parse([]byte(html), page.Options{})
	pass.Reset(&pg, "http://example.org/")
	for _, e := range Extractors() {
		if e.Run == nil || e.Oracle || e.Scope() != algorithms.PageScope {
			continue
		}
		algotest.Answers(t, &pass, e)
		if err := e.Run(&pass); err == algorithms.ErrPageTooLarge {
			continue
		} else if err != nil {
			t.Fatalf("%s on %s: %v", e.Name, name, err)
		}
		algotest.Forms(t, e.Name+" on "+name, &pg, &pass.Out, pass.AppendText(nil))
	}
}
