package results

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func TestPagesOfLeastConfidence(t *testing.T) {
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "h", Phase: schemas.PhaseExtract, State: schemas.RunDone,
		Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "winnow"}, {Name: "plain"}}}}}
	m.Parts = []schemas.Part{{Files: []schemas.Shard{{Table: schemas.TableDocuments, Name: "documents/part-00000.parquet", SHA256: strings.Repeat("0", 64)}}}}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, schemas.ManifestFile, func(w *blob.Writer) error { _, err := w.Write(data); return err })
	table(t, store, columnar.Documents, "documents/part-00000.parquet", []schemas.Document{
		{Package: "p", DocID: "1", Extractor: "winnow", Confidence: 0.75, URL: "http://a.example/", HTMLBytes: 7},
		{Package: "p", DocID: "1", Extractor: "plain", Confidence: math.NaN()},
		{Package: "p", DocID: "2", Extractor: "winnow", Confidence: 0.25, URL: "=HYPERLINK(1)"},
		{Package: "q", DocID: "3", Extractor: "winnow", Confidence: 0.5},
	})
	const header = "extractor\tconfidence\tpackage\tdoc_id\turl\thtml_bytes\n"
	for _, x := range []struct {
		o    Options
		want string
	}{
		{Options{}, "winnow\t0.25\tp\t2\t'=HYPERLINK(1)\t0\nwinnow\t0.5\tq\t3\t\t0\nwinnow\t0.75\tp\t1\thttp://a.example/\t7\n"},
		{Options{Pages: 1}, "winnow\t0.25\tp\t2\t'=HYPERLINK(1)\t0\n"},
		{Options{Packages: []string{"q"}}, "winnow\t0.5\tq\t3\t\t0\n"},
		{Options{Extractors: []string{"plain"}}, ""},
	} {
		var out bytes.Buffer
		if err := Write(t.Context(), &out, store, "confidence", "tsv", x.o); err != nil {
			t.Fatal(err)
		}
		if out.String() != header+x.want {
			t.Errorf("%+v: got\n%s\nwant\n%s", x.o, out.String(), header+x.want)
		}
	}
}
