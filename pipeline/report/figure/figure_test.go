package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const hostile = "<script>alert(1)</script>\u202e\x1b\"'&"

// check checks what holds for every figure: it is well-formed, shows no name as markup,
// has no style, script or reference, and every number in it is one.
func check(t *testing.T, f *Figure) {
	t.Helper()
	if f.Empty() {
		t.Fatal("the figure is empty")
	}
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
	for _, row := range f.Rows {
		if len(row) != len(f.Columns) {
			t.Errorf("row %q of columns %q", row, f.Columns)
		}
	}
	if strings.ContainsAny(string(f.Drawing+f.Narrow), "\u202e\x1b") {
		t.Error("control characters")
	}
}

func TestScatter(t *testing.T) {
	s := Scatter{Title: hostile, Name: "extractor", Front: true, X: Axis{Label: "MB/s", Log: true}, Y: Axis{Label: "F1"}, Points: []Point{
		{Name: "slow and good", X: 1, Y: 0.9}, {Name: "fast", X: 1000, Y: 0.5}, {Name: "between", X: 100, Y: 0.7}, {Name: "surpassed", X: 90, Y: 0.6}, {Name: hostile, X: 1, Y: 0.1},
		{Name: "no speed", X: 0, Y: 0.9}, {Name: "no score", X: 5, Y: math.NaN()}, {Name: "infinite", X: math.Inf(1), Y: 0.3},
		{Name: "reads the gold", X: 2000, Y: 1, Bound: true},
	}}
	f := s.Draw()
	check(t, f)
	var front []string
	for _, row := range f.Rows {
		if row[3] == "yes" {
			front = append(front, row[0])
		}
	}
	if want := []string{"slow and good", "between", "fast"}; !reflect.DeepEqual(front, want) {
		t.Errorf("front %q, want %q", front, want)
	}
	if len(f.Rows) != 6 || f.Rows[5][3] != "bound" || !strings.Contains(string(f.Drawing), ">between</text>") {
		t.Errorf("%q", f.Rows)
	}
	if again := s.Draw(); again.Drawing != f.Drawing {
		t.Error("drawn again the figure differs")
	}
	s.Lower = true // surpassed has less, and is faster than the slow ones
	for _, row := range s.Draw().Rows {
		if (row[3] == "yes") != (row[0] == "fast" || row[0] == clean(hostile)) {
			t.Errorf("lower is better: %q", row)
		}
	}
	check(t, Scatter{F1: true, Name: "n", X: Axis{Label: "recall"}, Y: Axis{Label: "precision"}, Points: []Point{{Name: "a", X: 0.5, Y: 0.5}, {Name: "b", X: 1, Y: 1}}}.Draw())
	check(t, Scatter{Name: "n", Points: []Point{{Name: "one", X: 0.5, Y: 0.5}}}.Draw())
}

// Names never cover each other or a point.
func TestNamesHaveRoom(t *testing.T) {
	p := placing{frame: frame{0, 0, 700, 400}}
	for i := range 49 {
		p.dots = append(p.dots, point{float64(100 + i%7*40), float64(100 + i/7*9)})
	}
	c := &canvas{}
	for i, d := range p.dots {
		p.place(c, d, fmt.Sprint("extractor-", i))
	}
	if len(p.taken) < 20 {
		t.Errorf("%d names placed", len(p.taken))
	}
	for i, a := range p.taken {
		for _, b := range p.taken[:i] {
			if a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3] {
				t.Errorf("%v and %v", a, b)
			}
		}
		for _, d := range p.dots {
			if a[0] < d.x && d.x < a[2] && a[1] < d.y && d.y < a[3] {
				t.Errorf("%v covers %v", a, d)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		want   string
	}{
		{Axis{}, []float64{0, 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{To: 1}, []float64{0.5}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{}, []float64{-3, 7}, "-2 0 2 4 6"},
		{Axis{}, []float64{0.712, 0.718}, "0.712 0.713 0.714 0.715 0.716 0.717 0.718"},
		{Axis{}, []float64{5, 5}, "4.96 4.98 5.00 5.02 5.04"},
		{Axis{Log: true}, []float64{0.5, 20000}, "1 10 100 1000 10k"},
		{Axis{Log: true}, []float64{3, 30}, "5 10 20"},
		{Axis{Log: true}, []float64{1e6, 1e7}, "1M 2M 5M 10M"},
		{Axis{}, []float64{math.NaN()}, "0.0 0.2 0.4 0.6 0.8 1.0"},
	} {
		if got := strings.Join(c.axis.scaleOf(c.values, 0, 100).tickLabels, " "); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.axis, c.values, got, c.want)
		}
	}
	if s := (Axis{}).scaleOf([]float64{0, 1}, 0, 110); math.Abs(s.at(0)-5) > 1e-9 || math.Abs(s.at(1)-105) > 1e-9 {
		t.Errorf("0 is at %v, 1 at %v", s.at(0), s.at(1))
	}
}

