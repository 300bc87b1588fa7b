package unfluff

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// lines reads the texts that are left, drops lines without a letter or digit,
// and finds where the others are on the page.
type lines struct {
	line  []part // parts of the current line
	sense bool   // it has a letter or digit
	spans []page.Span

	// How far the text of cursor was followed: a position in it and in the page's.
	cursor         int32
	inText, onPage int
}

// part is a stretch of a text, as positions of document.text.
type part struct{ text, start, end int32 }

// choose selects what the program would print.
func (w *format) choose(p *algorithms.Pass) {
	w.drop()
	w.line, w.sense, w.spans, w.cursor = w.line[:0], false, w.spans[:0], -1
	unit := int32(0)
	for t := range w.texts {
		x := &w.texts[t]
		if x.dropped {
			continue
		}
		if x.unit != unit || x.newLine || x.start == lineEnd {
			w.endLine(p.Body)
			unit = x.unit
		}
		if x.start != lineEnd {
			w.read(p.Body, int32(t))
		}
	}
	w.endLine(p.Body)

	slices.SortFunc(w.spans, func(a, b page.Span) int { return int(a.Start) - int(b.Start) })
	end := int32(0)
	for _, s := range w.spans {
		s.Start = max(s.Start, end)
		if s.Start < s.End {
			p.Out.AddSpan(p.Body, s)
			end = s.End
		}
	}
}

// read adds text t to the current line and begins others at its line ends.
func (w *format) read(b *page.Body, t int32) {
	x := &w.texts[t]
	for start := x.start; ; {
		content := w.doc.text[start:x.end]
		n := bytes.IndexByte(content, '\n')
		if n >= 0 {
			content = content[:n]
		}
		w.sense = w.sense || hasSense(content)
		if x.row > 0 && len(content) > 0 {
			w.line = append(w.line, part{t, start, start + int32(len(content))})
		}
		if n < 0 {
			return
		}
		w.endLine(b)
		start += int32(n) + 1
	}
}

// hasSense reports whether text has a letter or a number.
func hasSense(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' {
				return true
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return true
		}
		i += size
	}
	return false
}

// endLine selects the current line if it has sense.
func (w *format) endLine(b *page.Body) {
	if w.sense {
		for _, s := range w.line {
			x := &w.texts[s.text]
			if s.start == x.start && s.end == x.end {
				w.spans = append(w.spans, page.Span{Start: b.TextStart[x.row], End: b.TextEnd[x.row]})
			} else {
				w.find(b, s)
			}
		}
	}
	w.line, w.sense = w.line[:0], false
}

// find selects a part of a text on the page, where the same characters have other white
// space between them. The parts of a text must come in order.
func (w *format) find(b *page.Body, s part) {
	x := &w.texts[s.text]
	onPage := b.Text[:b.TextEnd[x.row]]
	if w.cursor != s.text {
		w.cursor, w.inText, w.onPage = s.text, int(x.start), int(b.TextStart[x.row])
	}
	from, to := -1, -1
	for w.inText < int(s.end) {
		c, size := utf8.DecodeRune(w.doc.text[w.inText:x.end])
		if !white(c) {
			for w.onPage < len(onPage) {
				d, wide := utf8.DecodeRune(onPage[w.onPage:])
				if !white(d) {
					break
				}
				w.onPage += wide
			}
			if w.inText >= int(s.start) {
				if from < 0 {
					from = w.onPage
				}
				to = w.onPage + size
			}
			w.onPage += size
		}
		w.inText += size
	}
	if from >= 0 {
		w.spans = append(w.spans, page.Span{Start: int32(from), End: int32(to)})
	}
}

// white reports whether r is white space of the page's text.
func white(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }
