package inspector

import (
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/cmd/winnow/internal/inspector/figure"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/schemas"
)

// block is a piece of the page that an extractor judged as a whole, and why.
type block struct {
	Line        int                   `json:"line"` // index into View.Lines of its first line
	End         int                   `json:"end"`  // and of the line after its last one
	Probability float64               `json:"probability"`
	Chosen      bool                  `json:"chosen"`
	Evidence    []algorithms.Evidence `json:"evidence"`
}

// explain asks the extractors themselves why they chose what they chose. r must be the
// result that the view is made from, before the driver takes another page.
func (v *View) explain(r *driver.Result) error {
	for i := range r.Extractions {
		x, c := &r.Extractions[i], &v.Choices[i]
		if x.Outcome != algorithms.OK && x.Outcome != algorithms.Empty {
			continue
		}
		var pieces []algorithms.Decision
		err := panics.Call(func() (err error) {
			var pass algorithms.Pass
			pass.Reset(r.Page, v.URL)
			if x.Extractor.Curves != nil {
				for _, curve := range x.Extractor.Curves(&pass) {
					c.curves = append(c.curves, drawCurve(x.Extractor.Name, &curve))
				}
			}
			if x.Extractor.Explain != nil {
				pieces, err = x.Extractor.Explain(&pass)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("the reasons of %s: %w", x.Extractor.Name, err)
		}
		c.Blocks = v.blocks(pieces)
		if x.Outcome == algorithms.Empty {
			c.Saw = v.saw(r.Page.Body(), pieces)
		}
	}
	return nil
}

// blocks returns the pieces that have a line. Those that a browser hides have none, unless
// an extractor chose them.
func (v *View) blocks(pieces []algorithms.Decision) (out []block) {
	at := 0
	for i := range pieces {
		p := &pieces[i]
		for ; at < len(v.Lines) && v.Lines[at].end() <= p.Start; at++ {
		}
		b := block{Line: at, End: at, Probability: p.Probability, Chosen: p.Chosen, Evidence: p.Evidence}
		for ; b.End < len(v.Lines) && v.Lines[b.End].start < p.End; b.End++ {
		}
		if b.End > b.Line {
			out = append(out, b)
		}
	}
	return out
}

// saw describes what an extractor that chose nothing could have chosen.
func (v *View) saw(b *page.Body, pieces []algorithms.Decision) string {
	if len(v.Lines) == 0 {
		scripts := int32(0)
		for _, n := range b.Scripts {
			scripts += n
		}
		return fmt.Sprintf("the page shows no text; it has %s, which Winnow does not run", account.Count(int64(scripts), "script"))
	}
	words := 0
	for i := range v.Lines {
		words += len(strings.Fields(v.Lines[i].Text))
	}
	if len(pieces) == 0 {
		return fmt.Sprintf("the page shows %s on %s", account.Count(words, "word"), account.Count(len(v.Lines), "line"))
	}
	best := &pieces[0]
	for i := range pieces {
		if pieces[i].Probability > best.Probability {
			best = &pieces[i]
		}
	}
	text := strings.Join(strings.Fields(string(b.All.Text[best.Start:best.End])), " ")
	return fmt.Sprintf("it saw %s in %s; the most probable, with %.3f, is %q", account.Count(words, "word"), account.Count(len(pieces), "block"), best.Probability, schemas.Shorten(text, 70))
}

func drawCurve(extractor string, c *algorithms.Curve) *figure.Figure {
	d := figure.Curve{Title: extractor + ": " + c.Name, X: c.X, Y: c.Y, Values: c.Values, Threshold: c.Threshold}
	for _, s := range c.Chosen {
		d.Chosen = append(d.Chosen, [2]int{s.Start, s.End})
	}
	return d.Draw()
}
