package page

import "github.com/winnow/winnow/algorithms/html"

// Options say how a document is read. The zero Options are the defaults.
type Options struct {
	Bounds html.Bounds // what the document may cost
	Words  WordMode    // what counts as a word
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
	wholeReady  bool
	tokens      Tokens
	tokensReady bool
	title       []byte
}

// Parse replaces what p holds by the document src, which must be valid UTF-8
// (see package pipeline/payload for decoding; other bytes pass as they are) and
// must not change while p is in use. Parsing never fails: every input is a
// document, and p.Cut says what was left out of it.
func (p *Page) Parse(src []byte, opt Options) {
	p.opt = opt
	p.bodyReady, p.wholeReady, p.tokensReady = false, false, false
	p.Document.Parse(src, opt.Bounds)
}

// Body returns the node table of p, computed on first use.
func (p *Page) Body() *Body {
	if !p.bodyReady {
		p.body.fill(p, false)
		p.bodyReady = true
	}
	return &p.body
}

// Whole returns the rows of p, computed on first use, for extractors that also read what
// Body leaves out: the content of noscript, as that of a block element, is in them.
// Selections are of Body, not of this table. A row of both tables has the same Node.
//
// If the page has no noscript, the rows are those of Body.
func (p *Page) Whole() *Table {
	if !p.hasNoscript() {
		return &p.Body().Table
	}
	if !p.wholeReady {
		p.whole.fill(p, true)
		p.wholeReady = true
	}
	return &p.whole.Table
}

// hasNoscript says whether there is a noscript element in the body.
func (p *Page) hasNoscript() bool {
	body := p.BodyElement()
	return body != 0 && p.Find(html.TagNoscript, body, p.Tree.End[body]) != 0
}

// Tokens returns the token stream of p, computed on first use.
func (p *Page) Tokens() *Tokens {
	if !p.tokensReady {
		p.tokens.fill(p)
		p.tokensReady = true
	}
	return &p.tokens
}
