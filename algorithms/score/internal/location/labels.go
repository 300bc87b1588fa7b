package location

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/page"
)

// The L3S-GN1 collection marks every text of its annotated pages by an element
// of a class: x-nc-sel1 headline, sel2 full text, sel3 supplemental (dates,
// bylines, captions, credits), which are content; sel0 not content, sel4 related
// content, sel5 comments, which are not.
const labelClass = "x-nc-sel"

const (
	unlabelled int8 = iota
	content
	other
)

// byLabels finds the gold by an annotated copy of the page and reports whether
// the copy has labels.
func (p *Page) byLabels(html []byte) bool {
	p.annotated.Parse(html, page.Options{})
	b := p.annotated.Body()
	if !p.label(b) {
		return false
	}
	p.annotatedWords.Fill(&b.Table)
	p.aligner.AlignPage(&p.matches, &p.words, &p.annotatedWords)
	// Only the matches of words within content are kept.
	m := &p.matches
	kept, next, words := 0, 0, 0
	row := 0 // the row of the text that holds the word's first character
	for i, place := range p.annotatedWords.Words {
		for row < b.Len() && (b.Flags[row]&page.IsText == 0 || b.TextEnd[row] <= place.Start) {
			row++
		}
		gold := row < b.Len() && p.labels[row] == content
		if gold {
			words++
		}
		if next < len(m.Text) && int(m.Text[next]) == i {
			if gold {
				m.Page[kept], m.Text[kept] = m.Page[next], m.Text[next]
				kept++
			}
			next++
		}
	}
	m.Page, m.Text, m.Words = m.Page[:kept], m.Text[:kept], words
	p.GoldWords, p.Coverage, p.Method = words, m.Coverage(), "labels"
	return true
}

// label fills the label of every row, which is its own or the nearest ancestor's, and
// reports whether there is any.
func (p *Page) label(b *page.Body) bool {
	p.labels = p.labels[:0]
	any := false
	for r := range b.Tag {
		l := unlabelled
		if r > 0 {
			l = p.labels[b.Parent[r]]
		}
		if b.Flags[r]&page.IsText == 0 {
			if class, ok := p.annotated.Attr(b.Node[r], "class"); ok {
				if own := labelOf(class); own != unlabelled {
					l, any = own, true
				}
			}
		}
		p.labels = append(p.labels, l)
	}
	return any
}

// labelOf is the label that a class attribute names.
func labelOf(class []byte) int8 {
	for _, name := range bytes.Fields(class) {
		if n, ok := bytes.CutPrefix(name, []byte(labelClass)); ok && len(n) == 1 {
			if '1' <= n[0] && n[0] <= '3' {
				return content
			}
			return other
		}
	}
	return unlabelled
}
