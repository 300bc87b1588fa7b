package align

import (
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/page"
)

// Page is the page's side of alignments: words of it, numbered. The zero Page has no words.
type Page struct {
	// Words holds the spans of the words, in the order of the text.
	Words []page.Span

	ids    []int32
	dict   tokens.Dict
	runes  []int32 // length of each numbered word in characters
	spans  []tokens.Span
	norm   tokens.Normaliser
	letter tokens.Normaliser // normalises single words
}

// Fill makes p the page of the visible words of b. Memory of an earlier page is reused, and
// b must not change while p is in use.
func (p *Page) Fill(b *page.Table) { p.fill(b, true, false) }

// FillHidden is Fill for the words of hidden text and of noscript.
func (p *Page) FillHidden(b *page.Table) { p.fill(b, false, true) }

// FillAll is Fill for all words, those of hidden text and of noscript too.
func (p *Page) FillAll(b *page.Table) { p.fill(b, true, true) }

func (p *Page) fill(b *page.Table, visible, hidden bool) {
	p.dict.Reset()
	p.Words, p.ids, p.runes = p.Words[:0], p.ids[:0], p.runes[:0]
	text, at := p.norm.NormalAt(b.Text)
	p.spans = tokens.Words(p.spans[:0], text)
	rows := hiddenText{table: b}
	for _, s := range p.spans {
		place := page.Span(s)
		if at != nil {
			place = page.Span{Start: at[s.Start], End: at[s.End]}
		}
		if meets := rows.meets(place); place.Start >= place.End || meets && !hidden || !meets && !visible {
			continue
		}
		p.Words = append(p.Words, place)
		p.ids = append(p.ids, p.number(text[s.Start:s.End]))
	}
}

// number is the number of a word in lower case.
func (p *Page) number(word []byte) int32 {
	word = p.letter.Lower(word)
	id := p.dict.ID(word)
	if int(id) == len(p.runes) {
		p.runes = append(p.runes, int32(utf8.RuneCount(word)))
	}
	return id
}

// hiddenText tells whether positions of the page text have hidden characters. The
// positions must be asked for in ascending order.
type hiddenText struct {
	table *page.Table
	row   int
}

// seek moves to the first hidden text that ends after at and reports whether there is
// one.
func (h *hiddenText) seek(at int32) bool {
	b := h.table
	hidden := func(f page.Flag) bool { return f&page.IsText != 0 && f&(page.Hidden|page.InNoscript) != 0 }
	for h.row < b.Len() && (!hidden(b.Flags[h.row]) || b.TextEnd[h.row] <= at) {
		h.row++
	}
	return h.row < b.Len()
}

func (h *hiddenText) meets(s page.Span) bool {
	return h.seek(s.Start) && h.table.TextStart[h.row] < s.End
}

// addVisible adds the parts of s that are not hidden. Both ends of s must be visible.
func (h *hiddenText) addVisible(dst *page.Selection, b *page.Body, s page.Span) {
	for h.meets(s) {
		end := b.TextStart[h.row]
		for end > s.Start && isBlank(b.Text[end-1]) {
			end--
		}
		dst.AddSpan(b, page.Span{Start: s.Start, End: end})
		s.Start = b.TextEnd[h.row]
		for s.Start < s.End && isBlank(b.Text[s.Start]) {
			s.Start++
		}
	}
	dst.AddSpan(b, s)
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' }

// Select adds the words of b at the given ascending indexes to dst. It includes the
// text between consecutive words and the punctuation that touches them.
func (p *Page) Select(dst *page.Selection, b *page.Body, words []int32) {
	hidden := hiddenText{table: &b.Table}
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && words[j] == words[j-1]+1 {
			j++
		}
		hidden.addVisible(dst, b, p.run(dst, b, int(words[i]), int(words[j-1])))
		i = j
	}
}

// run returns the span of the words from first to last with the punctuation that
// touches them. It includes neither the neighbouring words nor anything that dst
// already has.
func (p *Page) run(dst *page.Selection, b *page.Body, first, last int) page.Span {
	low, high := int32(0), int32(len(b.Text))
	if first > 0 {
		low = p.Words[first-1].End
	}
	if last+1 < len(p.Words) {
		high = p.Words[last+1].Start
	}
	if n := len(dst.Spans); n > 0 {
		low = max(low, dst.Spans[n-1].End)
	}
	start, end := p.Words[first].Start, p.Words[last].End
	return page.Span{Start: touching(b.Text, low, start), End: end + touched(b.Text[end:max(end, high)])}
}

// touching returns the start of the characters before at that no white space separates
// from it, not before low.
func touching(text []byte, low, at int32) int32 {
	for at > low {
		r, n := utf8.DecodeLastRune(text[low:at])
		if tokens.IsSpace(r) {
			break
		}
		at -= int32(n)
	}
	return at
}

// touched is the length of the characters at the front of text before white
// space.
func touched(text []byte) int32 {
	i := 0
	for i < len(text) {
		n, blank := tokens.SpaceAt(text, i)
		if blank {
			break
		}
		i += n
	}
	return int32(i)
}
