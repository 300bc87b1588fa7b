package main

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// reader divides a document into blocks and labels them.
type reader struct {
	page    page.Page
	blocks  blocks.Page
	words   align.Page
	aligner align.Aligner
	matches align.Matches
}

// labels holds what the gold says about the blocks of one page.
type labels struct {
	content  []float32 // share of the block's words that are in the gold
	comments []bool    // whether the block is in a section of readers' comments
	coverage float64   // share of the gold's words that were found on the page
	words    int       // number of words of the gold
}

func (r *reader) parse(d *document) bool {
	r.page.Parse(d.HTML, page.Options{})
	return r.blocks.Fill(&r.page, d.URL)
}

// label aligns the gold with the page that was parsed last.
func (r *reader) label(d *document) labels {
	r.words.FillAll(&r.page.Body().All)
	r.aligner.Align(&r.matches, &r.words, []byte(d.Gold))
	n := len(r.blocks.Blocks)
	l := labels{content: make([]float32, n), comments: r.commentSections(), coverage: r.matches.Coverage(), words: r.matches.Words}
	all := make([]int, n)
	at, next := 0, 0
	for w, span := range r.words.Words {
		for at < n && r.blocks.Blocks[at].End <= span.Start {
			at++
		}
		if at == n {
			break
		}
		all[at]++
		for next < len(r.matches.Page) && int(r.matches.Page[next]) < w {
			next++
		}
		if next < len(r.matches.Page) && int(r.matches.Page[next]) == w {
			l.content[at]++
		}
	}
	for i := range l.content {
		l.content[i] /= max(1, float32(all[i]))
	}
	return l
}

// graftMark is the attribute of sections that were grafted onto a page.
const graftMark = "data-graft"

// commentSections returns for each block whether it is in a comments section. That is a
// grafted section, or an outermost element with a class or id that begins like
// "comment" and with less than nine tenths of the page's words.
func (r *reader) commentSections() []bool {
	b := &r.page.Body().All
	in := make([]bool, len(r.blocks.Blocks))
	words := make([]int, b.Len()+1) // in the texts before the row
	for row, f := range b.Flags {
		words[row+1] = words[row]
		if f&page.IsText != 0 {
			words[row+1] += len(bytes.Fields(b.Text[b.TextStart[row]:b.TextEnd[row]]))
		}
	}
	all := words[b.Len()]
	for row := page.Row(1); int(row) < b.Len(); {
		if b.Flags[row]&page.IsText == 0 && r.opensComments(b.Node[row]) && (words[b.End[row]]-words[row])*10 < all*9 {
			for i := range in {
				if k := &r.blocks.Blocks[i]; k.First > row && k.First < b.End[row] {
					in[i] = true
				}
			}
			row = b.End[row]
			continue
		}
		row++
	}
	return in
}

func (r *reader) opensComments(n html.Node) bool {
	for _, a := range r.page.Attrs(n) {
		switch string(r.page.AttrName(a)) {
		case graftMark:
			return true
		case "class", "id":
			v := bytes.ToLower(r.page.AttrValue(a))
			for i := 0; ; {
				at := bytes.Index(v[i:], []byte("comment"))
				if at < 0 {
					break
				}
				i += at
				if i == 0 || v[i-1] < 'a' || v[i-1] > 'z' {
					return true
				}
				i++
			}
		}
	}
	return false
}
