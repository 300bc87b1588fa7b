package winnow_test

import (
	"os"
	"testing"
	"time"

	"github.com/winnow/winnow"
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/extract/process"
)

// paragraphs is an extractor of one's own: it selects the elements p.
var paragraphs = &algorithms.Extractor{
	Description: algorithms.Description{Name: "paragraphs", Cite: algorithms.Cite{Authors: "A. Author", Title: "All paragraphs"}},
	Run: func(p *algorithms.Pass) error {
		for row := range p.Body.Tag {
			if p.Body.Tag[row] == html.TagP {
				p.Out.AddRow(p.Body, page.Row(row))
			}
		}
		return nil
	},
}

// With an argument, the test is a program that has an extractor of its own.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == paragraphs.Name {
		winnow.Main(paragraphs)
	}
	os.Exit(m.Run())
}

// The pipeline's own client runs the program and reads its answers.
func TestMainAnswersThePipeline(t *testing.T) {
	own := &algorithms.Extractor{Description: algorithms.Description{Name: "own"}, Command: []string{os.Args[0], paragraphs.Name}}
	processes := process.New(process.Options{})
	defer processes.Close()
	hello, err := processes.Check(t.Context(), own)
	if err != nil || hello.Name != "paragraphs" || hello.Citation != "A. Author: All paragraphs" {
		t.Errorf("%+v, %v", hello, err)
	}
	for source, want := range map[string]string{
		"<h1>Title</h1><p>First.<p>Second.":   "First.\nSecond.",
		`<meta charset="iso-8859-1"><p>Grüße`: "Grüße", // the source is decoded already
		"<h1>No paragraph</h1>":               "",
	} {
		answer, err := processes.Run(t.Context(), own, driver.Input{HTML: []byte(source), URL: "http://example.org/"}, time.Minute)
		if err != nil || answer.Text != want {
			t.Errorf("%q: %q, %v; want %q", source, answer.Text, err, want)
		}
	}
}
