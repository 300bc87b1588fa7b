package extract

import (
	"testing"

	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
)

// The hash of a page is that of what decides its rows, and of nothing else.
func TestHashContent(t *testing.T) {
	page := func(change func(*source.Page)) uint64 {
		p := &source.Page{HTML: []byte("<p>a"), URL: "u", RecordID: "r", Status: 200, Fields: []payload.Field{{Name: "link", Value: "x"}}}
		change(p)
		return hashContent(p, nil)
	}
	same := page(func(*source.Page) {})
	if page(func(p *source.Page) { p.URL, p.RecordID, p.Index = "v", "s", []payload.Field{{Name: "a", Value: "b"}} }) != same {
		t.Error("another record with the same content has another hash")
	}
	if hashContent(&source.Page{HTML: []byte("<p>a"), Status: 200, Fields: []payload.Field{{Name: "link", Value: "x"}}}, new(fact.Site)) != same {
		t.Error("files of a host that say nothing change the hash")
	}
	seen := map[uint64]int{same: -1}
	for i, h := range []uint64{
		page(func(p *source.Page) { p.HTML = []byte("<p>b") }),
		page(func(p *source.Page) { p.Status = 404 }),
		page(func(p *source.Page) { p.Fields = nil }),
		page(func(p *source.Page) { p.Fields[0].Value = "y" }),
		page(func(p *source.Page) {
			p.Fields = append(p.Fields, payload.Field{Name: "x-robots-tag", Value: "noindex"})
		}),
		hashContent(&source.Page{}, &fact.Site{Allowed: []string{"a", "b"}}),
		hashContent(&source.Page{}, &fact.Site{Allowed: []string{"a b"}}),
		hashContent(&source.Page{}, &fact.Site{Disallowed: []string{"a", "b"}}),
		hashContent(&source.Page{}, &fact.Site{Headers: []fact.Header{{Name: "a", Value: "b"}}}),
	} {
		if j, twice := seen[h]; twice {
			t.Errorf("change %d has the hash of %d", i, j)
		}
		seen[h] = i
	}
}
