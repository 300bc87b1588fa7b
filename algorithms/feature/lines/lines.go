// Package lines is the source of the body as lines, for extractors that count tags and
// text by line (Weninger, Hsu and Han 2010).
//
// The lines are those of the source from the body start tag on, without
// comments and without the elements script, style and noscript. A tag belongs
// to the line on which it begins, a word to the line it is on. Lines with
// neither are dropped.
//
// The lines of source with hardly any line ends say nothing. If the lines are longer
// than Trigger characters on average, the source is divided into new lines. Once a line
// holds Columns characters, it is broken before the next tag or at the next white
// space, and again as soon as white space alone fills it.
//
// This package is internal to Winnow and may change in any release.
package lines

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// View is the body as lines. All slices have one entry a line.
type View struct {
	Chars []int32 // characters of text, white space folded
	Tags  []int32 // tags
	// The line holds the tags and words [From, To) of Page.Tokens.
	From, To []int32
}

// Len is the number of lines.
func (v *View) Len() int { return len(v.Chars) }

// Wrap says when and how the source is divided into new lines.
type Wrap struct {
	Columns int // characters that a line holds before it is broken
	Trigger int // average length of lines above which they are made again
}

// DefaultWrap has the published 65 columns. The trigger of four times as many is not
// published.
var DefaultWrap = Wrap{Columns: 65, Trigger: 4 * 65}

// Default is the view with DefaultWrap.
var Default = algorithms.Feature[View]{
	Name:    "lines",
	Doc:     "source lines of the body with their text and tags",
	Compute: func(v *View, p *algorithms.Pass) { v.Split(p, DefaultWrap) },
}

// Split fills v with the lines of the page in p.
func (v *View) Split(p *algorithms.Pass, wrap Wrap) {
	v.Chars, v.Tags, v.From, v.To = v.Chars[:0], v.Tags[:0], v.From[:0], v.To[:0]
	s := splitter{view: v, page: p.Page, text: p.Body.Text, tokens: p.Page.Tokens()}
	if runes, ends := measure(p.Page); runes > wrap.Trigger*(ends+1) {
		s.columns = wrap.Columns
	}
	w := newWalk(p.Page)
	for i, ok := w.next(); ok; i, ok = w.next() {
		if p.Page.Lex.Kind[i] == html.LexText {
			s.textItem(p.Page.Lex.Src[i])
		} else {
			s.tagItem(p.Page.Lex.Src[i])
		}
	}
	s.end()
}

// measure counts the characters and the line ends of the source that is kept.
func measure(pg *page.Page) (runes, ends int) {
	w := newWalk(pg)
	var kept html.Range // contiguous items
	flush := func() {
		s := pg.Source[kept.Start:kept.End]
		runes += page.RuneCount(s)
		ends += bytes.Count(s, []byte{'\n'})
	}
	for i, ok := w.next(); ok; i, ok = w.next() {
		if src := pg.Lex.Src[i]; src.Start == kept.End {
			kept.End = src.End
		} else {
			flush()
			kept = src
		}
	}
	flush()
	return runes, ends
}

// splitter cuts items into lines.
type splitter struct {
	view    *View
	page    *page.Page
	text    []byte
	tokens  *page.Tokens
	next    int // token
	columns int // 0: lines are those of the source

	// Of the current line:
	from        int   // first token
	chars, tags int32 // so far
	space       bool  // white space follows the last word
	length      int   // characters of source, if columns > 0
}

// end ends the current line.
func (s *splitter) end() {
	if s.chars > 0 || s.tags > 0 {
		v := s.view
		v.Chars, v.Tags = append(v.Chars, s.chars), append(v.Tags, s.tags)
		v.From, v.To = append(v.From, int32(s.from)), append(v.To, int32(s.next))
	}
	s.from, s.chars, s.tags, s.space, s.length = s.next, 0, 0, false, 0
}

// tagItem adds a tag.
func (s *splitter) tagItem(src html.Range) {
	if s.columns > 0 && s.length >= s.columns {
		s.end()
	}
	s.skipTo(src.Start)
	if s.next < s.tokens.Len() && s.tokens.Src[s.next].Start == src.Start {
		s.tags++
		s.next++
	}
	s.passOver(s.page.Source[src.Start:src.End])
}

// skipTo skips tokens before the source position at: tags of elements that are not part
// of lines.
func (s *splitter) skipTo(at uint32) {
	for s.next < s.tokens.Len() && s.tokens.Src[s.next].Start < at {
		s.next++
	}
}

// passOver adds source that holds no words. It ends the line at every line end.
func (s *splitter) passOver(src []byte) {
	if i := bytes.LastIndexByte(src, '\n'); i >= 0 {
		s.end()
		src = src[i+1:]
	}
	if s.columns > 0 {
		s.length += page.RuneCount(src)
	}
}

// textItem adds a run of characters.
func (s *splitter) textItem(src html.Range) {
	at := src.Start
	s.skipTo(at)
	for s.next < s.tokens.Len() && s.tokens.Src[s.next].Start < src.End {
		word := s.tokens.Src[s.next]
		s.gap(s.page.Source[at:word.Start])
		s.word(s.next)
		s.next++
		at = word.End
	}
	s.gap(s.page.Source[at:src.End])
}

// word adds the word token i.
func (s *splitter) word(i int) {
	if s.space && s.chars > 0 {
		s.chars++
	}
	s.space = false
	src, text := s.tokens.Src[i], s.tokens.Text[i]
	if text.Start < text.End {
		s.chars += int32(page.RuneCount(s.text[text.Start:text.End]))
	} else {
		s.chars += int32(page.RuneCount(s.page.Source[src.Start:src.End]))
	}
	if s.columns > 0 {
		s.length += page.RuneCount(s.page.Source[src.Start:src.End])
	}
}

// gap adds what is before, between or after words: white space, or text that is not
// part of the token stream.
func (s *splitter) gap(src []byte) {
	if len(src) == 0 {
		return
	}
	if s.columns == 0 {
		s.space = true
		if len(src) > 1 || src[0] != ' ' {
			s.passOver(src)
		}
		return
	}
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		src = src[n:]
		switch {
		case r == '\n', s.length >= s.columns && isBlank(r): // the line end takes its place
			s.end()
		default:
			s.length++
		}
	}
	s.space = true
}

// isBlank reports whether r is white space as package page defines it.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
