package canon

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Join returns the hash of two hashes, in order.
func Join(a, b uint64) uint64 {
	var both [16]byte
	binary.LittleEndian.PutUint64(both[:], a)
	binary.LittleEndian.PutUint64(both[8:], b)
	return xxhash.Sum64(both[:])
}

// names holds the hashes of element names.
type names struct {
	page  *page.Page
	other []uint64 // hashes of names that HTML does not define, numbered per page; 0 is unknown
}

// listed holds the hashes of the names that HTML defines.
var listed = func() (hashes [html.TagOther]uint64) {
	var none page.Page
	for t := range html.TagOther {
		hashes[t] = xxhash.Sum64String(none.TagName(t))
	}
	return hashes
}()

func (n *names) start(p *page.Page) { n.page, n.other = p, n.other[:0] }

func (n *names) hash(t html.Tag) uint64 {
	if t < html.TagOther {
		return listed[t]
	}
	i := int(t - html.TagOther)
	for len(n.other) <= i {
		n.other = append(n.other, 0)
	}
	if n.other[i] == 0 {
		n.other[i] = xxhash.Sum64String(n.page.TagName(t))
	}
	return n.other[i]
}
