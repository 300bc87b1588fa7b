// Package codevector is the content code vector of Gottron 2008: the page as a
// sequence of cells that are content (1) or code (0), here as run lengths.
//
//	source   <p>Grain and</p><p>chaff</p>
//	chars    000111111111 0000000 11111 0000     one cell a character
//	tokens   0  1     1   0   0   1     0        one cell a tag or word
//
//	Runs     [3,12) [19,24)     of content, in cells
//	Words    [3,8) [9,12) [19,24), each with its place in the page text
//
// A tag has the length of its source in characters, brackets included. A word has a
// cell for each character of its decoded text. If white space precedes it in its run of
// characters, there is one more cell, which is content but not part of the word. White
// space alone, comments and left out elements have no cells.
//
// The vector is never expanded to cells: its size is that of the token stream.
//
// This package is internal to Winnow and may change in any release.
package codevector

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Vector is the content code vector of one page.
type Vector struct {
	Runs  []Run // runs of content, in order, not touching
	Words []Word
	Cells int // length of the vector
}

// Run is a half-open range of cells.
type Run struct{ Start, End int32 }

// Word is a word's cells and its span in Body.Text. Text is empty for a word that is
// not in the body.
type Word struct {
	Start, End int32
	Text       page.Span
}

// The three vectors of the paper.
var (
	// Chars has one cell a character (section 3.1).
	Chars = algorithms.Feature[Vector]{
		Name:    "codevector-chars",
		Doc:     "content code vector of characters",
		Compute: func(v *Vector, p *algorithms.Pass) { v.chars(p, false) },
	}
	// CharsNoAnchors is Chars without the tags of a elements (section 3.3).
	CharsNoAnchors = algorithms.Feature[Vector]{
		Name:    "codevector-chars-no-anchors",
		Doc:     "content code vector of characters, a tags left out",
		Compute: func(v *Vector, p *algorithms.Pass) { v.chars(p, true) },
	}
	// Tokens has one cell a tag or word (section 3.1).
	Tokens = algorithms.Feature[Vector]{
		Name:    "codevector-tokens",
		Doc:     "content code vector of tags and words",
		Compute: func(v *Vector, p *algorithms.Pass) { v.tokens(p) },
	}
)

// chars fills v with characters.
func (v *Vector) chars(p *algorithms.Pass, skipAnchors bool) {
	t := p.Page.Tokens()
	v.reset()
	n := t.Len()
	kinds, tags, srcs, leads, texts := t.Kind[:n], t.Tag[:n], t.Src[:n], t.Lead[:n], t.Text[:n]
	source, text := p.Page.Source, p.Body.Text
	at := int32(0)
	for i, kind := range kinds {
		src := srcs[i]
		if kind != page.TokenWord {
			if !skipAnchors || tags[i] != html.TagA {
				at += int32(page.RuneCount(source[src.Start:src.End]))
			}
			continue
		}
		start := at
		if leads[i] {
			at++
		}
		word := Word{Start: at, Text: texts[i]}
		if texts[i].Start < texts[i].End {
			at += int32(page.RuneCount(text[texts[i].Start:texts[i].End]))
		} else {
			at += int32(page.RuneCount(source[src.Start:src.End]))
		}
		word.End = at
		v.add(start, word)
	}
	v.Cells = int(at)
}

// tokens fills v with tags and words.
func (v *Vector) tokens(p *algorithms.Pass) {
	t := p.Page.Tokens()
	v.reset()
	texts := t.Text[:t.Len()]
	for i, kind := range t.Kind {
		if kind == page.TokenWord {
			v.add(int32(i), Word{int32(i), int32(i + 1), texts[i]})
		}
	}
	v.Cells = t.Len()
}

func (v *Vector) reset() { v.Runs, v.Words, v.Cells = v.Runs[:0], v.Words[:0], 0 }

// add appends a word whose content begins at start.
func (v *Vector) add(start int32, w Word) {
	v.Words = append(v.Words, w)
	if k := len(v.Runs); k > 0 && v.Runs[k-1].End == start {
		v.Runs[k-1].End = w.End
	} else {
		v.Runs = append(v.Runs, Run{start, w.End})
	}
}
