package justext

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// class is the class of a paragraph.
type class uint8

const (
	bad class = iota
	short
	nearGood
	good
)

// paragraph is a run of text between two boundaries.
type paragraph struct {
	textStart, textEnd int // range of working.text, with white space folded
	rowsStart, rowsEnd int // range of working.rows
	chars, linkChars   int
	words, stops       int
	heading, copyright bool
	alone, class       class
}

// working is the extractor's memory, reused for every page.
type working struct {
	paragraphs []paragraph
	text       []byte
	rows       []page.Row // text rows, in document order
	open       []page.Row // boundaries around the current row
	word       []byte     // one word in lower case
	nextStrong []class    // see classifyInContext
	nextFirm   []class
	lists      []*stopwords.List // loaded on first use
	union      *stopwords.List
}

func boundary(tag html.Tag) bool {
	switch tag {
	case html.TagBody, html.TagBlockquote, html.TagCaption, html.TagCenter, html.TagCol, html.TagColgroup, html.TagDd,
		html.TagDiv, html.TagDl, html.TagDt, html.TagFieldset, html.TagForm, html.TagLegend, html.TagOptgroup,
		html.TagOption, html.TagP, html.TagPre, html.TagTable, html.TagTd, html.TagTextarea, html.TagTfoot, html.TagTh,
		html.TagThead, html.TagTr, html.TagUl, html.TagLi,
		html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
		return true
	}
	return false
}

func isHeading(tag html.Tag) bool {
	switch tag {
	case html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
		return true
	}
	return false
}

// removed reports whether elements of this name are removed with their text: form
// controls and embedded objects.
func removed(tag html.Tag) bool {
	switch tag {
	case html.TagButton, html.TagInput, html.TagSelect, html.TagTextarea, html.TagApplet:
		return true
	}
	return false
}

// cut makes the paragraphs of a page. Elements end where their range of rows
// does, so a stack of open boundaries tells when one is passed.
func (w *working) cut(p *algorithms.Pass) {
	b := p.Body
	w.paragraphs, w.text, w.rows, w.open = w.paragraphs[:0], w.text[:0], w.rows[:0], w.open[:0]
	run := paragraph{}
	headingEnd := page.Row(0) // rows before it are inside h1 … h6
	broken := false           // the last thing was a br
	for r := page.Row(0); int(r) < b.Len(); r++ {
		for len(w.open) > 0 && b.End[w.open[len(w.open)-1]] <= r {
			w.close(&run)
			w.open = w.open[:len(w.open)-1]
		}
		tag := b.Tag[r]
		if b.Flags[r]&page.IsText == 0 {
			switch {
			case removed(tag):
				r = b.End[r] - 1
			case boundary(tag):
				w.close(&run)
				w.open = append(w.open, r)
				broken = false
				if isHeading(tag) {
					headingEnd = max(headingEnd, b.End[r])
				}
			case tag == html.TagBr:
				if broken {
					w.close(&run)
				}
				broken = !broken
			default:
				broken = false
			}
			continue
		}
		broken = false
		if b.Flags[r]&page.Hidden != 0 {
			continue
		}
		w.append(b, &run, r)
		run.heading = run.heading || r < headingEnd
	}
	w.close(&run)
}

// append adds the text of row r to the current paragraph, with white space folded.
func (w *working) append(b *page.Body, run *paragraph, r page.Row) {
	from, to := b.TextStart[r], b.TextEnd[r]
	if run.rowsEnd == run.rowsStart {
		run.textStart, run.rowsStart = len(w.text), len(w.rows)
	} else if from > 0 && b.TextEnd[w.rows[len(w.rows)-1]] < from {
		w.text = append(w.text, ' ') // white space separates the two texts
	}
	before := len(w.text)
	blank := false
	for s := b.Text[from:to]; len(s) > 0; {
		if n := space(s); n > 0 {
			blank = true
			s = s[n:]
			continue
		}
		if blank {
			w.text = append(w.text, ' ')
			blank = false
		}
		n := 1
		for n < len(s) && s[n]&0xC0 == 0x80 {
			n++
		}
		w.text = append(w.text, s[:n]...)
		s = s[n:]
	}
	chars := page.RuneCount(w.text[before:])
	if b.Flags[r]&page.InA != 0 {
		run.linkChars += chars
	}
	w.rows = append(w.rows, r)
	run.rowsEnd = len(w.rows)
}

// space returns the length of the white space character that s begins with, or 0.
// Outside of pre the only white space of a page's text is blanks.
func space(s []byte) int {
	c := s[0]
	switch {
	case c == ' ' || '\t' <= c && c <= '\r' || 0x1C <= c && c <= 0x1F:
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, n := utf8.DecodeRune(s); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// close ends the current paragraph. A paragraph without text is dropped.
func (w *working) close(run *paragraph) {
	if run.rowsEnd > run.rowsStart {
		run.textEnd = len(w.text)
		run.chars = page.RuneCount(w.text[run.textStart:run.textEnd])
		w.paragraphs = append(w.paragraphs, *run)
	}
	*run = paragraph{rowsStart: len(w.rows), rowsEnd: len(w.rows), textStart: len(w.text)}
}

// countStopWords counts words and function words of every paragraph and looks
// for the copyright sign, in the language that params and the page name. It
// reports whether there is a list for that language.
func (w *working) countStopWords(p *algorithms.Pass, params *Params) (known bool) {
	if w.lists == nil {
		w.lists, w.union = stopwords.LoadAll()
	}
	list := w.union
	switch params.Language {
	case "all":
	case "page":
		list = w.pageList(p.Page.Lang())
	default:
		list = stopwords.Find(w.lists, []byte(params.Language))
	}
	for i := range w.paragraphs {
		g := &w.paragraphs[i]
		text := w.text[g.textStart:g.textEnd]
		g.words, g.stops, g.copyright = w.count(text, list)
		g.copyright = g.copyright || bytes.Contains(text, reference)
	}
	return list != nil
}

// reference is the reference to the copyright sign as it remains in text that was
// escaped twice.
var reference = []byte("&copy")

// pageList returns the list of the declared language, or nil if that language has none.
// If no language is declared, it returns the list with the most hits.
func (w *working) pageList(declared []byte) *stopwords.List {
	if stopwords.IsLanguage(declared) {
		return stopwords.Find(w.lists, declared)
	}
	const sample = 20_000 // bytes are enough to tell languages apart
	var best *stopwords.List
	most := 0
	for _, l := range w.lists {
		if _, hits, _ := w.count(w.text[:min(sample, len(w.text))], l); hits > most {
			best, most = l, hits
		}
	}
	return best
}

// count is the number of blank-separated words in text and how many of them, in
// lower case, are in list.
func (w *working) count(text []byte, list *stopwords.List) (words, stops int, copyright bool) {
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		w.word = w.word[:0]
		for i < len(text) && text[i] != ' ' {
			if c := text[i]; c < utf8.RuneSelf {
				if c >= 'A' && c <= 'Z' {
					c += 'a' - 'A'
				}
				w.word = append(w.word, c)
				i++
				continue
			}
			r, size := utf8.DecodeRune(text[i:])
			copyright = copyright || r == '©'
			w.word = utf8.AppendRune(w.word, unicode.ToLower(r))
			i += size
		}
		words++
		if list.Has(w.word) {
			stops++
		}
	}
	return words, stops, copyright
}
