package winnow

import (
	"sort"

	"github.com/winnow/winnow/algorithms/compare/posts"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Kind is what a block of the main content is.
type Kind string

const (
	Heading   Kind = "heading"
	Paragraph Kind = "paragraph" // also text in no element that has a meaning
	ListItem  Kind = "list item" // also a term or its description
	TableRow  Kind = "table row" // cells are lines
	Code      Kind = "code"
	Quote     Kind = "quote"
	Caption   Kind = "caption" // the caption of a figure or table
	Post      Kind = "post"    // all that one person wrote at one time in a discussion, without the replies in it
)

// Block is a part of the main content that is understood on its own, as the chunks of a
// retrieval pipeline are made of.
type Block struct {
	Text  string
	Kind  Kind
	Level int // level of a heading, 1 to 6; 0 for other kinds
	// Author and Date are of a post, as the page marks them up; "" where it does not.
	Author, Date string
	// Probability is how probable it is that the block is main content, as the extractor
	// "winnow" estimates it; 0 for extractors that do not estimate it.
	Probability float64
}

// Blocks returns the main content in parts, in the order of the page. An extractor that
// selects words has blocks with those words alone.
func (r *Result) Blocks() []Block {
	r.check()
	var blocks []Block
	var part page.Selection
	var kind Kind
	var level int
	var post *posts.Post
	thread := postsIn{posts: posts.Of(r.page, r.selection), page: r.page}
	body := r.page.Body()
	t := &body.All
	flush := func() {
		if text := part.AppendText(nil, body); len(text) > 0 {
			b := Block{Text: string(text), Kind: kind, Level: level}
			if post != nil {
				b.Author, b.Date = post.Author, post.Date
			}
			start := part.Spans[0].Start
			i := sort.Search(len(r.probabilities), func(i int) bool { return r.probabilities[i].End > start })
			if i < len(r.probabilities) && r.probabilities[i].Start < part.Spans[len(part.Spans)-1].End {
				b.Probability = float64(r.probabilities[i].P)
			}
			blocks = append(blocks, b)
		}
		part.Reset()
	}
	row, before := page.Row(0), page.Row(-1)
	for _, s := range r.selection.Spans {
		for ; int(row) < t.Len() && t.TextStart[row] < s.End; row++ {
			if t.Flags[row]&page.IsText == 0 || t.TextEnd[row] <= s.Start {
				continue
			}
			container, k, l := containerOf(t, row)
			next := thread.around(row)
			if next != nil {
				container, k, l = next.Row, Post, 0
			}
			if container != before {
				flush()
				before, kind, level, post = container, k, l, next
			}
			part.AddSpan(body, page.Span{Start: max(s.Start, t.TextStart[row]), End: min(s.End, t.TextEnd[row])})
			if t.TextEnd[row] > s.End {
				break // the next span may begin in this row
			}
		}
	}
	flush()
	return blocks
}

// postsIn finds the post around a text.
type postsIn struct {
	posts []posts.Post // those that have not begun
	open  []*posts.Post
	page  *page.Page
}

// around returns the innermost post around a row; nil if there is none. It is called with
// ascending rows.
func (p *postsIn) around(row page.Row) *posts.Post {
	for len(p.posts) > 0 && p.posts[0].Row < row {
		p.open = append(p.open, &p.posts[0])
		p.posts = p.posts[1:]
	}
	for n := len(p.open); n > 0; n-- {
		if p.page.Body().End[p.open[n-1].Row] > row {
			return p.open[n-1]
		}
		p.open = p.open[:n-1]
	}
	return nil
}

// maxClimb bounds how many elements around a text are looked at.
const maxClimb = 32

// containerOf returns the element that makes a block of a text: a heading, list item or
// quotation with all that is in it, a row of a table whose cells hold nothing but text, or
// the nearest block element.
func containerOf(t *page.Table, row page.Row) (container page.Row, kind Kind, level int) {
	nearest := t.Block[row]
	for x, n := nearest, 0; x > 0 && n < maxClimb; x, n = t.Parent[x], n+1 {
		switch tag := t.Tag[x]; tag {
		case html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
			return x, Heading, int(tag-html.TagH1) + 1
		case html.TagPre:
			return x, Code, 0
		case html.TagLi, html.TagDt, html.TagDd:
			return x, ListItem, 0
		case html.TagBlockquote:
			return x, Quote, 0
		case html.TagFigcaption, html.TagCaption:
			return x, Caption, 0
		case html.TagTd, html.TagTh:
			if x == nearest {
				return t.Parent[x], TableRow, 0
			}
			return nearest, Paragraph, 0 // a table that lays out the page
		}
	}
	return nearest, Paragraph, 0
}
