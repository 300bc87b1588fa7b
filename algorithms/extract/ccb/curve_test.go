package ccb

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

// The curve is what blurring the cells one by one gives, and the words above the
// threshold are chosen.
func TestCurves(t *testing.T) {
	p := algotest.Pass("<body><ul><li>menu</li></ul><p>" + strings.Repeat("grain and ", 40) + "</p><hr><hr></body>")
	tokens := p.Page.Tokens()
	margin := DefaultTokens.Range * DefaultTokens.Iterations
	cells := make([]float64, margin, 2*margin+tokens.Len())
	for _, kind := range tokens.Kind {
		v := 0.0
		if kind == 0 {
			v = 1
		}
		cells = append(cells, v)
	}
	cells = cells[:len(cells)+margin]
	for range DefaultTokens.Iterations {
		cells = blur(cells, gauss(DefaultTokens.Range, DefaultTokens.Sigmas))
	}
	c := TCCB.Curves(p)[0]
	if len(c.Values) != tokens.Len() {
		t.Fatalf("%d values for %d tokens", len(c.Values), tokens.Len())
	}
	for i, v := range c.Values {
		near(t, "value", v, cells[margin+i], 1e-9)
		chosen := false
		for _, s := range c.Chosen {
			chosen = chosen || s.Start <= i && i < s.End
		}
		if want := tokens.Kind[i] == 0 && cells[margin+i] > 0.75; chosen != want {
			t.Errorf("token %d with %v is chosen: %v", i, v, chosen)
		}
	}
	if len(c.Chosen) == 0 || c.Threshold != 0.75 {
		t.Errorf("%v above %v", c.Chosen, c.Threshold)
	}
}
