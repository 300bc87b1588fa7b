package cleaneval

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/page"
)

// gold is a gold text as CleanEval reads it.
type gold struct {
	text   []byte // without a first URL line
	marked bool   // some segment is marked
}

var goldText = &algorithms.GoldFeature[gold]{Name: "CleanEval gold", Compute: func(dst *gold, g *algorithms.Gold) {
	text := g.Text
	if i := len(text) - len(trimLeft(text)); len(text) >= i+4 && text[i:i+4] == "URL:" {
		end := i
		for end < len(text) && text[end] != '\n' {
			end++
		}
		text = text[end:]
	}
	dst.text = append(dst.text[:0], text...)
	dst.marked = hasTag(dst.text)
}}

func trimLeft(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return s[i:]
}

// tagLength is the length of a tag: <p>, <h> or <l>, in either case.
const tagLength = 3

// tagAt reports whether s begins with a tag.
func tagAt(s []byte) bool {
	if len(s) < tagLength || s[0] != '<' || s[2] != '>' {
		return false
	}
	switch s[1] | 0x20 {
	case 'p', 'h', 'l':
		return true
	}
	return false
}

func hasTag(s []byte) bool {
	for i := range s {
		if tagAt(s[i:]) {
			return true
		}
	}
	return false
}

// submission is an extraction in CleanEval's format: a tag before each line. Text
// that has no page and brings its own tags is a submission already.
var submission = &algorithms.TrialFeature[[]byte]{Name: "CleanEval submission", Compute: func(dst *[]byte, t *algorithms.Trial) {
	switch {
	case t.Gold.Page == nil && hasTag(t.Text):
		*dst = append((*dst)[:0], t.Text...)
		return
	case t.Selection == nil || t.Aligned || t.Gold.Page == nil:
		*dst = appendLines((*dst)[:0], t.Text)
		return
	}
	w := writer{out: (*dst)[:0]}
	w.selection(t.Gold.Page.Body(), t.Selection)
	*dst = w.out
}}

// appendLines appends the lines of text that are not blank, each a <p>.
func appendLines(dst, text []byte) []byte {
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		if !tokens.IsBlank(line) {
			dst = append(append(append(dst, "<p> "...), line...), '\n')
		}
	}
	return dst
}

// writer writes a selection with a tag before each line.
type writer struct {
	out []byte
	row page.Row // where the last line began
}

func (w *writer) selection(b *page.Body, s *page.Selection) {
	end, open := int32(0), false
	for i, span := range s.Spans {
		if i > 0 {
			switch gap := b.Text[end:span.Start]; {
			case bytes.IndexByte(gap, '\n') >= 0:
				open = w.close(open)
			case len(gap) > 0 && open:
				w.out = append(w.out, ' ')
			}
		}
		for at := span.Start; at < span.End; {
			text := b.Text[at:span.End]
			n := bytes.IndexByte(text, '\n')
			if n >= 0 {
				text = text[:n]
			}
			if !open && !tokens.IsBlank(text) {
				lead := len(text) - len(bytes.TrimLeft(text, " "))
				w.out = append(w.out, w.tag(b, at+int32(lead))...)
				open = true
			}
			if open {
				w.out = append(w.out, text...)
			}
			at += int32(len(text))
			if n >= 0 {
				open = w.close(open)
				at++
			}
		}
		end = span.End
	}
	w.close(open)
}

func (w *writer) close(open bool) bool {
	if open {
		w.out = append(w.out, '\n')
	}
	return false
}

// tag returns the mark of a line that begins at byte at of the page text. Calls must go
// from the front of the page to the back.
func (w *writer) tag(b *page.Body, at int32) string {
	for int(w.row) < b.Len()-1 && (b.Flags[w.row]&page.IsText == 0 || b.TextEnd[w.row] <= at) {
		w.row++
	}
	switch b.Tag[b.Block[w.row]] {
	case html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
		return "<h> "
	case html.TagLi, html.TagDd, html.TagDt:
		return "<l> "
	}
	return "<p> "
}
