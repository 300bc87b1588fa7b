package inspector

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/driver"
	tree "github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/report/sheet"
	"github.com/winnow/winnow/pipeline/service"
)

// frame is the page for a frame of the document of a view. It has the elements and style
// sheets of the page and nothing that runs, loads or leads elsewhere: only the elements and
// attributes that are named below. The frame has no rights beside, and the policy of the
// document around it, which it inherits, allows Style alone.
type frame struct {
	HTML, Style string
}

// shownTags are the elements that are written as they are. Others become span: they have no
// look of their own, or one that needs a script or an address.
var shownTags = func() map[string]bool {
	tags := map[string]bool{}
	for _, name := range strings.Fields(`a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code
		col colgroup data dd del details dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr
		i img ins kbd label legend li main mark menu nav nobr ol output p pre q rb rp rt rtc ruby s samp search section small span
		strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`) {
		tags[name] = true
	}
	return tags
}()

// shownAttributes are the attributes that are written. That of style becomes a rule of
// the style sheet, because a policy can allow a sheet by its hash.
var shownAttributes = strings.Fields(`align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang
	nowrap open reversed rowspan size start type valign width`)

// voidTags have no end tag.
var voidTags = []string{"br", "col", "hr", "img", "wbr"}

// newFrame writes the page of a result, whose lines v has. An element w-t is around every
// part of a text row that is in a line: l is the line, s and e are where the part begins and
// ends in it, in units of UTF-16.
func (v *View) newFrame(r *driver.Result) frame {
	w := frameWriter{page: r.Page, body: r.Page.Body(), rules: map[string]int{}}
	w.css.WriteString(sheet.Palette + marksCSS + frameCSS)
	t := &r.Page.Tree
	for n := range t.Len() {
		if t.Tag[n] == tree.TagStyle {
			for k := tree.Node(n) + 1; k < t.End[n]; k++ {
				fmt.Fprintf(&w.css, "\n%s", t.Text[t.Data[k].Start:t.Data[k].End])
			}
		}
	}
	b := w.body
	if b.Len() > 0 {
		w.html.WriteString(`<html data-theme="light"`)
		w.attributes(t.Parent[b.Node[0]])
		w.html.WriteString(`><head><meta charset="utf-8">`)
	}
	head := w.html.String()
	w.html.Reset()
	w.rows(v)
	css := strings.ToValidUTF8(strings.NewReplacer("</", `<\/`, "\r", "\n", "\x00", "").Replace(w.css.String()), "\uFFFD")
	return frame{HTML: "<!doctype html>" + head + "<style>" + css + "</style></head>" + w.html.String(), Style: css}
}

// frameWriter writes the elements of a body.
type frameWriter struct {
	page  *page.Page
	body  *page.Body
	html  strings.Builder
	css   strings.Builder
	rules map[string]int // numbers of style attributes
}

func (w *frameWriter) rows(v *View) {
	b := w.body
	type element struct {
		end  page.Row
		name string
	}
	var open []element
	line, past := 0, int32(0) // line and end of the text written last
	for r := page.Row(0); int(r) < b.Len(); r++ {
		for n := len(open); n > 0 && open[n-1].end <= r; n-- {
			fmt.Fprintf(&w.html, "</%s>", open[n-1].name)
			open = open[:n-1]
		}
		if b.Flags[r]&page.IsText != 0 {
			if start := b.TextStart[r]; start > past {
				w.html.WriteByte(' ') // between rows there is white space alone
			}
			past = b.TextEnd[r]
			for ; line < len(v.Lines) && v.Lines[line].end() <= b.TextStart[r]; line++ {
			}
			w.text(v, line, page.Span{Start: b.TextStart[r], End: past})
			continue
		}
		name := w.page.TagName(b.Tag[r])
		if !shownTags[name] {
			name = "span"
		}
		w.html.WriteString("<" + name)
		w.attributes(b.Node[r])
		w.html.WriteByte('>')
		if !slices.Contains(voidTags, name) {
			open = append(open, element{b.End[r], name})
		}
	}
}

// text writes a text row. line is the first one that ends after its start.
func (w *frameWriter) text(v *View, line int, row page.Span) {
	text := w.body.All.Text
	plain := func(to int32) {
		w.html.WriteString(html.EscapeString(service.Printable(string(text[row.Start:to]))))
		row.Start = to
	}
	for ; line < len(v.Lines) && v.Lines[line].start < row.End; line++ {
		l := &v.Lines[line]
		if from := max(row.Start, l.start); from > row.Start {
			w.html.WriteByte('\n')
			row.Start = from
		}
		from, to := units(l.Text[:row.Start-l.start]), units(l.Text[:min(row.End, l.end())-l.start])
		fmt.Fprintf(&w.html, `<w-t l="%d" s="%d" e="%d">`, line, from, to)
		plain(min(row.End, l.end()))
		w.html.WriteString("</w-t>")
	}
	if row.Start < row.End {
		plain(row.End) // a browser hides it
	}
}

// attributes writes those of a node that may be shown.
func (w *frameWriter) attributes(n tree.Node) {
	for _, a := range w.page.Attrs(n) {
		name, value := string(w.page.AttrName(a)), string(w.page.AttrValue(a))
		switch {
		case name == "style":
			rule, known := w.rules[value]
			if !known {
				rule = len(w.rules)
				w.rules[value] = rule
				fmt.Fprintf(&w.css, "\n[w-s=\"%d\"][w-s] { %s }", rule, value)
			}
			name, value = "w-s", fmt.Sprint(rule)
			fallthrough
		case slices.Contains(shownAttributes, name):
			fmt.Fprintf(&w.html, ` %s="%s"`, name, html.EscapeString(value))
		}
	}
}
