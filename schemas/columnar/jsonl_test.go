package columnar

import (
	"bytes"
	"math"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/schemas"
)

// TestJSONLines checks the lines of texts with facts: those that are null are left out.
func TestJSONLines(t *testing.T) {
	recipe := &schemas.Recipe{Facts: []schemas.Fact{{Name: "f",
		Pages:     []schemas.FactColumn{{Name: "title", Kind: schemas.FactText}, {Name: "noindex", Kind: schemas.FactBool}, {Name: "links", Kind: schemas.FactInt}},
		Documents: []schemas.FactColumn{{Name: "ratio", Kind: schemas.FactFloat}, {Name: "simhash", Kind: schemas.FactHash}, {Name: "minhash", Kind: schemas.FactInts}}}}}
	page := &schemas.Page{Facts: []schemas.Value{{Known: true, Text: "<b>"}, {Known: true}, {}}}
	doc := &schemas.Document{Facts: []schemas.Value{{Known: true, Number: math.Float64bits(.25)}, {Known: true, Number: math.MaxUint64 - 1}, {Known: true, Text: "\x01\x00\x00\x00\xff\xff\xff\xff"}}}
	rows := []schemas.Text{
		{Run: "r", Package: "p", DocID: "d", URL: "u", Extractor: "bte", Form: "markdown", Text: "a & b", Page: page, Document: doc},
		{DocID: "e", Form: "text", Page: page, Document: &schemas.Document{Facts: []schemas.Value{{Known: true, Number: math.Float64bits(1)}, {}, {}}}},
	}
	write := func() []byte {
		var b bytes.Buffer
		w, err := NewJSONLines(&b, recipe)
		for i := range rows {
			if err == nil {
				err = w.Append(&rows[i])
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil || w.Rows() != 2 {
			t.Fatal(w.Rows(), err)
		}
		return b.Bytes()
	}
	data := write()
	z, _ := zstd.NewReader(nil)
	defer z.Close()
	got, err := z.DecodeAll(data, nil)
	want := `{"run":"r","package":"p","doc_id":"d","url":"u","extractor":"bte","form":"markdown","text":"a & b","page_facts":{"noindex":false,"title":"<b>"},"text_facts":{"minhash":[1,-1],"ratio":0.25,"simhash":"fffffffffffffffe"}}
{"package":"","doc_id":"e","url":"","extractor":"","form":"text","text":"","page_facts":{"noindex":false,"title":"<b>"},"text_facts":{"ratio":1.0}}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if !bytes.Equal(write(), data) {
		t.Error("the same rows gave other bytes")
	}
}
