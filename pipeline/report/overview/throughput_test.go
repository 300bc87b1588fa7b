package overview

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/schemas"
)

// Two workers process items at the same time, a third item follows after a pause.
func TestThroughput(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	item := func(pages, bytes int64, from, to time.Duration) schemas.Commit {
		return schemas.Commit{Pages: pages, Next: bytes, Ended: begin.Add(to), Elapsed: to - from}
	}
	m := &schemas.Manifest{Parts: []schemas.Part{
		{Items: []schemas.Commit{item(300, 3e6, 0, 20*time.Second), item(100, 1e6, 10*time.Second, 20*time.Second), {Dead: true}}},
		{Items: []schemas.Commit{item(200, 2e6, 40*time.Second, 60*time.Second)}},
	}}
	p := throughput(m)
	if p == nil {
		t.Fatal("no figure")
	}
	f := p.Figures[0].Figure
	if len(f.Rows) != 60 || !strings.Contains(f.Columns[0], "seconds") {
		t.Fatalf("%d rows, columns %q", len(f.Rows), f.Columns)
	}
	pages, megabytes := 0.0, 0.0
	for i, row := range f.Rows { // a step is a second
		rate, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		mb, _ := strconv.ParseFloat(row[2], 64)
		pages, megabytes = pages+rate, megabytes+mb
		want := []float64{15, 25, 0, 0, 10, 10}[i/10]
		if math.Abs(rate-want) > 1e-4 {
			t.Errorf("second %d: %v pages/s, want %v", i, rate, want)
		}
	}
	if math.Abs(pages-600) > 1e-3 || math.Abs(megabytes-6) > 1e-3 {
		t.Errorf("%v pages and %v MB, want 600 and 6", pages, megabytes)
	}
}

// The times are those that workers report, so no time may be an endless loop or a value
// that cannot be drawn.
func TestThroughputOfOddTimes(t *testing.T) {
	far := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, items := range map[string][]schemas.Commit{
		"none": nil, "one": {{Pages: 1, Ended: far}}, "no times": {{Pages: 1}, {Pages: 2}}, "the same moment": {{Pages: 1, Ended: far}, {Pages: 2, Ended: far}},
	} {
		if p := throughput(&schemas.Manifest{Parts: []schemas.Part{{Items: items}}}); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
	p := throughput(&schemas.Manifest{Parts: []schemas.Part{{Items: []schemas.Commit{{Pages: 1, Ended: far}, {Pages: 2, Ended: far.AddDate(-9000, 0, 0), Elapsed: math.MaxInt64}}}}})
	if p == nil || strings.Contains(string(p.Figures[0].Figure.Drawing), "NaN") {
		t.Errorf("%v", p)
	}
}
