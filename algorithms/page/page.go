package page

import "github.com/winnow/winnow/algorithms/html"

// Options describe how a document is read. The zero Options are the defaults.
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
	tokens      Tokens
	tokensReady bool
	title       []byte
}

// Parse replaces what p holds by the document src, which must be valid UTF-8
// (package pipeline/source/payload decodes documents; invalid bytes are kept as they are) and
// must not change while p is in use. Parsing never fails: every input is a
// document, and p.Cut reports which parts of it were left out.
//
// It is parsed by Document.ParseOn: readers of the page saw its text, in browsers of the
// time or before a program wrote the page as XML.
func (p *Page) Parse(src []byte, opt Options) {
	p.opt = opt
	p.bodyReady, p.tokensReady = false, false
	p.Document.ParseOn(src, opt.Bounds)
}

// Body returns the node table of p, which is computed on first use.
func (p *Page) Body() *Body {
	if !p.bodyReady {
		p.body.fill(p)
		p.bodyReady = true
	}
	return &p.body
}

// Tokens returns the token stream of p, which is computed on first use.
func (p *Page) Tokens() *Tokens {
	if !p.tokensReady {
		p.tokens.fill(p)
		p.tokensReady = true
	}
	return &p.tokens
}
