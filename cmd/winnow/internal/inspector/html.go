package inspector

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/report/figure"
	"github.com/winnow/winnow/pipeline/service"
)

var (
	//go:embed page.html
	inspectHTML string
	//go:embed style.css
	ownStyle string
	//go:embed script.js
	inspectScript string
)

// inspectStyle is the style sheet of the pages of this package.
var inspectStyle = ownStyle + figure.Style

// sourceHash returns the expression by which a Content-Security-Policy allows an inline
// script or style sheet.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// inspectPolicy is what the page of a view may do: apply its style sheet, run its script,
// and nothing else.
var inspectPolicy = "default-src 'none'; script-src " + sourceHash(inspectScript) + "; style-src " + sourceHash(inspectStyle) + "; base-uri 'none'; form-action 'none'"

var inspectPage = template.Must(template.New("inspect").Funcs(template.FuncMap{
	"policy": func() string { return inspectPolicy },
	"style":  func() template.CSS { return template.CSS(inspectStyle) },
	"script": func() template.JS { return template.JS(inspectScript) },
	"clean":  service.Printable,
	"mark":   func(s float64) string { return strings.Replace(string(mark(s)), ".", " ", 1) },
	"percent": func(s float64) string {
		return fmt.Sprintf("%.0f %%", 100*s)
	},
	"figure": func(f *float64) string {
		if f == nil {
			return ""
		}
		return fmt.Sprintf("%.3f", *f)
	},
}).Parse(inspectHTML))

// Link leads from the page of a view to another page.
type Link struct{ Target, Text string }

// detail is something known of the page.
type detail struct{ Name, Value string }

// viewPage is a view for a browser.
type viewPage struct {
	*View
	Links     []Link
	First     int // the method that the text shows first
	GoldStrip template.HTML
	Strips    []template.HTML // of Choices
	Curves    []viewCurve
	Texts     []textLine
	Data      viewData
}

// viewCurve is what a method measured along the page.
type viewCurve struct {
	*figure.Figure
	Method string
	Shown  bool // at first
}

// textLine is a line as it shows the first method.
type textLine struct {
	Gold   float64
	Pieces []piece
}

// piece is a part of a line, all of which is chosen or not, and gold or not.
type piece struct{ Class, Text string }

// viewData is what the script of the page needs to show any method. Spans are triples:
// the number of a line, and where the span begins and ends in it, in units of UTF-16.
type viewData struct {
	Lines   []string     `json:"lines"`
	Gold    []int        `json:"gold"` // nil without gold
	Methods []viewMethod `json:"methods"`
}

type viewMethod struct {
	Name  string `json:"name"`
	Spans []int  `json:"spans"`
}

// HTML writes the view for a browser. The template escapes every text of the page. first
// is the name of the method that is shown first.
func (v *View) HTML(w io.Writer, first string, links ...Link) error {
	p := &viewPage{View: v, Links: links, First: max(0, slices.IndexFunc(v.Choices, func(c choice) bool { return c.Name == first }))}
	for i := range v.Lines {
		p.Data.Lines = append(p.Data.Lines, service.Printable(v.Lines[i].Text))
	}
	var gold [][]page.Span // by line, as bytes of the line
	if v.Gold != nil {
		gold = v.inLines(v.Gold)
		p.Data.Gold = v.flat(gold)
		p.GoldStrip = v.strip(gold, gold)
	}
	for i := range v.Choices {
		c := &v.Choices[i]
		chosen := v.inLines(c)
		should := gold
		if gold == nil {
			should = chosen
		}
		p.Data.Methods = append(p.Data.Methods, viewMethod{service.Printable(c.Name), v.flat(chosen)})
		p.Strips = append(p.Strips, v.strip(chosen, should))
		for _, f := range c.curves {
			p.Curves = append(p.Curves, viewCurve{f, c.Name, i == p.First})
		}
		if i != p.First {
			continue
		}
		for k := range v.Lines {
			p.Texts = append(p.Texts, textLine{v.Lines[k].Gold, pieces(v.Lines[k].Text, chosen[k], should[k])})
		}
	}
	return inspectPage.Execute(w, p)
}

// inLines returns the spans of a choice by line, relative to the beginning of the line.
func (v *View) inLines(c *choice) [][]page.Span {
	out := make([][]page.Span, len(v.Lines))
	at := 0
	for i := range v.Lines {
		l := &v.Lines[i]
		end := l.start + int32(len(l.Text))
		for ; at < len(c.selection.Spans) && c.selection.Spans[at].End <= l.start; at++ {
		}
		for k := at; k < len(c.selection.Spans) && c.selection.Spans[k].Start < end; k++ {
			s := c.selection.Spans[k]
			out[i] = append(out[i], page.Span{Start: max(s.Start, l.start) - l.start, End: min(s.End, end) - l.start})
		}
	}
	return out
}

// flat returns the spans as the script reads them. service.Printable replaces characters one by
// one, but may change their number of bytes, so offsets are counted in the text shown.
func (v *View) flat(spans [][]page.Span) []int {
	out := []int{}
	for i, of := range spans {
		text := v.Lines[i].Text
		for _, s := range of {
			out = append(out, i, units(text[:s.Start]), units(text[:s.End]))
		}
	}
	return out
}

// units returns the length of a text, as it is shown, in units of UTF-16.
func units(s string) int { return len(utf16.Encode([]rune(service.Printable(s)))) }

// classOf returns the class of text that is chosen, or should be.
func classOf(is, should bool) string {
	switch {
	case is && should:
		return "both"
	case is:
		return "surplus"
	case should:
		return "missed"
	}
	return ""
}

// pieces cuts a line where a span begins or ends.
func pieces(text string, chosen, gold []page.Span) (out []piece) {
	cuts := []int32{0, int32(len(text))}
	for _, spans := range [][]page.Span{chosen, gold} {
		for _, s := range spans {
			cuts = append(cuts, s.Start, s.End)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := 0; i+1 < len(cuts); i++ {
		out = append(out, piece{classOf(covers(chosen, cuts[i]), covers(gold, cuts[i])), service.Printable(text[cuts[i]:cuts[i+1]])})
	}
	return out
}

func covers(spans []page.Span, at int32) bool {
	return slices.ContainsFunc(spans, func(s page.Span) bool { return s.Start <= at && at < s.End })
}

// stripWidth is the number of units of a strip. A unit has the class of most of its text.
const stripWidth = 600

// strip draws which parts of the text are chosen, and should be.
func (v *View) strip(chosen, gold [][]page.Span) template.HTML {
	total := 0
	for i := range v.Lines {
		total += len(v.Lines[i].Text)
	}
	if total == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">`, stripWidth)
	at, class, began := 0, "", 0
	flush := func(to int) {
		from, end := began*stripWidth/total, to*stripWidth/total
		if class != "" && to > began {
			fmt.Fprintf(&b, `<rect class="%s" x="%d" width="%d" height="10"/>`, class, from, max(end-from, 1))
		}
		began = to
	}
	for i := range v.Lines {
		for _, p := range pieces(v.Lines[i].Text, chosen[i], gold[i]) {
			if strings.TrimSpace(p.Text) != "" && p.Class != class {
				flush(at)
				class = p.Class
			}
			at += len(p.Text)
		}
	}
	flush(min(cmp.Or(at, total), total))
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
