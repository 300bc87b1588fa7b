package unfluff

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// format collects what is left of the page and drops elements that say too
// little. What it keeps is read line by line (lines.go).
type format struct {
	doc  *document
	list *stopwords.List

	removed []bool // rows of the flat document

	pieces  []piece // elements, in document order
	texts   []text
	marks   []mark // where each text begins in words; one more for the end
	words   wordText
	open    []openPiece
	objects int32 // object and embed elements so far
	unit    int32 // the last top-level element
	newLine bool  // an item of a list begins with the next text

	filled []int32 // see fill
	lines
}

// piece is an element that may be dropped with all its texts.
type piece struct {
	end      int32 // end of its subtree in pieces
	from, to int32 // its texts
	objects  int32 // below it; until it is closed those before its children
}

type openPiece struct {
	end   int32 // row of the flat document
	piece int32
}

// text is one run of text that is still there.
type text struct {
	start, end  int32 // range of document.text
	row         page.Row
	unit        int32 // the top-level element it is in; 0 for bare text
	first, last byte  // ASCII character at either end, white space aside
	newLine     bool  // an item of a list begins here
	dropped     bool
}

func (w *format) begin(d *document, f *flat, list *stopwords.List) {
	w.doc, w.list = d, list
	w.removed = algorithms.Zeros(w.removed, len(f.tag))
	w.pieces, w.texts, w.marks, w.open = w.pieces[:0], w.texts[:0], w.marks[:0], w.open[:0]
	w.words.reset()
	w.objects, w.unit, w.newLine = 0, 0, false
}

// gone marks row i and everything below it as removed.
func (w *format) gone(i int32) { w.removed[i] = true }

// formatting elements are replaced by their text, links by their contents.
func formatting(tag html.Tag) bool {
	switch tag {
	case html.TagB, html.TagStrong, html.TagI, html.TagSup:
		return true
	}
	return false
}

// add takes row i of the flat document, which is at the top level, and everything below
// it. Of a list the program prints only the items, each on a line of its own.
func (w *format) add(f *flat, i int32) {
	unit := int32(0)
	if tag := f.tag[i]; tag != html.TagText && tag != html.TagA && tag != html.TagBr && !formatting(tag) {
		w.unit++
		unit = w.unit
	}
	plain, item := i, f.end[i] // rows before it are inside a formatting element, a list's item
	if f.tag[i] == html.TagUl {
		item = i
	}
	for k := i; k < f.end[i]; k++ {
		w.close(k)
		if w.removed[k] {
			k = f.end[k] - 1
			continue
		}
		switch tag := f.tag[k]; {
		case tag == html.TagText:
			w.addRuns(f.node[k], unit, k >= item)
		case tag == html.TagBr:
			w.addText(textRun{start: lineEnd, end: lineEnd}, unit, false)
		case k < plain, tag == html.TagA:
		case formatting(tag):
			plain = f.end[k]
		default:
			if tag == html.TagLi && f.tag[i] == html.TagUl {
				item = max(item, f.end[k])
				w.newLine = true
			}
			w.element(f.end[k], tag == html.TagObject || tag == html.TagEmbed)
		}
	}
	w.close(f.end[i])
}

// addFlat takes the text of row i as one paragraph without elements.
func (w *format) addFlat(f *flat, i int32) {
	w.unit++
	w.element(f.end[i], false)
	for k := i + 1; k < f.end[i]; k++ {
		if f.tag[k] == html.TagText {
			w.addRuns(f.node[k], w.unit, false)
		}
	}
	w.close(f.end[i])
}

// element opens a piece that ends before the given row.
func (w *format) element(end int32, object bool) {
	if object {
		w.objects++
	}
	w.open = append(w.open, openPiece{end, int32(len(w.pieces))})
	w.pieces = append(w.pieces, piece{from: int32(len(w.texts)), objects: w.objects})
}

// close ends the pieces that end before row k.
func (w *format) close(k int32) {
	for len(w.open) > 0 && w.open[len(w.open)-1].end <= k {
		p := &w.pieces[w.open[len(w.open)-1].piece]
		p.end, p.to, p.objects = int32(len(w.pieces)), int32(len(w.texts)), w.objects-p.objects
		w.open = w.open[:len(w.open)-1]
	}
}

func (w *format) addRuns(x ref, unit int32, silent bool) {
	for r := w.doc.nodes[x].runs; r != 0; r = w.doc.runs[r].next {
		w.addText(w.doc.runs[r], unit, silent)
	}
}

// lineEnd is the position of a text that consists of a line end.
const lineEnd = -1

func (w *format) addText(r textRun, unit int32, silent bool) {
	w.marks = append(w.marks, w.words.here())
	t := text{start: r.start, end: r.end, row: r.row, unit: unit, dropped: silent, newLine: w.newLine}
	w.newLine = false
	if r.start == lineEnd {
		w.words.add([]byte("\n\n"))
	} else {
		content := w.doc.text[r.start:r.end]
		w.words.add(content)
		t.first, t.last = ends(content)
	}
	w.texts = append(w.texts, t)
}

// ends returns the first and the last byte of text that are not white space, or 0 if
// there are none.
func ends(text []byte) (first, last byte) {
	for len(text) > 0 && blank(text[:runeLen(text)]) {
		text = text[runeLen(text):]
	}
	if len(text) == 0 {
		return 0, 0
	}
	first = text[0]
	end := len(text)
	for {
		start := end - 1
		for text[start]&0xC0 == 0x80 && start > 0 {
			start--
		}
		if !blank(text[start:end]) {
			return first, text[end-1]
		}
		end = start
	}
}

func runeLen(text []byte) int {
	n := 1
	for n < len(text) && text[n]&0xC0 == 0x80 {
		n++
	}
	return n
}

// drop marks the texts of elements with fewer than three function words, and of
// those in parentheses.
func (w *format) drop() {
	w.marks = append(w.marks, w.words.here())
	w.words.seal(w.list)
	w.fill()
	for i := 0; i < len(w.pieces); {
		p := &w.pieces[i]
		few := w.words.count(w.marks[p.from], w.marks[p.to], w.list) < 3
		if few && p.objects == 0 || !few && w.inParentheses(p) {
			for t := p.from; t < p.to; t++ {
				w.texts[t].dropped = true
			}
			i = int(p.end)
			continue
		}
		i++
	}
}

// fill stores for every text which is the next one that is not blank, and which was the
// last one before its end: filled[2t] and filled[2t+1].
func (w *format) fill() {
	n := len(w.texts)
	if cap(w.filled) < 2*n+2 {
		w.filled = make([]int32, 2*n+2, 2*n+2+n/2)
	}
	w.filled = w.filled[:2*n+2]
	last, next := int32(-1), int32(n)
	w.filled[1] = last
	for t := range w.texts {
		if w.texts[t].first != 0 {
			last = int32(t)
		}
		w.filled[2*t+3] = last
	}
	w.filled[2*n] = next
	for t := n - 1; t >= 0; t-- {
		if w.texts[t].first != 0 {
			next = int32(t)
		}
		w.filled[2*t] = next
	}
}

func (w *format) inParentheses(p *piece) bool {
	first, last := w.filled[2*p.from], w.filled[2*p.to+1]
	return first < p.to && last >= p.from && w.texts[first].first == '(' && w.texts[last].last == ')'
}
