package page

import "github.com/winnow/winnow/algorithms/html"

// Options say how a document is read. The zero Options are the defaults.
type Options struct {
	Bounds html.Bounds // what the document may cost
	Words  WordMode    // which sequences of characters count as words
	// ShowHidden treats hidden text as visible: no row is flagged Hidden.
	ShowHidden bool
}

// Page is one parsed document. See the package comment.
type Page struct {
	html.Document

	opt         Options
	body        Body
	bodyReady   bool
	whole       Body
	wholeTable  *Table // of whole or, if that has the same rows, of body; nil until it is asked for
	tokens      Tokens
	tokensReady bool
	title       []byte
}

// Parse replaces what p holds by the document src, which must be valid UTF-8
// (package pipeline/source/payload decodes documents; invalid bytes are kept as they are) and
// must not change while p is in use. Parsing never fails: every input is a
// document, and p.Cut reports which parts of it were left out.
func (p *Page) Parse(src []byte, opt Options) {
	p.opt = opt
	p.bodyReady, p.wholeTable, p.tokensReady = false, nil, false
	p.Document.Parse(src, opt.Bounds)
}

// Body returns the node table of p, which is computed on first use.
func (p *Page) Body() *Body {
	if !p.bodyReady {
		p.body.fill(p, false)
		p.bodyReady = true
	}
	return &p.body
}

// Whole returns a second node table of p, which is computed on first use. In addition to
// the rows of Body it has the content of noscript elements, which it treats as block
// elements. Selections refer to Body, not to this table; the column Node relates the rows
// of both tables to each other.
//
// If the page has no noscript element, the rows are those of Body.
func (p *Page) Whole() *Table {
	switch {
	case p.wholeTable != nil:
	case p.hasNoscript():
		p.whole.fill(p, true)
		p.wholeTable = &p.whole.Table
	default:
		p.wholeTable = &p.Body().Table
	}
	return p.wholeTable
}

// hasNoscript reports whether there is a noscript element in the body.
func (p *Page) hasNoscript() bool {
	body := p.BodyElement()
	return body != 0 && p.Find(html.TagNoscript, body, p.Tree.End[body]) != 0
}

// Tokens returns the token stream of p, which is computed on first use.
func (p *Page) Tokens() *Tokens {
	if !p.tokensReady {
		p.tokens.fill(p)
		p.tokensReady = true
	}
	return &p.tokens
}
