package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/schemas"
)

// A manifest of a few bytes for each of many values is refused before it is decoded, as is a
// log of many such changes.
func TestManyValuesAreRefused(t *testing.T) {
	objects, entries := []byte("{},"), []byte("0,")
	for _, c := range []struct{ name, file, before, after string }{
		{"run.json", schemas.ManifestFile, `{"parts":[`, `{}]}`},
		{"a change", schemas.ChangeName(0), `{"version":1,"run":"r","seq":0,"part":{"items":[`, `{}]}}`},
	} {
		for value, want := range map[string][]byte{"objects": objects, "commas": entries} {
			n := maxObjects + 1
			if value == "commas" {
				n = maxCommas + 1
			}
			store := new(blobtest.Memory)
			m := &schemas.Manifest{Version: schemas.Version, Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "h", Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "plain"}}}, State: schemas.RunActive, Phase: schemas.PhaseExtract}}
			if err := Create(t.Context(), store, m); err != nil {
				t.Fatal(err)
			}
			data := append([]byte(c.before), bytes.Repeat(want, n)...)
			if _, err := blob.WriteAll(t.Context(), store, c.file, append(data, c.after...)); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(t.Context(), store); err == nil || !strings.Contains(err.Error(), "which no run has") {
				t.Errorf("%s with many %s: %v", c.name, value, err)
			}
		}
	}
}

// The bounds are above what the largest run of the design needs: a thousandth of it, a
// million files of one item, is encoded and multiplied.
func TestBoundsHoldALargeRun(t *testing.T) {
	const files = 1000
	m := &schemas.Manifest{}
	p := schemas.Part{}
	for i := range files {
		url := fmt.Sprintf("s3://crawl-bucket/crawl-data/CC-MAIN-2026-10/segments/1234567890123.45/warc/part-%07d.warc.gz", i)
		m.Run.Files = append(m.Run.Files, schemas.File{URL: url, Size: 1 << 30, Identity: `etag:"0123456789abcdef0123456789abcdef"`, Split: true, Items: 1})
		p.Items = append(p.Items, schemas.Commit{ID: schemas.ItemID(fmt.Sprintf("f%07d-i00000", i)), File: i, Next: 1 << 30, Pages: 30_000, Ended: time.Unix(1.8e9, 1e6), Elapsed: time.Hour})
		p.Inputs = append(p.Inputs, schemas.Input{File: i, Records: 90_000, ByType: map[string]int64{"request": 30_000, "response": 30_000, "metadata": 30_000}, Pages: 30_000, BytesUnits: 1 << 30})
		p.Files = append(p.Files, schemas.Shard{Table: schemas.TableTexts, Name: fmt.Sprintf("texts/part-00000-%07d.jsonl.zst", i), Rows: 30_000, Bytes: 1 << 26, SHA256: strings.Repeat("0", 64)})
	}
	m.Parts = []schemas.Part{p}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string][2]int{"bytes": {len(data), maxBytes}, "objects": {bytes.Count(data, []byte("{")), maxObjects}, "commas": {bytes.Count(data, []byte(",")), maxCommas}} {
		t.Logf("%d %s an item", n[0]/files, what)
		if n[0]*1000 > n[1] {
			t.Errorf("a run of a million files has %d million %s, the bound is %d", n[0]/files/1000, what, n[1])
		}
	}
}
