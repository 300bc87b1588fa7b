package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

const hostile = "<script>alert(1)</script>\u202e\x1b\"'&"

// check checks what holds for every figure: it is well-formed, shows no name as markup,
// has no style, script or reference, and every number in it is one.
func check(t *testing.T, f *Figure) {
	t.Helper()
	// The narrow drawing is held to the same.
	d := xml.NewDecoder(strings.NewReader(string(f.Drawing + f.Narrow)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v: %s", err, f.Drawing)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "svg", "path", "rect", "circle", "text", "title":
		default:
			t.Errorf("element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch a.Name.Local {
			case "class", "d", "x", "y", "cx", "cy", "r", "width", "height", "viewBox", "role", "aria-label", "transform":
			default:
				t.Errorf("attribute %s", a.Name.Local)
			}
			if a.Name.Local != "aria-label" && (strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf")) {
				t.Errorf("%s=%q", a.Name.Local, a.Value)
			}
		}
	}
	if strings.ContainsAny(string(f.Drawing+f.Narrow), "\u202e\x1b") {
		t.Error("control characters")
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0, 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{[]float64{-3, 7}, "-2 0 2 4 6"},
		{[]float64{0.712, 0.718}, "0.712 0.713 0.714 0.715 0.716 0.717 0.718"},
		{[]float64{5, 5}, "4.96 4.98 5.00 5.02 5.04"},
		{[]float64{math.NaN()}, "0.0 0.2 0.4 0.6 0.8 1.0"},
	} {
		var labels []string
		for _, tick := range scaleOf(c.values, 0, 100).ticks {
			labels = append(labels, tick.label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
	if s := scaleOf([]float64{0, 1}, 0, 110); math.Abs(s.at(0)-5) > 1e-9 || math.Abs(s.at(1)-105) > 1e-9 {
		t.Errorf("0 is at %v, 1 at %v", s.at(0), s.at(1))
	}
}
