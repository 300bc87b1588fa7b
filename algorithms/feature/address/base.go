package address

import (
	"bytes"
	"strings"

	"github.com/winnow/winnow/algorithms"
)

// Base is what the addresses on a page are resolved against. With the zero Base only
// absolute addresses have a canonical form.
type Base struct {
	secure    bool   // the scheme is https
	authority []byte // canonical; empty if the base is not of the web
	root      []byte // the authority with its scheme: "https://example.org"
	path      []byte // begins with a slash
	query     []byte // with its question mark; may be empty

	own   []byte // canonical form of the page's own address
	host  []byte // one in canonical form, that of an address before; may be empty
	clean []byte // scratch: an address without tabs and line ends
	whole []byte // scratch
}

// Of is the Base of a page. It is made of the page's own address and the href of its
// first base element.
var Of = algorithms.Feature[Base]{
	Name: "address",
	Doc:  "what the addresses on the page are resolved against",
	Compute: func(b *Base, p *algorithms.Pass) {
		b.Set([]byte(p.URL))
		b.own, _ = b.Append(b.own[:0], nil)
		if href, ok := p.Page.BaseHref(); ok {
			b.rebase(href)
		}
	},
}

// Own returns the canonical form of the page's own address, whatever its base element
// says. It is valid until the next page.
func (b *Base) Own() []byte { return b.own }

// Set makes url the base.
func (b *Base) Set(url []byte) {
	*b = Base{authority: b.authority[:0], root: b.root[:0], path: b.path[:0], query: b.query[:0], own: b.own[:0], host: b.host, clean: b.clean, whole: b.whole}
	b.rebase(url)
}

// rebase makes href, resolved against b, the base if it is a web address.
func (b *Base) rebase(href []byte) {
	href = b.tidy(href)
	secure := b.secure
	if name, _ := cutScheme(href); len(name) > 0 {
		secure = bytes.EqualFold(name, https)
	}
	whole, ok := b.append(b.whole[:0], href)
	b.whole = whole
	if !ok {
		return
	}
	slash := bytes.IndexByte(whole, '/')
	path, query := whole[slash:], []byte(nil)
	if q := bytes.IndexByte(path, '?'); q >= 0 {
		path, query = path[:q], path[q:]
	}
	b.secure = secure
	b.authority = append(b.authority[:0], whole[:slash]...)
	b.root = append(b.root[:0], "http://"...)
	if secure {
		b.root = append(b.root[:0], "https://"...)
	}
	b.root = append(b.root, b.authority...)
	b.path = append(b.path[:0], path...)
	b.query = append(b.query[:0], query...)
}

// Canonical is the canonical form of an absolute address.
func Canonical(url string) string {
	var b Base
	out, _ := b.Append(nil, []byte(url))
	return string(out)
}

// Split cuts the canonical form of an absolute address into its host, its port, which
// is empty if it is the default, and the rest, which is path and query. ok is false if
// it is not a web address.
func Split(url string) (host, port, rest string, ok bool) {
	var b Base
	out, ok := b.Append(nil, []byte(url))
	if !ok {
		return "", "", "", false
	}
	authority, rest := string(out), ""
	if slash := bytes.IndexByte(out, '/'); slash >= 0 {
		authority, rest = string(out[:slash]), string(out[slash:])
	}
	host = authority
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		host, port = authority[:i], authority[i+1:]
	}
	return host, port, rest, true
}