func TestRows(t *testing.T) {
	nan := math.NaN()
	f := Spreads{Name: "extractor", X: Axis{Label: "F1", To: 1}, Of: []Spread{{hostile, 0.1, 0.5, 0.9, 0.55, 0.5, 0.6}, {"unknown", nan, nan, nan, nan, nan, nan}, {"mean only", nan, nan, nan, 0.3, nan, nan}}}.Draw()
	check(t, f)
	if want := [][]string{{clean(hostile), "0.55", "0.5", "0.6", "0.1", "0.5", "0.9"}, {"mean only", "0.3", "", "", "", "", ""}}; !reflect.DeepEqual(f.Rows, want) {
		t.Errorf("%q", f.Rows)
	}
	f = Stacks{Name: "extractor", X: Axis{Label: "pages"}, Kinds: []string{"timeout", hostile}, Of: []Stack{{"a", map[string]float64{"timeout": 3, hostile: 1}}, {"b", nil}}}.Draw()
	check(t, f)
	if want := [][]string{{"a", "3", "1"}, {"b", "0", "0"}}; !reflect.DeepEqual(f.Rows, want) {
		t.Errorf("%q", f.Rows)
	}
	f = Panels{Name: "extractor", X: Axis{Label: "F1", To: 1}, Columns: []string{"p", hostile}, Names: []string{"a", "b"}, Of: [][]Cell{{{0.5, 0.1}, {0.9, 0.3}}, {{nan, nan}, {0.1, nan}}}}.Draw()
	check(t, f)
	if len(f.Rows) != 3 {
		t.Errorf("%q", f.Rows)
	}
}

// Groups that lie apart share a line; those that overlap do not. One name is no group.
func TestDifferences(t *testing.T) {
	f := Differences{Name: "extractor", X: Axis{Label: "mean"}, Of: []Ranked{{"a", 0.9, "a"}, {"b", 0.8, "ab"}, {"c", 0.7, "b"}, {"d", 0.5, "c"}, {"e", 0.4, "c"}, {"f", 0.1, "d"}, {"g", math.NaN(), "d"}}}.Draw()
	check(t, f)
	s := string(f.Drawing)
	if n := strings.Count(s, `class="same"`); n != 3 {
		t.Errorf("%d bars, want those of a, b and c", n)
	}
	lines := map[string]int{}
	for part := range strings.SplitSeq(s, `class="same" d="M`) {
		if end, _, found := strings.Cut(part, "L"); found && !strings.HasPrefix(part, "<") {
			lines[strings.Fields(end)[1]]++
		}
	}
	if len(lines) != 2 {
		t.Errorf("bars are on lines %v, want two lines", lines)
	}
}

// a and b are most alike, then c joins them; d is like nobody, and nothing is known of x.
func TestTree(t *testing.T) {
	n := math.NaN()
	tree := Tree{Name: "extractor", X: Axis{Label: "agreement"}, Names: []string{"a", "d", "b", "x", "c"}, Alike: [][]float64{
		{n, 0.1, 0.9, n, 0.6}, {0.1, n, 0.1, n, 0.2}, {0.9, 0.1, n, n, 0.4}, {n, n, n, n, n}, {0.6, 0.2, 0.4, n, n},
	}}
	var order []string
	for _, i := range tree.Order() {
		order = append(order, tree.Names[i])
	}
	if got := strings.Join(order, ""); got != "abcdx" {
		t.Errorf("order %s", got)
	}
	f := tree.Known().Draw()
	check(t, f)
	if want := [][]string{{"a", "b", "0.9"}, {"a, b", "c", "0.5"}, {"a, b, c", "d", "0.133333"}}; !reflect.DeepEqual(f.Rows, want) {
		t.Errorf("%q", f.Rows)
	}
	if (Tree{Names: []string{"a"}, Alike: [][]float64{{n}}}).Draw() != nil {
		t.Error("one name has a tree")
	}
}

