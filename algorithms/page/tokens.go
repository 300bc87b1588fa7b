package page

import "github.com/winnow/winnow/algorithms/html"

// TokenKind is the kind of a token.
type TokenKind uint8

const (
	TokenWord TokenKind = iota
	TokenStart
	TokenEnd
	TokenSelfClose
)

// Tokens is the token stream: the source from the first body start tag to the
// end of the input, all of it if there is no such tag, as tags and words in
// source order.
//
// The stream does not contain html, head and body tags, the content of the head,
// comments, doctypes, and the content of elements that Body leaves out or holds without
// content; it contains the tags of those elements. It does not contain hidden text
// either, but it contains the tags around it.
//
// Words need no alignment with the text (the two cursors of that section), because the
// scan that built the tree recorded the node of every run of characters.
//
// All slices have one entry for each token.
type Tokens struct {
	Kind []TokenKind
	Tag  []html.Tag   // names of tags; 0 for words
	Src  []html.Range // range of Page.Source
	// Segment numbers the runs of characters between two lexical items, from 0
	// on; -1 for tags.
	Segment []int32
	Lead    []bool // for words: white space precedes the word in its segment
	// Text is the range of the word in Body.Text. It is empty for tags, and for words
	// that did not reach the body, which cannot be selected.
	Text []Span

	done []reached // position up to which the text of each row was read
}

// reached is a position in a text row, in the node's data and in Body.Text.
type reached struct {
	data uint32
	text int32
}

// Len returns the number of tokens.
func (k *Tokens) Len() int { return len(k.Kind) }

func (k *Tokens) add(kind TokenKind, tag html.Tag, src html.Range, segment int32, lead bool, text Span) {
	k.Kind = append(k.Kind, kind)
	k.Tag = append(k.Tag, tag)
	k.Src = append(k.Src, src)
	k.Segment = append(k.Segment, segment)
	k.Lead = append(k.Lead, lead)
	k.Text = append(k.Text, text)
}

// keepTokens is the number of tokens up to which the stream keeps its memory, about
// 16 MB, for the next page.
const keepTokens = 1 << 19

// fill computes the stream in one pass over the lexical items.
func (k *Tokens) fill(p *Page) {
	if cap(k.Kind) > keepTokens {
		*k = Tokens{}
	}
	k.Kind, k.Tag, k.Src = k.Kind[:0], k.Tag[:0], k.Src[:0]
	k.Segment, k.Lead, k.Text = k.Segment[:0], k.Lead[:0], k.Text[:0]
	t, l, b := &p.Tree, &p.Lex, p.Body()
	grow(&k.done, b.Len())
	for r := range k.done {
		k.done[r] = reached{t.Data[b.Node[r]].Start, b.TextStart[r]}
	}
	var (
		head, headEnd = p.Head()
		out           html.Node // element whose content is left out at present
		raw           bool      // the raw text that follows is left out
		segment       int32
		row           Row // row of the last text
	)
	for i := p.BodyLex(); i < l.Len(); i++ {
		n, tag := l.Node[i], l.Tag[i]
		if out != 0 && n != 0 && (n < out || n >= t.End[out]) {
			out = 0 // the element has no end tag, or is closed by that of an element around it
		}
		if head < n && n < headEnd {
			raw = classesOf(tag)&classRaw != 0 && l.Kind[i] == html.LexStart
			continue
		}
		switch l.Kind[i] {
		case html.LexStart, html.LexSelfClose:
			raw = false
			if out != 0 || tag == html.TagHtml || tag == html.TagHead || tag == html.TagBody {
				continue
			}
			kind := TokenStart
			if l.Kind[i] == html.LexSelfClose {
				kind = TokenSelfClose
			}
			k.add(kind, tag, l.Src[i], -1, false, Span{})
			if cls := classesOf(tag); cls&(classLeftOut|classChildless) != 0 {
				raw = cls&classRaw != 0
				if n != 0 && t.End[n] > n+1 {
					out = n
				}
			}
		case html.LexEnd:
			raw = false
			if out != 0 && n == out {
				out = 0
			}
			if out != 0 || tag == html.TagHtml || tag == html.TagHead || tag == html.TagBody {
				continue
			}
			k.add(TokenEnd, tag, l.Src[i], -1, false, Span{})
		case html.LexText:
			if out != 0 || raw {
				raw = false
				continue
			}
			if n == 0 {
				segment += k.stray(p, l.Src[i], segment)
				continue
			}
			if int(row)+1 < b.Len() && b.Node[row+1] == n {
				row++
			} else if r, ok := b.Row(n); ok {
				row = r
			} else {
				continue // blank, or content of an element that is left out
			}
			if b.Flags[row]&Hidden != 0 {
				continue
			}
			segment += k.words(p, i, row, segment)
		}
	}
}

// Head returns the range of nodes of the head element, which is empty if there is none.
func (p *Page) Head() (start, end html.Node) {
	if head := p.HeadElement(); head != 0 {
		return head, p.Tree.End[head]
	}
	return 0, 0
}

// BodyLex returns the first lexical item after the first body start tag in the source,
// or 0 if there is none. Text before that tag may already have created the body element.
func (p *Page) BodyLex() int {
	l := &p.Lex
	for i, tag := range l.Tag {
		if tag == html.TagBody && l.Kind[i] == html.LexStart {
			return i + 1
		}
	}
	return 0
}

// stray adds the words of text that did not reach the tree and returns the
// number of segments added.
func (k *Tokens) stray(p *Page, src html.Range, segment int32) int32 {
	s := p.Source[src.Start:src.End]
	before := k.Len()
	for i, last := skipSpace(s, 0), 0; i < len(s); i = skipSpace(s, last) {
		j := wordEnd(s, i, p.opt.Words)
		k.add(TokenWord, 0, html.Range{Start: src.Start + uint32(i), End: src.Start + uint32(j)}, segment, i > last, Span{})
		last = j
	}
	return min(1, int32(k.Len()-before))
}

// words adds the words of the text item i, which was appended to the text row r, and
// returns the number of segments added.
func (k *Tokens) words(p *Page, i int, r Row, segment int32) int32 {
	b, src, data := &p.body, p.Lex.Src[i], p.Lex.Data[i]
	d := &k.done[r]
	text := b.Text[:b.TextEnd[r]]
	k.skip(p, r, data.Start)

	s := p.Tree.Text[data.Start:data.End]
	at := p.SourceCursor(i)
	before := k.Len()
	pos := int(d.text)
	for w, last := skipSpace(s, 0), 0; w < len(s); w = skipSpace(s, last) {
		end := wordEnd(s, w, b.mode)
		pos = skipSpace(text, pos)
		from := at.Seek(w)
		to := at.Seek(end)
		k.add(TokenWord, 0, html.Range{Start: src.Start + uint32(from), End: src.Start + uint32(to)}, segment, w > last,
			Span{int32(pos), int32(pos + end - w)})
		pos += end - w
		last = end
	}
	d.data, d.text = data.End, int32(pos)
	return min(1, int32(k.Len()-before))
}

// skip advances the position of row r over data before to that belongs to no item.
func (k *Tokens) skip(p *Page, r Row, to uint32) {
	d := &k.done[r]
	if d.data >= to {
		return
	}
	s := p.Tree.Text[d.data:to]
	text := p.body.Text[:p.body.TextEnd[r]]
	for w := skipSpace(s, 0); w < len(s); w = skipSpace(s, w) {
		end := wordEnd(s, w, WordsBySpace)
		d.text = int32(skipSpace(text, int(d.text)) + end - w)
		w = end
	}
	d.data = to
}
