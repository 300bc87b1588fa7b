package align

import (
	"bytes"
	"slices"

	"github.com/winnow/winnow/algorithms/internal/anchor"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/page"
)

// Method is the way in which a text was aligned.
type Method string

const (
	Full   Method = "full"
	Coarse Method = "coarse" // some gap was too large for the table
)

// Matches lists the words of a text that were found on a page: word Text[k] of the text
// is word Page[k] of the page. Both lists ascend.
type Matches struct {
	Page, Text []int32
	Words      int // number of words in the text
	Method     Method
}

// Coverage returns the share of the text's words that were found. It is 1 for a text
// without words.
func (m *Matches) Coverage() float64 {
	if m.Words == 0 {
		return 1
	}
	return float64(len(m.Text)) / float64(m.Words)
}

// Aligner holds the working memory of alignments. The zero Aligner is ready. It
// is not safe for concurrent use.
type Aligner struct {
	page   Page       // the page built from Text
	table  page.Table // what page was filled from
	norm   tokens.Normaliser
	spans  []tokens.Span
	ids    []int32
	finder [len(pieces)]anchor.Finder
	grid   grid
	pairs  []lcs.Pair
	found  Matches

	p *Page
	m *Matches
}

// pieces lists the lengths of the unique runs, in the order in which they are tried.
var pieces = [...]int{5, 3, 2}

// Text sets dst to where text lies on the page with body b. It does what Page.Fill,
// Align and Select do, for a single text.
func (a *Aligner) Text(dst *page.Selection, b *page.Body, text string) {
	dst.Reset()
	a.fill(&b.Table)
	a.Align(&a.found, &a.page, []byte(text))
	a.page.Select(dst, b, a.found.Page)
}

// fill fills page, unless it is filled from an equal table: the texts of several
// programs, and the gold, follow each other on one page, and comparing all that Fill reads
// takes a hundredth of the time of Fill.
func (a *Aligner) fill(t *page.Table) {
	f := &a.table
	if bytes.Equal(f.Text, t.Text) && slices.Equal(f.Flags, t.Flags) && slices.Equal(f.TextStart, t.TextStart) && slices.Equal(f.TextEnd, t.TextEnd) {
		return
	}
	a.page.Fill(t)
	f.Text, f.Flags = append(f.Text[:0], t.Text...), append(f.Flags[:0], t.Flags...)
	f.TextStart, f.TextEnd = append(f.TextStart[:0], t.TextStart...), append(f.TextEnd[:0], t.TextEnd...)
}

// Align finds the words of text on p.
func (a *Aligner) Align(m *Matches, p *Page, text []byte) {
	text = a.norm.Normal(text)
	a.spans = tokens.Words(a.spans[:0], text)
	a.ids = a.ids[:0]
	for _, s := range a.spans {
		a.ids = append(a.ids, p.number(text[s.Start:s.End]))
	}
	a.run(m, p)
}

// AlignPage finds the words of another page, such as an annotated copy, on p.
// Words are counted as in other.Words.
func (a *Aligner) AlignPage(m *Matches, p, other *Page) {
	a.ids = a.ids[:0]
	for _, id := range other.ids {
		a.ids = append(a.ids, p.number(other.dict.Word(id)))
	}
	a.run(m, p)
}

func (a *Aligner) run(m *Matches, p *Page) {
	m.Page, m.Text, m.Words, m.Method = m.Page[:0], m.Text[:0], len(a.ids), Full
	a.p, a.m = p, m
	a.between(0, 0, len(p.ids), 0, len(a.ids))
}

// between aligns a gap: page words pFrom to pTo and text words tFrom to tTo. Where the
// table is too large it uses anchors of pieces[level] words. At level 0 the anchors
// come before any table, because unique runs are kept even where a table would find a
// better total.
func (a *Aligner) between(level, pFrom, pTo, tFrom, tTo int) {
	if pFrom == pTo || tFrom == tTo {
		return
	}
	ids, text := a.p.ids[pFrom:pTo], a.ids[tFrom:tTo]
	if level > 0 && a.grid.fill(ids, text, a.p.runes) {
		a.grid.walk(func(i, j int) { a.match(pFrom+i, tFrom+j) })
		return
	}
	if level == len(pieces) {
		a.m.Method = Coarse
		a.pairs, _ = lcs.Trace(a.pairs[:0], ids, text, len(a.p.runes)) // else nothing in it is found
		for _, x := range a.pairs {
			a.match(pFrom+int(x.G), tFrom+int(x.E))
		}
		return
	}
	chain := a.finder[level].Chain(ids, text, pieces[level])
	anchor.Gaps(chain, len(ids), len(text),
		func(f anchor.Fragment) {
			for k := range f.Length {
				a.match(pFrom+int(f.A+k), tFrom+int(f.B+k))
			}
		},
		func(pLow, pHigh, tLow, tHigh int) {
			a.trimmed(level+1, pFrom+pLow, pFrom+pHigh, tFrom+tLow, tFrom+tHigh, pHigh < len(ids))
		})
}

// trimmed calls between for the gap before an anchor, if there is one. The anchor is
// first extended to the left as far as the words are equal.
func (a *Aligner) trimmed(level, pFrom, pTo, tFrom, tTo int, anchored bool) {
	p, t := pTo, tTo
	for anchored && p > pFrom && t > tFrom && a.p.ids[p-1] == a.ids[t-1] {
		p, t = p-1, t-1
	}
	a.between(level, pFrom, p, tFrom, t)
	for ; p < pTo; p, t = p+1, t+1 {
		a.match(p, t)
	}
}

func (a *Aligner) match(p, t int) {
	a.m.Page = append(a.m.Page, int32(p))
	a.m.Text = append(a.m.Text, int32(t))
}