// The labels below two neighbouring panels do not touch.
func TestPanelsStandApart(t *testing.T) {
	cells := []Cell{{0.5, 0.1}}
	f := Panels{Name: "extractor", X: Axis{Label: "F1", To: 1}, Columns: []string{"a", "b", "c"}, Names: []string{"bte"}, Of: [][]Cell{cells, cells, cells}}.Draw()
	labels := regexp.MustCompile(`<text class="t-m" x="([\d.]+)" y="[\d.]+">(\d\.\d)</text>`).FindAllStringSubmatch(string(f.Drawing), -1)
	if len(labels) < 9 {
		t.Fatalf("labels: %q in\n%s", labels, f.Drawing)
	}
	end := math.Inf(-1)
	for _, l := range labels {
		x, err := strconv.ParseFloat(l[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		half := textWidth(l[2]) / 2
		if x-half < end+4 {
			t.Errorf("the label %s at %s begins %.1f before the end of the label before", l[2], l[1], end-(x-half))
		}
		end = x + half
	}
}

// A phone shows the narrow drawing without scaling it: every element is inside of it, and
// no text is longer than its room.
func TestNarrowDrawingsFit(t *testing.T) {
	long := "boilerpipe-article-1-2"
	names := []string{long, "content-extractor-h5", "bte", strings.Repeat("very-long-name-", 9)}
	spreads, ranked, stacks, points := Spreads{X: Axis{Label: "characters of text per page with an answer", Log: true}}, Differences{X: Axis{Label: "mean of cleaneval-evert-tags (0 to 1)"}}, Stacks{X: Axis{Label: "answers (pages × extractors)"}, Kinds: []string{"ok", "failed", "empty", "skipped", long}}, Scatter{F1: true, X: Axis{Label: "MB of HTML per second, the extractor alone"}}
	panels, tree := Panels{Columns: []string{"p", "q", long}, X: Axis{Label: "cleaneval-evert-tags (0 to 1)", To: 1}, Names: names}, Tree{X: Axis{Label: "mean agreement (F1 of words, 0 to 1)"}, Names: names}
	for i, n := range names {
		v := 0.2 + float64(i)/5
		spreads.Of = append(spreads.Of, Spread{n, v / 2, v, 1000 * v, v, v, v})
		ranked.Of = append(ranked.Of, Ranked{n, v, string("abcdefghijklmnopqrstuvwxyz"[i:20])})
		stacks.Of = append(stacks.Of, Stack{n, map[string]float64{"ok": 1e6 * v, "failed": 123456}})
		points.Points = append(points.Points, Point{Name: n, X: v, Y: 0.5})
		tree.Alike = append(tree.Alike, []float64{v, v, v, v})
	}
	for range panels.Columns {
		panels.Of = append(panels.Of, []Cell{{0.5, 0.1}, {0.9, 0.3}, {0, 0}, {1, 0.2}})
	}
	texts := regexp.MustCompile(`<text(?: class="([^"]*)")? x="([\d.-]+)" y="([\d.-]+)">([^<]*)</text>`)
	for name, f := range map[string]*Figure{
		"spreads": spreads.Draw(), "differences": ranked.Draw(), "stacks": stacks.Draw(), "scatter": points.Draw(), "panels": panels.Draw(), "tree": tree.Draw(),
		"rates": Rates{X: Axis{Label: "seconds since the first item began"}, Y: Axis{Label: "pages per second"}, Step: 1, Of: []Rate{{1, 1}, {123456, 2}}}.Draw("MB"),
		"curve": Curve{X: Axis{Label: "token"}, Y: Axis{Label: "density"}, Values: []float64{1, 2, 3}, Threshold: 2}.Draw(),
	} {
		check(t, f)
		if !strings.HasPrefix(string(f.Narrow), `<svg class="fig narrow"`) || !strings.Contains(string(f.Narrow), ` width="360"`) || strings.Contains(string(f.Narrow), "<title>") {
			t.Errorf("%s: %.200s", name, f.Narrow)
		}
		if n, m := len(texts.FindAllString(string(f.Narrow), -1)), len(f.Rows); n < 4 || m < 2 {
			t.Errorf("%s: %d texts, %d rows", name, n, m)
		}
		for _, m := range texts.FindAllStringSubmatch(string(f.Narrow), -1) {
			x, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			w := textWidth(m[4])
			switch {
			case strings.Contains(m[1], "t-e"):
				x -= w
			case strings.Contains(m[1], "t-m"):
				x -= w / 2
			}
			if x < -0.1 || x+w > narrowWidth+0.1 {
				t.Errorf("%s: the text %q is at %.1f to %.1f", name, m[4], x, x+w)
			}
		}
	}
}
