package page

// Parse replaces what p holds by the document src, which must be valid UTF-8
// (see package pipeline/payload for decoding; other bytes pass as they are) and
// must not change while p is in use. Parsing never fails: every input is a
// document, and Page.Cut says what of it was left out.
func (p *Page) Parse(src []byte, opt Options) {
	p.reset(src, opt)
	p.builder.parse(p)
}
