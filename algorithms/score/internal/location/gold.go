package location

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/page"
)

// Page is a page with its gold.
type Page struct {
	Body  *page.Body
	Words []page.Span // visible words of Body.Text
	// Hidden are the words of hidden text and of noscript elements, which the gold is not
	// looked for in.
	Hidden []page.Span
	Texts  []page.Row // the text rows

	// Gold has the locations of the gold. GoldBefore[i] counts the words of gold among
	// the first i words.
	Gold       page.Selection
	GoldBefore []int32
	// GoldWords is the number of words of the gold, found on the page or not.
	GoldWords int
	Coverage  float64 // share of them that was found
	Method    string  // "labels", or how the gold text was aligned

	// SolidBefore[i] counts the characters that begin before byte i of Body.Text and
	// are not white space. UnitsBefore counts all of them in UTF-16 units.
	SolidBefore, UnitsBefore []int32

	words   align.Page
	hidden  align.Page
	aligner align.Aligner
	matches align.Matches
	text    []byte

	annotated      page.Page
	annotatedWords align.Page
	labels         []int8
}

// Has reports whether t has locations: a page, and spans on it.
func Has(t *algorithms.Trial) bool { return t.Gold.Page != nil && t.Selection != nil }

// Of returns the page of a gold with the gold's locations, valid until the gold's next
// Reset. The gold must have a page.
func Of(g *algorithms.Gold) *Page { return prepared.Of(g) }

var prepared = &algorithms.GoldFeature[Page]{Name: "places of the gold", Compute: func(dst *Page, g *algorithms.Gold) {
	dst.Body = g.Page.Body()
	dst.words.Fill(&dst.Body.Table)
	dst.Words = dst.words.Words
	dst.Hidden = nil
	if b := dst.Body; b.HiddenTexts[b.Len()] > 0 || b.All.Len() > b.Len() {
		dst.hidden.FillHidden(&b.All)
		dst.Hidden = dst.hidden.Words
	}
	dst.count()
	if len(g.HTML) == 0 || !dst.byLabels(g.HTML) {
		dst.byText(g.Text)
	}
	dst.Gold.Reset()
	dst.words.Select(&dst.Gold, dst.Body, dst.matches.Page)

	dst.GoldBefore = append(dst.GoldBefore[:0], 0)
	next := 0
	for i := range dst.Words {
		gold := dst.GoldBefore[i]
		if next < len(dst.matches.Page) && int(dst.matches.Page[next]) == i {
			gold++
			next++
		}
		dst.GoldBefore = append(dst.GoldBefore, gold)
	}
}}

// count fills the text rows and the sums over characters.
func (p *Page) count() {
	b := p.Body
	p.Texts = p.Texts[:0]
	for r := range b.Tag {
		if b.Flags[r]&page.IsText != 0 {
			p.Texts = append(p.Texts, page.Row(r))
		}
	}
	p.SolidBefore, p.UnitsBefore = sized(p.SolidBefore, len(b.Text)+1), sized(p.UnitsBefore, len(b.Text)+1)
	solid, units := int32(0), int32(0)
	for i := 0; i < len(b.Text); {
		n, blank := tokens.SpaceAt(b.Text, i)
		for k := range n { // bytes within a character count it as begun
			p.SolidBefore[i+k], p.UnitsBefore[i+k] = solid, units
			if k == 0 {
				units++
				if n == 4 {
					units++ // beyond the Basic Multilingual Plane: two units
				}
				if !blank {
					solid++
				}
			}
		}
		i += n
	}
	p.SolidBefore[len(b.Text)], p.UnitsBefore[len(b.Text)] = solid, units
}

// byText aligns the gold text with the page.
func (p *Page) byText(text string) {
	p.text = AppendClean(p.text[:0], text)
	p.aligner.Align(&p.matches, &p.words, p.text)
	p.GoldWords, p.Coverage, p.Method = p.matches.Words, p.matches.Coverage(), string(p.matches.Method)
}

// AppendClean appends a gold text without the additions of CleanEval's golds: a first
// URL line, the segment marks <p>, <h>, <l> with the bullet or number of a list item,
// and ruled lines (the preparation of Web2Text).
func AppendClean(dst []byte, text string) []byte {
	rest := []byte(text)
	if first, behind, _ := bytes.Cut(rest, []byte("\n")); bytes.HasPrefix(first, []byte("URL:")) {
		rest = behind
	}
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimLeft(line, " \t")
		if ruled(line) {
			continue
		}
		for {
			i := bytes.IndexByte(line, '<')
			if i < 0 || len(line) < i+3 || line[i+2] != '>' || bytes.IndexByte([]byte("hpl"), line[i+1]|0x20) < 0 {
				if i < 0 {
					break
				}
				dst, line = append(dst, line[:i+1]...), line[i+1:]
				continue
			}
			dst = append(append(dst, line[:i]...), ' ')
			item := line[i+1]|0x20 == 'l'
			if line = line[i+3:]; item {
				line = line[listMark(line):]
			}
		}
		dst = append(append(dst, line...), '\n')
	}
	return dst
}

// ruled reports whether line consists of ten or more underscores or dashes.
func ruled(line []byte) bool {
	return len(line) >= 10 && len(bytes.Trim(line, "_-")) == 0
}

// listMark returns the length of the bullet or number at the front of a list item.
func listMark(line []byte) int {
	rest := bytes.TrimLeft(line, " \t")
	at := len(line) - len(rest)
	switch {
	case bytes.HasPrefix(rest, []byte("»")):
		return at + len("»")
	case bytes.HasPrefix(rest, []byte("*")):
		return at + 1
	}
	digits := 0
	for digits < len(rest) && digits < 2 && '0' <= rest[digits] && rest[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < len(rest) && rest[digits] == '.' {
		return at + digits + 1
	}
	return 0
}

// keepBytes is how much memory of a large page is kept for the next one.
const keepBytes = 8 << 20

func sized(s []int32, n int) []int32 {
	if cap(s) < n || cap(s)*4 > keepBytes && cap(s)/8 > n {
		return make([]int32, n)
	}
	return s[:n]
}
