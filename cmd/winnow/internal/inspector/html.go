package inspector

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/cmd/winnow/internal/inspector/figure"
	"github.com/winnow/winnow/pipeline/report/sheet"
	"github.com/winnow/winnow/pipeline/service"
)

var (
	//go:embed page.html
	inspectHTML string
	//go:embed style.css
	ownCSS string
	//go:embed marks.css
	marksCSS string // also of frames
	//go:embed frame.css
	frameCSS string
	//go:embed script.js
	inspectScript string
)

// inspectStyle is the style sheet of the pages of this package.
var inspectStyle = sheet.Style + figure.Style + marksCSS + ownCSS

// Policy is what the page of a view, and the frame in it, may do: apply their style sheets,
// run the script of the page, and nothing else.
func (p *viewPage) Policy() string {
	return "default-src 'none'; script-src " + sheet.Hash(inspectScript) + "; style-src " + sheet.Hash(inspectStyle) + " " + sheet.Hash(p.Frame.Style) + "; base-uri 'none'; form-action 'none'"
}

var inspectPage = template.Must(template.New("inspect").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(inspectStyle) },
	"script": func() template.JS { return template.JS(inspectScript) },
	"clean":  service.Printable,
	"mark":   func(s float64) string { return map[byte]string{'#': "●", '+': "◐"}[mark(s)] },
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

// detail is something known about the page.
type detail struct{ Name, Value string }

// Shown says what the page of a view shows at first: the choice of an extractor, and that
// of another one, or the gold, with which it is compared. Empty names are the first
// extractor of the view and the gold.
type Shown struct{ Extractor, Against string }

// viewPage is a view for a browser.
type viewPage struct {
	*View
	Links     []Link
	First     int // the method that the text shows first
	Against   int // the method with which it is compared, -1 for gold
	GoldStrip template.HTML
	Strips    []template.HTML // one for each of Choices
	Curves    []viewCurve
	Texts     []textLine
	Frame     frame
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
	Gold        float64
	Block       bool    // a block of the method begins here
	Probability float64 // probability of the block that the line is in; -1 without one
	Pieces      []piece
}

// Shade returns the class of the probability of a line.
func (l *textLine) Shade() string {
	if l.Probability < 0 {
		return ""
	}
	return fmt.Sprintf("p%.0f", 10*l.Probability)
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
	Name   string  `json:"name"`
	Spans  []int   `json:"spans"`
	Saw    string  `json:"saw"`
	Blocks []block `json:"blocks"` // nil for a method that does not decide block by block
	Curve  bool    `json:"curve"`  // the page has a curve of the method
}

// HTML writes the view for a browser. The template escapes every text of the page.
func (v *View) HTML(w io.Writer, shown Shown, links ...Link) error {
	number := func(name string) int {
		return slices.IndexFunc(v.Choices, func(c choice) bool { return c.Name == name })
	}
	p := &viewPage{View: v, Links: links, First: max(0, number(shown.Extractor)), Against: number(shown.Against), Frame: v.frame}
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
		p.Data.Methods = append(p.Data.Methods, viewMethod{service.Printable(c.Name), v.flat(chosen), service.Printable(c.Saw), c.Blocks, len(c.curves) > 0})
		p.Strips = append(p.Strips, v.strip(chosen, should))
		for _, f := range c.curves {
			p.Curves = append(p.Curves, viewCurve{f, c.Name, i == p.First})
		}
		if i != p.First {
			continue
		}
		if p.Against >= 0 {
			should = v.inLines(&v.Choices[p.Against])
		}
		for k := range v.Lines {
			p.Texts = append(p.Texts, textLine{Gold: v.Lines[k].Gold, Probability: -1, Pieces: pieces(v.Lines[k].Text, chosen[k], should[k])})
		}
		for _, b := range c.Blocks {
			p.Texts[b.Line].Block = true
			for k := b.Line; k < b.End; k++ {
				p.Texts[k].Probability = b.Probability
			}
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
		end := l.end()
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
