package website

import (
	"bytes"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/address"
	"github.com/winnow/winnow/algorithms/html"
)

// minWords is how many words of body text a page must have to be sampled.
const minWords = 50

// Eligible reports whether the page may be sampled, by what the page itself says: it has
// at least minWords words and does not send its reader to another address. The reader
// of the archive checks what the archive records about the page (status, media type, size).
func Eligible(p *algorithms.Pass) bool {
	b := p.Body
	return b.Len() > 0 && b.Sum(b.TextWords, 0) >= minWords && !refreshes(p)
}

// TextHash distinguishes pages by their text. Of two sampled pages with one hash the
// later is left out, because print views and session addresses would make their content
// look like template.
func TextHash(p *algorithms.Pass) uint64 { return xxhash.Sum64(p.Body.Text) }

// refreshes reports whether a meta element sends the reader to another address.
// Those in noscript do not count: browsers that run scripts never see them.
func refreshes(p *algorithms.Pass) bool {
	t := &p.Page.Tree
	for n := html.Node(0); int(n) < t.Len(); {
		switch t.Tag[n] {
		case html.TagNoscript, html.TagTemplate:
			n = max(n+1, t.End[n])
			continue
		case html.TagMeta:
			if name, ok := p.Page.Attr(n, "http-equiv"); ok && bytes.EqualFold(bytes.TrimSpace(name), []byte("refresh")) {
				content, _ := p.Page.Attr(n, "content")
				if target := refreshTarget(content); len(target) > 0 && leaves(p, target) {
					return true
				}
			}
		}
		n++
	}
	return false
}

// leaves reports whether target is another page than p.
func leaves(p *algorithms.Pass, target []byte) bool {
	base := address.Of.Of(p)
	to, _ := base.Append(nil, target)
	return !bytes.Equal(to, base.Own())
}

// refreshTarget is the address in the content of a refresh, empty if there is
// none (HTML standard, shared declarative refresh steps): a number, then white
// space, ";" or ",", then the address, which "url=" may precede and quotes enclose.
func refreshTarget(content []byte) []byte {
	s := bytes.TrimSpace(content)
	for len(s) > 0 && ('0' <= s[0] && s[0] <= '9' || s[0] == '.') {
		s = s[1:]
	}
	if len(s) == len(bytes.TrimSpace(content)) {
		return nil // no number: browsers ignore it
	}
	if s = bytes.TrimSpace(s); len(s) > 0 && (s[0] == ';' || s[0] == ',') {
		s = bytes.TrimSpace(s[1:])
	}
	if len(s) >= 3 && bytes.EqualFold(s[:3], []byte("url")) {
		if after := bytes.TrimSpace(s[3:]); len(after) > 0 && after[0] == '=' {
			s = bytes.TrimSpace(after[1:])
		}
	}
	if len(s) > 0 && (s[0] == '\'' || s[0] == '"') {
		quote := s[0]
		s = s[1:]
		if i := bytes.IndexByte(s, quote); i >= 0 {
			s = s[:i]
		}
	}
	return s
}
