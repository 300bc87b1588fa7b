package extract

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/schemas"
)

// chosen is a page of ten words and what extractors chose of them; nil is an
// extraction without spans.
func chosen(t *testing.T, words ...[]int) *driver.Result {
	t.Helper()
	p := new(page.Page)
	p.Parse([]byte("<p>zero one two three four five six seven eight nine"), page.Options{})
	res := &driver.Result{Page: p, Extractions: make([]driver.Extraction, len(words))}
	for i, list := range words {
		x := &res.Extractions[i]
		if x.HasSelection = list != nil; !x.HasSelection {
			continue
		}
		for _, w := range list {
			x.Selection.AddWords(p.Body(), w, w+1)
		}
	}
	return res
}

func TestConsensusIsSummedUpByPackage(t *testing.T) {
	// Names are not in order: the table has the pair by name.
	c := newConsensus([]*algorithms.Extractor{{Description: algorithms.Description{Name: "z", Family: "f"}}, {Description: algorithms.Description{Name: "a", Family: "g"}}, {Description: algorithms.Description{Name: "m", Family: "h"}}})
	p := c.page("p", chosen(t, []int{1, 2, 3}, []int{2, 3, 4}, []int{3, 9})) // 2/3, 2/5, 2/5
	if got := figure(p.Strength); math.Abs(got-(2./3+0.4+0.4)/3) > 1e-12 {
		t.Errorf("strength %g", got)
	}
	c.page("p", chosen(t, []int{1}, []int{1}, nil))
	c.page("p", chosen(t, []int{}, []int{}, []int{0}))
	c.page("o", chosen(t, []int{1, 2}, []int{3}, []int{1}))
	var got []schemas.AgreementRow
	if err := c.rows("r", func(r *schemas.AgreementRow) error { got = append(got, *r); return nil }); err != nil {
		t.Fatal(err)
	}
	row := func(pkg, a, b string, documents, sum, bothEmpty, failed int64) schemas.AgreementRow {
		return schemas.AgreementRow{Run: "r", Package: pkg, ExtractorA: a, ExtractorB: b, Documents: documents,
			MeanF1: float64(sum) / 1e9 / float64(documents), SumE9: sum, BothEmpty: bothEmpty, Failed: failed}
	}
	want := []schemas.AgreementRow{
		row("o", "a", "m", 1, 0, 0, 0),
		row("o", "a", "z", 1, 0, 0, 0),
		row("o", "m", "z", 1, 666_666_667, 0, 0),
		row("p", "a", "m", 2, 400_000_000, 0, 1),               // 0.4 and, one being empty, 0
		row("p", "a", "z", 2, 666_666_667+1_000_000_000, 1, 0), // 2/3 and 1; both empty
		row("p", "m", "z", 2, 400_000_000, 0, 1),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if len(c.sums) != 0 {
		t.Error("the sums are kept")
	}
	if newConsensus([]*algorithms.Extractor{{Description: algorithms.Description{Name: "z"}}}) != nil {
		t.Error("one extractor agrees with itself")
	}
}

// An item in which every page is a package does not hold them all.
func TestSumsAreBounded(t *testing.T) {
	var extractors []*algorithms.Extractor
	words := make([][]int, 400)
	for i := range words {
		extractors = append(extractors, &algorithms.Extractor{Description: algorithms.Description{Name: fmt.Sprint("x", i), Family: fmt.Sprint("x", i)}})
	}
	c := newConsensus(extractors)
	pairs, n := 400*399/2, 0
	for ; !c.full(); n++ {
		c.page(fmt.Sprint("p", n), chosen(t, words...))
	}
	if cells := n * pairs; cells < maxCells || cells > maxCells+pairs {
		t.Errorf("full with %d cells, the bound is %d", cells, maxCells)
	}
}
