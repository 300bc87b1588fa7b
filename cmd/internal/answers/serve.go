package answers

import (
	"encoding/json"
	"io"

	"github.com/winnow/winnow/pipeline/extract/process"
)

// Missing determines what a page without an answer counts as.
type Missing string

const (
	Skip  Missing = "skip"  // the extractor declined the page
	Empty Missing = "empty" // the extractor found nothing on it
)

// Serve answers pages by the extractor protocol until in ends.
func (r *Recording) Serve(in io.Reader, out io.Writer, missing Missing) error {
	pages, lines := json.NewDecoder(in), json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	hello := process.Hello{Protocol: process.Protocol, Name: "recorded answers", Version: "1", Citation: "none"}
	if err := lines.Encode(hello); err != nil {
		return err
	}
	for {
		var q process.Request
		if err := pages.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a := process.Answer{ID: &q.ID}
		text, found, err := r.Lookup(q.Package, q.Document, q.URL)
		switch {
		case err != nil:
			a.Error = err.Error()
		case !found && missing == Skip:
			a.Declined = "the recording has no answer"
		default:
			a.Text = &text
		}
		if err := lines.Encode(a); err != nil {
			return err
		}
	}
}
