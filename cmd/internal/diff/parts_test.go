package diff

import (
	"fmt"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// TestPartsAreReadInOneOrder compares a run of one part with one whose parts overlap:
// every third document is in another part. Both have the same documents.
func TestPartsAreReadInOneOrder(t *testing.T) {
	const documents = 300
	client := blob.New(blob.Options{})
	defer client.Close()
	run := func(parts int) Run {
		store, err := client.Store(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		m := &schemas.Manifest{Run: schemas.Run{ID: "r", Hash: "h", Recipe: schemas.Recipe{
			Extractors: []schemas.Method{{Name: "x"}}, Scorers: []schemas.Method{{Name: "f"}}}}}
		for seq := range parts {
			var docs []schemas.Document
			var scores []schemas.ScoreRow
			for i := range documents {
				if id := fmt.Sprintf("%03d", i); i%parts == seq {
					docs = append(docs, document(id, "ok", "", uint64(i), true))
					scores = append(scores, score(id, "f", "", float64(i)/documents))
				}
			}
			m.Parts = append(m.Parts, schemas.Part{Seq: seq, Files: []schemas.Shard{
				write(t, store, &m.Run, columnar.Documents, seq, docs), write(t, store, &m.Run, columnar.Scores, seq, scores)}})
		}
		return Run{store, m}
	}
	for _, parts := range []int{1, 3} {
		r, err := Runs(t.Context(), run(1), run(parts), Options{Pages: 10})
		if err != nil {
			t.Fatal(err)
		}
		if e := &r.Extractors[0]; e.Same != documents || e.Changed() != 0 || e.Scores[0].Pages != documents || e.Scores[0].Better+e.Scores[0].Worse != 0 || len(r.Pages) != 0 {
			t.Errorf("%d parts: %+v, %+v", parts, *e, r.Pages)
		}
	}
}

func write[T any](t *testing.T, store blob.Store, run *schemas.Run, table *columnar.Table[T], seq int, rows []T) schemas.Shard {
	t.Helper()
	shard, err := tables.Write(t.Context(), store, table, schemas.PartName(table.Name(), seq, 1)+".parquet", run, columnar.PartSize, each(rows))
	if err != nil {
		t.Fatal(err)
	}
	return *shard
}
