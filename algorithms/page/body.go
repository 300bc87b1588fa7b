package page

import "github.com/winnow/winnow/algorithms/html"

// Row numbers the rows of a Body in preorder; row 0 is the body element.
type Row int32

// Flag is a set of properties of a row.
type Flag uint16

const (
	// IsText: the row is a text node that is not blank.
	IsText Flag = 1 << iota
	// InA: the row has an a element as a proper ancestor.
	InA
	// InAHref: the row has an a[href] as a proper ancestor.
	InAHref
	// InLink: the row has a link tag (a, button, select) as a proper ancestor.
	InLink
	// Hidden: the element or an ancestor has the hidden attribute or an inline
	// style with display:none or visibility:hidden. Hidden text is in Text but in
	// no sum, and hidden elements are in no sum, either. The methods of Selection that
	// add rows leave hidden rows out.
	Hidden
	// IsBlock: the row is an element of the set B of block elements.
	IsBlock
	// HasHref: the row is an element with an href attribute.
	HasHref
	// InNoscript: the row is a noscript element or is in one. No row of a Body has it;
	// see Body.All.
	InNoscript

	inPre // white space in the texts below the row is kept as written

	// The row is an a element, a link tag of CETD, an img element, or a list or list item.
	isA
	isLink
	isImg
	isList

	ofClass = IsBlock | isA | isLink | isImg | isList // flags that follow from the element's name
	private = inPre | isA | isLink | isImg | isList   // flags that only fill uses
)

// Table has the rows of a node table: a tree in preorder with the text of its rows.
type Table struct {
	Text []byte

	Node      []html.Node // the row's node in the Tree
	Tag       []html.Tag  // TagText for text
	Parent    []Row
	End       []Row
	Depth     []int32 // 0 for body
	TextStart []int32 // start of the row's slice of Text: the first byte of its first text
	TextEnd   []int32 // end of its last text; equal to TextStart if the row has no text
	Flags     []Flag
	Block     []Row // nearest element in B among the row and its ancestors; 0 if there is none
}

// Len returns the number of rows, which is 0 for a page without a body.
func (t *Table) Len() int { return len(t.Tag) }

// Body is the node table of main-content extraction: the body element, the
// elements below it and the text nodes that are not blank.
//
// The table does not contain comments, nor the elements script, style, template and title
// with their content. It contains iframe, object, embed, svg, math, select and datalist as
// childless elements, without their content.
//
// What noscript elements contain is shown only in place of something else. Its rows
// therefore follow those of the body, in All: extractors that do not want them read the
// table of the Body, which is the beginning of All.
//
// Text is the page text (DT): the text nodes in document order, each run of
// white space folded into one blank (kept as written inside pre and textarea),
// with one newline wherever a block-level element starts or ends or a br
// is between two texts. Nothing is inserted at inline elements, so a word
// may cross a tag here while it counts as two words in TextWords. Blanks next to a
// newline, blank lines of a pre next to its edges and white space at the end of
// the page are not kept. Every row's slice of Text begins and ends with a
// character that is not white space. The slice of an element without text is empty
// and lies at the end of the text before the element.
//
// White space means the characters with the Unicode property White_Space, and U+001C to
// U+001F.
//
// The columns of rows have one entry for each row. The prefix sums have one more: the
// total of P over the subtree of n is P[End[n]]-P[n], and without n itself it is
// P[End[n]]-P[n+1].
type Body struct {
	Table

	// All has the rows of Table and, after them, the subtrees of the noscript elements in
	// the body, in document order, as block elements. The Parent of such an element is the
	// row around it, whose End does not include it. All.Text begins with Text in the same way;
	// Selections refer to it. The other columns have no entries for these rows.
	All Table

	Kids, EKids []int32 // number of children, and of element children; both include hidden ones
	FBlock      []Row   // the same as Block for the set F, the blocks of Debnath et al.
	LinkTags    []int32 // link-tag number of CETD (LT of Sun, Song and Liao 2011): of a link, the elements in it; else the sum over the children, plus one for each child that is a link or holds only links
	Scripts     []int32 // script elements left out directly under this row

	Chars, TextWords         []int32 // characters (runes, after white space is folded and trimmed) and words of text nodes
	AnchorChars, AnchorWords []int32 // characters and words of text nodes that have the flag InA
	HrefChars                []int32 // characters of text nodes that have the flag InAHref
	LinkChars                []int32 // characters of text nodes that have the flag InLink
	Elements                 []int32 // elements
	Anchors, Hrefs           []int32 // a elements, and those with an href attribute
	Leaves                   []int32 // leaves: text nodes and childless elements
	Images                   []int32 // img elements
	Lists                    []int32 // ul, ol and li elements
	HiddenTexts              []int32 // hidden text nodes

	open      []frame    // stack of open elements, used while rows are made
	noscripts []noscript // found while the rows of the body are made
	mode      WordMode

	words, allWords           Words
	wordsReady, allWordsReady bool
}

// Sum returns the total of the prefix sum p over the subtree of n, including n.
func (b *Body) Sum(p []int32, n Row) int { return int(p[b.End[n]] - p[n]) }

// Row returns the row of the tree node n in the table of b; ok is false if n has none.
func (b *Body) Row(n html.Node) (r Row, ok bool) {
	lo, hi := 0, len(b.Node)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); b.Node[mid] < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return Row(lo), lo < len(b.Node) && b.Node[lo] == n
}

// Words are words of a Body in the order of its text.
type Words struct {
	Span []Span
	Row  []Row // the text row that the word is in
}

// Words returns the visible words of b, which are computed on first use. Their order is
// that of the prefix sum TextWords: the words of the subtree of row r are those from
// TextWords[r] to TextWords[End[r]]. The result is valid until the next Parse.
func (b *Body) Words() *Words {
	if !b.wordsReady {
		b.words.fill(&b.Table, Hidden, b.mode)
		b.wordsReady = true
	}
	return &b.words
}

// AllWords returns the words of All, those of hidden text and of noscript included, which
// are computed on first use. The result is valid until the next Parse.
func (b *Body) AllWords() *Words {
	if b.All.Len() == b.Len() && b.HiddenTexts[b.Len()] == 0 {
		return b.Words()
	}
	if !b.allWordsReady {
		b.allWords.fill(&b.All, 0, b.mode)
		b.allWordsReady = true
	}
	return &b.allWords
}

// fill makes w the words of the text rows of t that do not have the flag without.
func (w *Words) fill(t *Table, without Flag, mode WordMode) {
	w.Span, w.Row = w.Span[:0], w.Row[:0]
	for r, f := range t.Flags {
		if f&(IsText|without) != IsText {
			continue
		}
		text := t.Text[:t.TextEnd[r]]
		for i := int(t.TextStart[r]); i < len(text); i = skipSpace(text, i) {
			j := wordEnd(text, i, mode)
			w.Span = append(w.Span, Span{int32(i), int32(j)})
			w.Row = append(w.Row, Row(r))
			i = j
		}
	}
}
