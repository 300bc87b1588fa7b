package website

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/address"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// MaxLinks is how many links of one page are followed, the first on the page.
const MaxLinks = 4096

// Links is the pages that a page links to, as ranks: distinct, in the order of the
// page, without the page itself, at most MaxLinks. They belong to its registered
// domain, which contains the page's site whether sites are hosts or domains. The caller
// looks them up among the pages of the site as the run defines it.
var Links = algorithms.Feature[Targets]{
	Name:    "site-links",
	Doc:     "the pages of its own domain that the page links to",
	Compute: func(t *Targets, p *algorithms.Pass) { t.fill(p) },
}

// Targets are the ranks of linked pages.
type Targets struct {
	Ranks []uint64
	// Cut means that the page has more links than were followed.
	Cut bool

	seen  [4 * MaxLinks]uint64 // an open hash table of ranks; 0 is free
	whole []byte
}

func (t *Targets) fill(p *algorithms.Pass) {
	t.Ranks, t.Cut = t.Ranks[:0], false
	clear(t.seen[:])
	base := address.Of.Of(p)
	t.note(rank(base.Own()))
	host, _, _ := split(p.URL)
	home := []byte(domain(host))
	b := p.Body
	for r, tag := range b.Tag {
		if tag != html.TagA || b.Flags[r]&page.HasHref == 0 {
			continue
		}
		href, _ := p.Page.Attr(b.Node[r], "href")
		var ok bool
		if t.whole, ok = base.Append(t.whole[:0], href); !ok || !isOfSite(t.whole, home) {
			continue
		}
		rank := rank(t.whole)
		if !t.note(rank) {
			continue
		}
		if len(t.Ranks) == MaxLinks {
			t.Cut = true
			return
		}
		t.Ranks = append(t.Ranks, rank)
	}
}

// note reports whether rank is new. The table is never more than a quarter full.
func (t *Targets) note(rank uint64) bool {
	key := max(rank, 1)
	i := key % uint64(len(t.seen))
	for t.seen[i] != 0 {
		if t.seen[i] == key {
			return false
		}
		i = (i + 1) % uint64(len(t.seen))
	}
	t.seen[i] = key
	return true
}

// isOfSite reports whether the host of a canonical address is domain or below it.
func isOfSite(canonical, domain []byte) bool {
	host := canonical[:bytes.IndexByte(canonical, '/')]
	if i := bytes.LastIndexByte(host, ':'); i >= 0 && host[len(host)-1] != ']' {
		host = host[:i]
	}
	host = bytes.TrimSuffix(bytes.TrimPrefix(host, []byte("[")), []byte("]"))
	rest, ok := bytes.CutSuffix(host, domain)
	return ok && (len(rest) == 0 || rest[len(rest)-1] == '.')
}
