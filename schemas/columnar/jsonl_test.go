package columnar

import (
	"bytes"
	"math"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/schemas"
)

// TestJSONLines checks the lines of texts with facts: all rows have the same keys in the
// same order, and null is what is not known.
func TestJSONLines(t *testing.T) {
	recipe := &schemas.Recipe{Facts: []schemas.Fact{{Name: "f",
		Pages:     []schemas.FactColumn{{Name: "title", Kind: schemas.FactText}, {Name: "noindex", Kind: schemas.FactBool}, {Name: "language", Kind: schemas.FactText}},
		Documents: []schemas.FactColumn{{Name: "ratio", Kind: schemas.FactFloat}, {Name: "language", Kind: schemas.FactText}, {Name: "simhash", Kind: schemas.FactHash}, {Name: "minhash", Kind: schemas.FactInts}}}}}
	facts := []schemas.Value{{Known: true, Text: "<b>"}, {Known: true}, {Known: true, Text: "fr"},
		{Known: true, Number: math.Float64bits(2)}, {Known: true, Text: "de"}, {Known: true, Number: math.MaxUint64 - 1}, {Known: true, Text: "\x01\x00\x00\x00\xff\xff\xff\xff"}}
	rows := []schemas.Text{
		{Run: "r", Package: "p", DocID: "d", URL: "u", Extractor: "bte", Form: "markdown", Text: "a & b", RecordID: "<urn:x>", Date: "2020-01-02T03:04:05Z",
			PageID: 10, HTTPStatus: 200, TextChars: 5, TextHash: 11, Confidence: 1, Facts: facts},
		{DocID: "e", Form: "text", Confidence: math.NaN(), Facts: make([]schemas.Value, 7)},
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
	want := `{"id":"000000000000000a/bte","run":"r","package":"p","doc_id":"d","page_id":"000000000000000a","url":"u","date":"2020-01-02T03:04:05Z","record_id":"<urn:x>","http_status":200,"extractor":"bte","form":"markdown","text_chars":5,"text_hash":"000000000000000b","confidence":1.0,"title":"<b>","noindex":false,"page_language":"fr","ratio":2.0,"language":"de","simhash":"fffffffffffffffe","minhash":[1,-1],"text":"a & b"}
{"id":"0000000000000000/","run":null,"package":null,"doc_id":"e","page_id":"0000000000000000","url":null,"date":null,"record_id":null,"http_status":null,"extractor":"","form":"text","text_chars":0,"text_hash":"0000000000000000","confidence":null,"title":null,"noindex":null,"page_language":null,"ratio":null,"language":null,"simhash":null,"minhash":null,"text":""}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if !bytes.Equal(write(), data) {
		t.Error("the same rows gave other bytes")
	}
}
