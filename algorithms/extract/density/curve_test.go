package density

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

// The page is that of TestStrings.
func TestCurves(t *testing.T) {
	p := algotest.Pass("<body><div>menu</div><div><p>aa <b>bb</b> cc<br>dd</p><p>ee</p></div></body>")
	c := Extractor.Curves(p)[0]
	if want := []float64{0, 0, 4, 0, 8, 2, 2}; !slices.Equal(c.Values, want) {
		t.Errorf("lengths %v, want %v", c.Values, want)
	}
	if want := []algorithms.Stretch{{Start: 2, End: 5}}; !slices.Equal(c.Chosen, want) || c.Threshold != 8*0.333 {
		t.Errorf("%v above %v, want %v above %v", c.Chosen, c.Threshold, want, 8*0.333)
	}
	if none := Extractor.Curves(algotest.Pass("")); none != nil {
		t.Errorf("%v of nothing", none)
	}
}
