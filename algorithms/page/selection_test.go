package page

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestAppendText(t *testing.T) {
	var p Page
	p.Parse([]byte("<h1>Title</h1><p>one <b>two</b><i>three</i> four <a href=x>five</a> six</p><p>seven<b hidden>secret</b>eight</p>"), Options{})
	b := p.Body()
	if got, want := string(b.Text), "Title\none twothree four five six\nsevensecreteight"; got != want {
		t.Fatalf("text %q, want %q", got, want)
	}
	f := func(want string, words ...int) {
		t.Helper()
		var s Selection
		for _, w := range words {
			s.AddWords(b, w, w+1)
		}
		if err := s.Validate(b); err != nil {
			t.Fatal(err)
		}
		if got := string(s.AppendText(nil, b)); got != want {
			t.Errorf("words %v: %q, want %q", words, got, want)
		}
	}
	// 0 Title 1 one 2 two 3 three 4 four 5 five 6 six 7 seven 8 eight
	f("")
	f("Title", 0)
	f("Title\none two", 0, 1, 2)
	f("twothree", 2, 3)
	f("one three", 1, 3)
	f("four six", 4, 6)
	f("Title\neight", 0, 8)
	f("seveneight", 7, 8)

	var s Selection
	s.AddWords(b, 0, 9)
	if got, want := string(s.AppendText(nil, b)), "Title\none twothree four five six\nseveneight"; got != want || len(s.Spans) != 2 {
		t.Errorf("all words: %q in %d spans, want %q", got, len(s.Spans), want)
	}
}

func TestAppendTextTidiesEdges(t *testing.T) {
	var p Page
	p.Parse([]byte("<p>one two</p><p>three four</p>"), Options{})
	b := p.Body()
	var all, words, rest Selection
	all.AddRow(b, 0)
	words.AddWords(b, 1, 2)
	words.AddWords(b, 3, 4)
	rest.Subtract(&all, &words)
	if got, want := string(rest.AppendText(nil, b)), "one\nthree"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	rest.Intersect(&all, &words)
	if got, want := string(rest.AppendText([]byte("> "), b)), "> two\nfour"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestValidateRefuses(t *testing.T) {
	var p Page
	p.Parse([]byte("<p>žluť <b hidden>no</b> kůň</p>"), Options{})
	b := p.Body()
	f := func(name, want string, s Selection) {
		t.Helper()
		if err := s.Validate(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f("empty span", "empty or outside", Selection{Spans: []Span{{2, 2}}})
	f("beyond the text", "empty or outside", Selection{Spans: []Span{{0, 99}}})
	f("touching", "touches or precedes", Selection{Spans: []Span{{0, 2}, {2, 3}}})
	f("order", "touches or precedes", Selection{Spans: []Span{{3, 4}, {0, 2}}})
	f("inside a character", "cuts a character", Selection{Spans: []Span{{1, 3}}})
	f("rows without their text", "not the text of the rows", Selection{Rows: []Rows{{0, 2}}, Spans: []Span{{0, 2}}})
	f("rows outside", "outside the", Selection{Rows: []Rows{{0, 50}}})
	if err := (&Selection{}).Validate(b); err != nil {
		t.Error(err)
	}
}

// TestSetOperations compares the set operations with the same operations on sets of
// positions.
func TestSetOperations(t *testing.T) {
	const size = 40
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() (s Selection, set [size]bool) {
		for i := range set {
			set[i] = rng.IntN(3) > 0 && (i == 0 || set[i-1] || rng.IntN(2) > 0)
		}
		s.Spans = spansOf(set[:])
		for _, sp := range s.Spans {
			s.Rows = append(s.Rows, Rows{Row(sp.Start), Row(sp.End)})
		}
		return s, set
	}
	for range 2000 {
		a, x := random()
		c, y := random()
		for name, op := range map[string]struct {
			do   func(s *Selection)
			keep func(x, y bool) bool
		}{
			"union":        {func(s *Selection) { s.Union(&a, &c) }, func(x, y bool) bool { return x || y }},
			"intersection": {func(s *Selection) { s.Intersect(&a, &c) }, func(x, y bool) bool { return x && y }},
			"difference":   {func(s *Selection) { s.Subtract(&a, &c) }, func(x, y bool) bool { return x && !y }},
		} {
			var want [size]bool
			n := 0
			for i := range want {
				want[i] = op.keep(x[i], y[i])
				if want[i] {
					n++
				}
			}
			var got Selection
			op.do(&got)
			if !slices.Equal(got.Spans, spansOf(want[:])) || got.Len() != n {
				t.Fatalf("%s of %v and %v: %v", name, a.Spans, c.Spans, got.Spans)
			}
			for i, r := range got.Rows {
				if r.Start != Row(got.Spans[i].Start) || r.End != Row(got.Spans[i].End) {
					t.Fatalf("%s: rows %v, spans %v", name, got.Rows, got.Spans)
				}
			}
		}
	}
}

// spansOf returns the runs of true as spans.
func spansOf(set []bool) (spans []Span) {
	for i, on := range set {
		if !on {
			continue
		}
		if n := len(spans); n > 0 && spans[n-1].End == int32(i) {
			spans[n-1].End++
		} else {
			spans = append(spans, Span{int32(i), int32(i) + 1})
		}
	}
	return spans
}

func TestAddOutOfOrderPanics(t *testing.T) {
	var p Page
	p.Parse([]byte("<p>a</p><p>b</p>"), Options{})
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	var s Selection
	s.AddRow(p.Body(), 3)
	s.AddRow(p.Body(), 1)
}
