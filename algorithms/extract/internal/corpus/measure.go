package corpus

import (
	"errors"
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/wcxb"
	"github.com/winnow/winnow/algorithms/score/web2text"
)

// Figures are how well an extractor answered on some pages. The zero Figures are of
// none.
type Figures struct {
	Pages   int
	Skipped int // of them, over a bound of the extractor; they count as empty answers

	blocks, right, common, extracted, gold int64   // of web2text-blocks, pooled
	words                                  float64 // sum of the pages' word F1
}

// Add joins the figures of other pages to f.
func (f *Figures) Add(g Figures) {
	f.Pages += g.Pages
	f.Skipped += g.Skipped
	f.blocks += g.blocks
	f.right += g.right
	f.common += g.common
	f.extracted += g.extracted
	f.gold += g.gold
	f.words += g.words
}

// Blocks are the accuracy, precision, recall and F1 of web2text-blocks, pooled over
// the pages.
func (f *Figures) Blocks() (accuracy, precision, recall, f1 float64) {
	part := func(a, b int64) float64 { return float64(a) / float64(max(b, 1)) }
	return part(f.right, f.blocks), part(f.common, f.extracted), part(f.common, f.gold), part(2*f.common, f.extracted+f.gold)
}

// WordF1 is the mean of wcxb-word-f1 over the pages.
func (f *Figures) WordF1() float64 { return f.words / float64(max(f.Pages, 1)) }

// String is one line of all figures.
func (f *Figures) String() string {
	a, p, r, f1 := f.Blocks()
	return fmt.Sprintf("%d pages, %d skipped; blocks: accuracy %.3f, precision %.3f, recall %.3f, F1 %.3f; word F1 %.3f",
		f.Pages, f.Skipped, a, p, r, f1, f.WordF1())
}

// Measure runs e on documents and scores its answers.
func Measure(e *algorithms.Extractor, documents []*Document) (Figures, error) {
	word, err := wordF1()
	if err != nil {
		return Figures{}, err
	}
	var f Figures
	var pg page.Page
	var pass algorithms.Pass
	var gold algorithms.Gold
	var trial algorithms.Trial
	var text []byte
	for _, d := range documents {
		pg.Parse(d.HTML, page.Options{})
		pass.Reset(&pg, "")
		f.Pages++
		switch err := e.Run(&pass); {
		case errors.Is(err, algorithms.ErrPageTooLarge):
			f.Skipped++
			pass.Clear()
		case err != nil:
			return f, fmt.Errorf("measure %s on %s: %w", e.Name, d.ID, err)
		}
		text = pass.AppendText(text[:0])
		gold.Reset()
		gold.Text, gold.Page = d.Gold, &pg
		trial.Reset(&gold, text, &pass.Out, false)
		s := web2text.Blocks.Score(&trial)
		f.blocks += s.Universe
		f.common += s.Common
		f.extracted += s.Extracted
		f.gold += s.Gold
		f.right += s.Universe - s.Extracted - s.Gold + 2*s.Common
		f.words += word.Score(&trial).F1
	}
	return f, nil
}

func wordF1() (*algorithms.Scorer, error) {
	for _, s := range wcxb.Scorers {
		if s.Name == "wcxb-word-f1" {
			return s, nil
		}
	}
	return nil, errors.New("measure: there is no scorer wcxb-word-f1")
}
