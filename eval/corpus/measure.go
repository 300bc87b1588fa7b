package corpus

import (
	"errors"
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/wcxb"
	"github.com/winnow/winnow/algorithms/score/web2text"
)

// Result is the evaluation of an extractor's answer to one page.
type Result struct {
	Document              *Document
	Skipped               bool    // the page exceeds a bound of the extractor, which counts as an empty answer
	Empty                 bool    // the answer is empty
	Precision, Recall, F1 float64 // of wcxb-word-f1

	blocks, right, common, extracted, gold int64 // of web2text-blocks
}

// Figures are the combined results of several pages. The zero Figures are those of no
// page.
type Figures struct {
	Pages, Skipped, Empty int

	blocks, right, common, extracted, gold int64   // of web2text-blocks, pooled
	precision, recall, words               float64 // sums of wcxb-word-f1
}

// Sum combines results.
func Sum(results []Result) (f Figures) {
	for i := range results {
		r := &results[i]
		f.Pages++
		if r.Skipped {
			f.Skipped++
		}
		if r.Empty {
			f.Empty++
		}
		f.blocks += r.blocks
		f.right += r.right
		f.common += r.common
		f.extracted += r.extracted
		f.gold += r.gold
		f.precision += r.Precision
		f.recall += r.Recall
		f.words += r.F1
	}
	return f
}

// Blocks returns the accuracy, precision, recall and F1 of web2text-blocks, pooled over
// the pages.
func (f *Figures) Blocks() (accuracy, precision, recall, f1 float64) {
	part := func(a, b int64) float64 { return float64(a) / float64(max(b, 1)) }
	return part(f.right, f.blocks), part(f.common, f.extracted), part(f.common, f.gold), part(2*f.common, f.extracted+f.gold)
}

// Words returns the means of wcxb-word-f1 over the pages.
func (f *Figures) Words() (precision, recall, f1 float64) {
	n := float64(max(f.Pages, 1))
	return f.precision / n, f.recall / n, f.words / n
}

// String formats all figures on one line.
func (f *Figures) String() string {
	a, p, r, f1 := f.Blocks()
	_, _, words := f.Words()
	return fmt.Sprintf("%d pages, %d skipped; blocks: accuracy %.3f, precision %.3f, recall %.3f, F1 %.3f; word F1 %.3f",
		f.Pages, f.Skipped, a, p, r, f1, words)
}

// Measure runs e on documents and returns the scores of its answers, in their order.
func Measure(e *algorithms.Extractor, documents []*Document) ([]Result, error) {
	var results []Result
	var pg page.Page
	var pass algorithms.Pass
	var gold algorithms.Gold
	var trial algorithms.Trial
	var text []byte
	for _, d := range documents {
		pg.Parse(d.HTML, page.Options{})
		pass.Reset(&pg, "")
		x := Result{Document: d}
		switch err := e.Run(&pass); {
		case errors.Is(err, algorithms.ErrPageTooLarge):
			x.Skipped = true
			pass.Clear()
		case err != nil:
			return nil, fmt.Errorf("measure %s on %s: %w", e.Name, d.ID, err)
		}
		text = pass.AppendText(text[:0])
		x.Empty = len(text) == 0
		gold.Reset()
		gold.Text, gold.Page = d.Gold, &pg
		trial.Reset(&gold, text, &pass.Out, false)
		s := web2text.Blocks.Score(&trial)
		x.blocks, x.common, x.extracted, x.gold = s.Universe, s.Common, s.Extracted, s.Gold
		x.right = s.Universe - s.Extracted - s.Gold + 2*s.Common
		words := wcxb.WordF1.Score(&trial)
		x.Precision, x.Recall, x.F1 = words.Precision, words.Recall, words.F1
		results = append(results, x)
	}
	return results, nil
}
