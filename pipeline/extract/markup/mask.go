package markup

import (
	"bytes"
	"net/url"

	"github.com/winnow/winnow/algorithms/page"
)

// Masking determines what is hidden in markup. The zero Masking hides nothing.
type Masking struct {
	// Find reports what is to be hidden in a text, in order, and what is written instead.
	Find func(text []byte, found func(start, end int, mask string))
	// Schemes are those of addresses that are left out, such as "mailto".
	Schemes []string
	// Addresses means that all addresses are left out: those of links, whose text stays, and
	// of images.
	Addresses bool
}

// Text appends text to dst with what is to be hidden replaced.
func (m *Masking) Text(dst, text []byte) []byte {
	from := 0
	m.Find(text, func(start, end int, mask string) {
		dst = append(append(dst, text[from:start]...), mask...)
		from = end
	})
	return append(dst, text[from:]...)
}

// masks returns what is to be hidden in the text of a selection as ranges of the text of
// the page. What elements or hidden text divide is found, because the text is searched as
// it is written without markup.
func (m *Masking) masks(b *page.Body, s *page.Selection) (masks []page.Mask) {
	type piece struct {
		at int
		of page.Span
	}
	var pieces []piece
	text := s.AppendTextPieces(nil, b, func(at int, of page.Span) { pieces = append(pieces, piece{at, of}) })
	m.Find(text, func(start, end int, mask string) {
		for len(pieces) > 0 && pieces[0].at+pieces[0].of.Len() <= start {
			pieces = pieces[1:]
		}
		for _, p := range pieces {
			if p.at >= end {
				break
			}
			from, to := max(start, p.at)-p.at, min(end, p.at+p.of.Len())-p.at
			masks = append(masks, page.Mask{Span: page.Span{Start: p.of.Start + int32(from), End: p.of.Start + int32(to)}, Text: mask})
			mask = "" // it is written once
		}
	})
	return masks
}

// hides reports whether something in an address is to be hidden.
func (m *Masking) hides(address []byte) bool {
	scheme, _, found := bytes.Cut(bytes.TrimSpace(address), []byte(":"))
	for _, s := range m.Schemes {
		if found && bytes.EqualFold(scheme, []byte(s)) {
			return true
		}
	}
	hidden := false
	note := func(int, int, string) { hidden = true }
	m.Find(address, note)
	if plain, err := url.PathUnescape(string(address)); err == nil {
		m.Find([]byte(plain), note)
	}
	return hidden
}

// options returns the options of package page for a selection.
func (m *Masking) options(p *page.Page, s *page.Selection, address string) page.MarkupOptions {
	opt := page.MarkupOptions{Resolve: absolute(p, address), Formulas: true}
	if m.Addresses {
		opt.Resolve = func([]byte) []byte { return nil }
	}
	if m.Find == nil {
		return opt
	}
	resolve := opt.Resolve
	opt.Resolve = func(address []byte) []byte {
		if m.hides(address) {
			return nil
		}
		if resolve != nil {
			address = resolve(address)
		}
		return address
	}
	opt.Value = func(value []byte) []byte { return m.Text(nil, value) }
	opt.Masks = m.masks(p.Body(), s)
	return opt
}
