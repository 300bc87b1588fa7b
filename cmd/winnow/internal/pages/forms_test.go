package pages

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/plain"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
)

// TestRealForms checks that the answers to all pages of real archives say the same as text,
// as spans, as HTML and as Markdown.
func TestRealForms(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	archives, err := filepath.Glob(filepath.Join(shared, "warcs", "crawls", "*"))
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	in := source.Inputs{Blobs: blobs, Note: func(string) {}}
	var pg page.Page
	var pass algorithms.Pass
	for _, name := range archives {
		format, err := source.FormatOf(name)
		if err != nil {
			t.Fatal(err)
		}
		pages := 0
		err = Each(context.Background(), &in, name, format, func(string, string) {}, func(p *Page) error {
			pages++
			pg.Parse(p.HTML, page.Options{})
			pass.Reset(&pg, p.URL)
			for _, e := range []*algorithms.Extractor{winnow.Extractor, plain.Extractor} {
				pass.Clear()
				if err := e.Run(&pass); err != nil {
					return err
				}
				algotest.Forms(t, e.Name+" on "+p.ID, &pg, &pass.Out, pass.AppendText(nil))
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %d pages", filepath.Base(name), pages)
	}
}
