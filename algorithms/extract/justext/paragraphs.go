package justext

import (
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/page"
)

// class is what a paragraph is taken for.
type class uint8

const (
	bad class = iota
	short
	nearGood
	good
)

// paragraph is a run of text between two boundaries.
type paragraph struct {
	textStart, textEnd int // of working.text: white space folded
	rowsStart, rowsEnd int // of working.rows
	chars, linkChars   int
	words, stops       int
	heading, copyright bool
	alone, class       class
}

// working is the method's memory, used again for every page.
type working struct {
	paragraphs []paragraph
	text       []byte
	rows       []page.Row // text rows, in document order
	open       []page.Row // boundaries around the present row
	word       []byte     // one word in lower case
	nextStrong []class    // see judgeInContext
	nextFirm   []class
	lists      []*stopwords.List // loaded on first use
	union      *stopwords.List
}

func boundary(tag page.Tag) bool {
	switch tag {
	case page.TagBody, page.TagBlockquote, page.TagCaption, page.TagCenter, page.TagCol, page.TagColgroup, page.TagDd,
		page.TagDiv, page.TagDl, page.TagDt, page.TagFieldset, page.TagForm, page.TagLegend, page.TagOptgroup,
		page.TagOption, page.TagP, page.TagPre, page.TagTable, page.TagTd, page.TagTextarea, page.TagTfoot, page.TagTh,
		page.TagThead, page.TagTr, page.TagUl, page.TagLi,
		page.TagH1, page.TagH2, page.TagH3, page.TagH4, page.TagH5, page.TagH6:
		return true
	}
	return false
}

func isHeading(tag page.Tag) bool {
	switch tag {
	case page.TagH1, page.TagH2, page.TagH3, page.TagH4, page.TagH5, page.TagH6:
		return true
	}
	return false
}

// removed elements take their text with them: form controls and embedded objects.
func removed(tag page.Tag) bool {
	switch tag {
	case page.TagButton, page.TagInput, page.TagSelect, page.TagTextarea, page.TagApplet:
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
			case tag == page.TagBr:
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

// append adds the text of row r to the running paragraph, white space folded.
func (w *working) append(b *page.Body, run *paragraph, r page.Row) {
	from, to := b.TextStart[r], b.TextEnd[r]
	if run.rowsEnd == run.rowsStart {
		run.textStart, run.rowsStart = len(w.text), len(w.rows)
	} else if from > 0 && b.TextEnd[w.rows[len(w.rows)-1]] < from {
		w.text = append(w.text, ' ') // something white stands between the two texts
	}
	before := len(w.text)
	blank := false
	for _, c := range b.Text[from:to] {
		if c == ' ' || c == '\n' || c == '\t' {
			blank = true
			continue
		}
		if blank {
			w.text = append(w.text, ' ')
			blank = false
		}
		w.text = append(w.text, c)
	}
	chars := utf8.RuneCount(w.text[before:])
	if b.Flags[r]&page.InA != 0 {
		run.linkChars += chars
	}
	w.rows = append(w.rows, r)
	run.rowsEnd = len(w.rows)
}

// close ends the running paragraph; one without text is dropped.
func (w *working) close(run *paragraph) {
	if run.rowsEnd > run.rowsStart {
		run.textEnd = len(w.text)
		run.chars = utf8.RuneCount(w.text[run.textStart:run.textEnd])
		w.paragraphs = append(w.paragraphs, *run)
	}
	*run = paragraph{rowsStart: len(w.rows), rowsEnd: len(w.rows), textStart: len(w.text)}
}

// countStopWords counts words and function words of every paragraph and looks
// for the copyright sign, in the language that params and the page name.
func (w *working) countStopWords(p *algorithms.Pass, params *Params) {
	if w.lists == nil {
		w.lists, w.union = stopwords.LoadAll()
	}
	list := w.union
	switch params.Language {
	case "all":
	case "page":
		list = w.pageList(p.Page.Lang())
	default:
		list = w.byCode([]byte(params.Language))
	}
	for i := range w.paragraphs {
		g := &w.paragraphs[i]
		g.words, g.stops, g.copyright = w.count(w.text[g.textStart:g.textEnd], list)
	}
}

// pageList is the list of the declared language, else the one with most hits.
func (w *working) pageList(declared []byte) *stopwords.List {
	if l := w.byCode(declared); l != nil {
		return l
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

func (w *working) byCode(code []byte) *stopwords.List {
	if len(code) < 2 || len(code) > 2 && code[2] != '-' && code[2] != '_' {
		return nil
	}
	for _, l := range w.lists {
		if l.Language[0] == code[0]|0x20 && l.Language[1] == code[1]|0x20 {
			return l
		}
	}
	return nil
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
