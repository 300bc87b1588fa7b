package page

import (
	"slices"
	"testing"
)

func TestAddSourceSortsWhatTheParserMoved(t *testing.T) {
	// The word "moved" is inside the table in the source, and before it in the tree.
	var p Page
	p.Parse([]byte("<body><table>moved<tr><td>cell one</table>after"), Options{})
	b, k := p.Body(), p.Tokens()
	if got, want := string(b.Text), "moved\ncell one\nafter"; got != want {
		t.Fatalf("text %q, want %q", got, want)
	}
	var s Selection
	s.AddTokens(b, k, 0, k.Len())
	s.SortSource(b)
	if want := []Span{{0, int32(len(b.Text))}}; !slices.Equal(s.Spans, want) {
		t.Errorf("spans %v, want %v", s.Spans, want)
	}

	s.Reset()
	s.AddSource(b, Span{6, 10}) // cell
	s.AddSource(b, Span{15, 20})
	s.AddSource(b, Span{0, 5})
	s.AddSource(b, Span{8, 14}) // overlaps
	s.AddSource(b, Span{3, 3})  // nothing
	s.SortSource(b)
	if want := []Span{{0, 20}}; !slices.Equal(s.Spans, want) {
		t.Errorf("spans %v, want %v", s.Spans, want)
	}
	if err := s.Validate(b); err != nil {
		t.Error(err)
	}
}

func TestAddTextsPassesOverHidden(t *testing.T) {
	var p Page
	p.Parse([]byte("<body><p>one</p><p hidden>two</p><p>three <i>four</i></p>"), Options{})
	b := p.Body()
	var s Selection
	s.AddTexts(b, Rows{0, Row(b.Len())})
	if err := s.Validate(b); err != nil {
		t.Error(err)
	}
	if got := string(s.AppendText(nil, b)); got != "one\nthree four" {
		t.Errorf("text %q", got)
	}
	if s.Rows != nil {
		t.Errorf("rows %v", s.Rows)
	}
}
