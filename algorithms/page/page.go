package page

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
)

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
	tokens      Tokens
	tokensReady bool
	title       []byte
}

// Parse replaces what p holds by the document src, which must be valid UTF-8
// (package pipeline/source/payload decodes documents; invalid bytes are kept as they are) and
// must not change while p is in use. Parsing never fails: every input is a
// document, and p.Cut reports which parts of it were left out.
//
// By the standard, a title that is never closed takes all of the source after it, so that
// the body is empty. The page of such a source is the part after the title's tag, if that has
// markup of text: readers of the page saw its text, in browsers of the time.
func (p *Page) Parse(src []byte, opt Options) {
	p.opt = opt
	p.bodyReady, p.tokensReady = false, false
	p.Document.Parse(src, opt.Bounds)
	if rest := p.afterTitle(); rest != nil {
		p.Document.Parse(rest, opt.Bounds)
	}
}

// afterTitle returns the source after the tag of a title that is never closed, or nil if
// there is no such title or no markup of text after it.
func (p *Page) afterTitle() []byte {
	t := &p.Tree
	if body := p.BodyElement(); body == 0 || t.End[body] > body+1 {
		return nil
	}
	n := p.Find(html.TagTitle, 0, html.Node(t.Len()))
	if n == 0 || t.Close[n].Len() > 0 || t.Open[n].Len() == 0 {
		return nil
	}
	rest := p.Source[t.Open[n].End:]
	for _, tag := range []string{"<p", "<P", "<td", "<div"} {
		if bytes.Contains(rest, []byte(tag)) {
			return rest
		}
	}
	return nil
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
