package page

type parser struct{}

// Parse replaces what p holds by the document src, which must be valid UTF-8
// (see package pipeline/payload for decoding) and must not change while p is
// in use. Parsing never fails: every input is a document.
func (p *Page) Parse(src []byte, opt Options) {
	p.Source, p.bodyReady = src, false
	panic("page: Parse is being written")
}

// Body returns the node table of p, computed on first use.
func (p *Page) Body() *Body {
	panic("page: Body is being written")
}
