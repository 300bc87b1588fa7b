package inspector

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/inspector/figure"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// View shows a page and which parts of it were chosen.
type View struct {
	Package string   `json:"package,omitempty"`
	ID      string   `json:"id"`
	URL     string   `json:"url,omitempty"`
	Gold    *choice  `json:"gold,omitempty"`
	Choices []choice `json:"extractors"`
	Lines   []line   `json:"lines"`

	Facts    []detail `json:"-"`
	GoldText string   `json:"-"`

	frame frame
}

// choice holds what one extractor, or the expert who made the gold, chose.
type choice struct {
	Name      string   `json:"name"`
	Outcome   string   `json:"outcome,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	Aligned   bool     `json:"aligned,omitempty"` // its location on the page was found by alignment
	Words     int      `json:"words"`
	Precision *float64 `json:"precision,omitempty"` // by the scorer vec; nil without gold
	Recall    *float64 `json:"recall,omitempty"`
	F1        *float64 `json:"f1,omitempty"`
	Saw       string   `json:"saw,omitempty"`    // what an extractor that chose nothing had before it
	Blocks    []block  `json:"blocks,omitempty"` // blocks of an extractor that decides block by block

	selection page.Selection
	curves    []*figure.Figure
}

// line is a line of the page's visible text.
type line struct {
	Text   string    `json:"text"`
	Gold   float64   `json:"gold"`   // the share of the line's bytes that is gold
	Shares []float64 `json:"shares"` // the share of the line's bytes in each of View.Choices

	start int32 // where the line begins in the page's text
}

func (l *line) end() int32 { return l.start + int32(len(l.Text)) }

// details lists what is known about the page besides its text.
func details(p *pages.Page) (out []detail) {
	add := func(name, value string) {
		if value != "" {
			out = append(out, detail{name, value})
		}
	}
	if p.Gold != nil {
		add("title", p.Gold.Title)
		add("page type", p.Gold.PageType)
		add("language", p.Gold.Language)
	}
	add("encoding", p.Charset)
	if p.Status != 0 {
		add("status", strconv.Itoa(p.Status))
	}
	if !p.Date.IsZero() {
		add("date", p.Date.UTC().Format("2006-01-02 15:04:05"))
	}
	add("size", service.Bytes(int64(len(p.HTML))))
	if !p.Whole {
		add("file", fmt.Sprintf("%s, offset %d, record %d", schemas.FileNames(p.File)[0], p.Location.Offset, p.Location.Ordinal))
	}
	return out
}

// NewView copies the results r of page p, because the driver reuses r for its next
// page. The error is that of an extractor that cannot give its reasons.
func NewView(p *pages.Page, r *driver.Result, aligner *align.Aligner) (*View, error) {
	v := &View{Package: p.Package, ID: p.ID, URL: p.Address(), Facts: details(p)}
	body := r.Page.Body()
	if in := Input(p); in.Gold != nil && !in.Gold.SnippetsOnly {
		v.Gold = &choice{Name: "gold", Aligned: true, Words: len(strings.Fields(in.Gold.Text))}
		v.GoldText = printableText(in.Gold.Text)
		aligner.Text(&v.Gold.selection, body, in.Gold.Text)
	}
	for i := range r.Extractions {
		x := &r.Extractions[i]
		c := choice{
			Name: x.Extractor.Name, Outcome: string(x.Outcome), Reason: string(x.Reason),
			Aligned: x.Aligned, Words: len(bytes.Fields(x.Text)),
		}
		c.selection.Spans = slices.Clone(x.Selection.Spans)
		if s := x.Scores[0].Score; s.Reason == algorithms.NoReason {
			c.Precision, c.Recall, c.F1 = &s.Precision, &s.Recall, &s.F1
		}
		v.Choices = append(v.Choices, c)
	}
	v.cut(body)
	v.frame = v.newFrame(r)
	return v, v.explain(r)
}

// cut fills the lines of the view: those that a browser shows, and those that it hides and
// an extractor chose.
func (v *View) cut(body *page.Body) {
	var all, more page.Selection
	all.AddRows(body, page.Rows{End: page.Row(body.Len())})
	for i := range v.Choices {
		more.Union(&all, &v.Choices[i].selection)
		all, more = more, all
	}
	shown := cursor{spans: all.Spans}
	gold := cursor{}
	if v.Gold != nil {
		gold.spans = v.Gold.selection.Spans
	}
	cursors := make([]cursor, len(v.Choices))
	for i := range v.Choices {
		cursors[i].spans = v.Choices[i].selection.Spans
	}
	at := int32(0)
	for text := range bytes.Lines(body.All.Text) {
		s := page.Span{Start: at, End: at + int32(len(text))}
		at = s.End
		s.End = s.Start + int32(len(bytes.TrimRight(text, "\n")))
		length := shown.in(s)
		if length == 0 {
			continue
		}
		share := func(c *cursor) float64 { return min(1, float64(c.in(s))/float64(length)) }
		l := line{Text: string(body.All.Text[s.Start:s.End]), Gold: share(&gold), start: s.Start}
		for i := range cursors {
			l.Shares = append(l.Shares, share(&cursors[i]))
		}
		v.Lines = append(v.Lines, l)
	}
}

// cursor walks over spans in ascending order and cannot go back.
type cursor struct {
	spans []page.Span
	at    int
}

// in returns how many bytes of s are in the spans.
func (c *cursor) in(s page.Span) int {
	n := int32(0)
	for ; c.at < len(c.spans); c.at++ {
		t := c.spans[c.at]
		n += max(0, min(s.End, t.End)-max(s.Start, t.Start))
		if t.End > s.End {
			break // the span may reach into the next line
		}
	}
	return int(n)
}

// mark returns the character that shows a share.
func mark(share float64) byte {
	switch {
	case share == 0:
		return '.'
	case share < 0.95: // blanks at the ends of spans do not count as a difference
		return '+'
	}
	return '#'
}

// Write writes the view in a format: text, html or json. shown is for html.
func (v *View) Write(w io.Writer, format string, shown Shown) error {
	switch format {
	case "json":
		return request.WriteJSON(w, v)
	case "html":
		return v.HTML(w, shown)
	}
	return v.text(w)
}

// text writes the view for a terminal.
func (v *View) text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", v.ID)
	if v.Package != "" {
		fmt.Fprintf(&b, " of %s", v.Package)
	}
	if v.URL != "" {
		fmt.Fprintf(&b, ", %s", v.URL)
	}
	b.WriteString("\n\n")
	width := len("gold")
	for _, c := range v.Choices {
		width = max(width, len(c.Name))
	}
	fmt.Fprintf(&b, "   %-*s  words  precision  recall     F1\n", width, "")
	if v.Gold != nil {
		fmt.Fprintf(&b, "g  %-*s  %5d\n", width, "gold", v.Gold.Words)
	}
	for i, c := range v.Choices {
		fmt.Fprintf(&b, "%s  %-*s  %5d", column(i), width, c.Name, c.Words)
		switch {
		case c.F1 != nil:
			fmt.Fprintf(&b, "      %.3f   %.3f  %.3f", *c.Precision, *c.Recall, *c.F1)
		case c.Reason != "":
			fmt.Fprintf(&b, "  %s: %s", c.Outcome, c.Reason)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, c := range v.Choices {
		if c.Saw != "" {
			fmt.Fprintf(&b, "%s chose nothing: %s\n\n", c.Name, service.Printable(c.Saw))
		}
	}
	if v.Gold != nil {
		b.WriteString("g")
	}
	for i := range v.Choices {
		b.WriteString(column(i))
	}
	b.WriteString("\n")
	for _, l := range v.Lines {
		if v.Gold != nil {
			b.WriteByte(mark(l.Gold))
		}
		for _, s := range l.Shares {
			b.WriteByte(mark(s))
		}
		fmt.Fprintf(&b, "  %s\n", service.Printable(l.Text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// column returns the one character that names the column of choice i.
func column(i int) string {
	const names = "123456789abcdefhijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" // g names the column of the gold
	return names[i%len(names) : i%len(names)+1]
}

// printableText is service.Printable for a text of several lines.
func printableText(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = service.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Input returns the page as a driver needs it.
func Input(p *pages.Page) driver.Input {
	return driver.Input{HTML: p.HTML, URL: p.Address(), Gold: recipe.Gold(p.Gold)}
}
