package agreement

import (
	"slices"

	"github.com/winnow/winnow/algorithms/score/internal/tokens"
)

// Texts compares texts as bags of words, for extractions without places on the
// page. The zero Texts is ready. It is not safe for concurrent use.
type Texts struct {
	dict   tokens.Dict
	norm   tokens.Normaliser
	lower  tokens.Normaliser
	spans  []tokens.Span
	ids    []int32
	counts []count // of all texts, one after the other
	bags   []bag   // by extractor
	sizes  []int
	page   Page
}

// count is how often a word occurs.
type count struct{ word, n int32 }

// bag is a range of counts, by word.
type bag struct{ from, to, size int }

// Begin begins a page with n extractors, none of which has answered yet.
func (t *Texts) Begin(n int) {
	t.dict.Reset()
	t.counts, t.bags = t.counts[:0], t.bags[:0]
	for range n {
		t.bags = append(t.bags, bag{size: -1})
	}
}

// Add adds the answer of extractor i.
func (t *Texts) Add(i int, text []byte) {
	normal := t.lower.Lower(t.norm.Normal(text))
	t.spans = tokens.Words(t.spans[:0], normal)
	t.ids = t.dict.AppendIDs(t.ids[:0], normal, t.spans)
	slices.Sort(t.ids)
	from := len(t.counts)
	for k, id := range t.ids {
		if k == 0 || t.ids[k-1] != id {
			t.counts = append(t.counts, count{word: id})
		}
		t.counts[len(t.counts)-1].n++
	}
	t.bags[i] = bag{from, len(t.counts), len(t.ids)}
}

// Finish compares all answers. The Page is valid until the next call.
func (t *Texts) Finish() *Page {
	t.sizes = t.sizes[:0]
	for _, b := range t.bags {
		t.sizes = append(t.sizes, b.size)
	}
	t.page.fill(t.sizes, t.common)
	return &t.page
}

// common is the size of the intersection of two bags.
func (t *Texts) common(i, j int) int {
	a, b := t.counts[t.bags[i].from:t.bags[i].to], t.counts[t.bags[j].from:t.bags[j].to]
	n := int32(0)
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.word < y.word:
			a = a[1:]
		case y.word < x.word:
			b = b[1:]
		default:
			n += min(x.n, y.n)
			a, b = a[1:], b[1:]
		}
	}
	return int(n)
}
