package failures

import (
	"iter"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func write[T any](t *testing.T, store blob.Store, run *schemas.Run, table *columnar.Table[T], rows ...T) schemas.Shard {
	t.Helper()
	var all iter.Seq2[*T, error] = func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
	shard, err := tables.Write(t.Context(), store, table, schemas.PartName(table.Name(), 0, 1)+".parquet", run, columnar.PartSize, all)
	if err != nil {
		t.Fatal(err)
	}
	return *shard
}

// TestFailuresAreGrouped is worked out by hand: two archives and a file that was refused.
func TestFailuresAreGrouped(t *testing.T) {
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Run: schemas.Run{ID: "r", Hash: "h", Phase: schemas.PhaseExtract, Files: []schemas.File{
		{URL: "file:///in/a.warc", Size: 1000, Items: 2}, {URL: "file:///in/b.warc", Size: 500, Items: 1}, {URL: "file:///in/c.txt", Size: 9, Refused: "not-warc"}}}}
	dead := m.Run.Item(0, 1)
	m.Dead = []schemas.Dead{{Item: dead, Offset: 500, Length: 500, Stage: "item", Reason: "unreadable", Attempts: 3}}
	m.Parts = []schemas.Part{{
		Items:  []schemas.Commit{{ID: "f00000-i00000", File: 0, First: 0, Next: 500}, {ID: dead.ID(), File: 0, Seq: 1, First: -1, Next: -1, Dead: true}, {ID: "f00001-i00000", File: 1, Next: 500}},
		Counts: schemas.Counts{Outcomes: map[string]int64{"bte/ok": 1, "bte/failed/panic": 2}},
		Files: []schemas.Shard{
			write(t, store, &m.Run, columnar.Failures,
				schemas.Failure{File: "file:///in/a.warc", Offset: 10, Length: 5, Stage: "read", Reason: "gap", Severity: "lost"},
				schemas.Failure{File: "file:///in/a.warc", Offset: 500, Length: 500, Stage: "item", Reason: "unreadable", Severity: "lost"},
				schemas.Failure{File: "file:///in/b.warc", Offset: 20, Length: 7, Stage: "read", Reason: "gap", Severity: "lost"},
				schemas.Failure{File: "file:///in/b.warc", Offset: 30, Length: 8, Stage: "read", Reason: "gap", Severity: "lost"},
				schemas.Failure{File: "file:///in/b.warc", Offset: 40, Length: 9, Stage: "record", Reason: "crash", Severity: "lost", Attempts: 4}),
			write(t, store, &m.Run, columnar.Documents,
				schemas.Document{Package: "p", DocID: "1", URL: "http://x/1", File: "file:///in/b.warc", Extractor: "bte", Outcome: "failed", Reason: "panic"},
				schemas.Document{Package: "p", DocID: "2", File: "file:///in/b.warc", Extractor: "bte", Outcome: "failed", Reason: "panic"},
				schemas.Document{Package: "p", DocID: "3", File: "file:///in/b.warc", Extractor: "bte", Outcome: "ok"}),
		},
	}}
	r, err := Of(t.Context(), store, m, Options{Examples: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failures != 8 || len(r.Groups) != 5 || r.Finished {
		t.Fatalf("%+v", r)
	}
	gap, panicked := &r.Groups[0], &r.Groups[1]
	if gap.Reason != "gap" || gap.Failures != 3 || gap.Bytes != 20 || len(gap.Files) != 2 || gap.Files[0] != (File{"file:///in/b.warc", 2}) || len(gap.Examples) != 1 || gap.Examples[0].Offset != 10 {
		t.Errorf("%+v", *gap)
	}
	if panicked.Stage != StageExtract || panicked.Extractor != "bte" || panicked.Failures != 2 || panicked.Examples[0].DocID != "1" {
		t.Errorf("%+v", *panicked)
	}
	if r, err = Of(t.Context(), store, m, Options{File: "b.warc"}); err != nil || r.Failures != 5 || len(r.Groups) != 3 || len(r.Groups[0].Examples) != 0 {
		t.Errorf("of one file: %+v, %v", r, err)
	}

	letters, err := Letters(t.Context(), store, m)
	if err != nil || len(letters) != 3 {
		t.Fatalf("%+v, %v", letters, err)
	}
	if l := letters[0]; l.Item != dead.ID() || l.Reason != "unreadable" || l.Attempts != 3 {
		t.Errorf("%+v", l)
	}
	if l := letters[1]; l.Item != "" || l.Stage != "file" || l.Length != 9 {
		t.Errorf("%+v", l)
	}
	if l := letters[2]; l.Item != "f00001-i00000" || l.Reason != "crash" || l.Offset != 40 || l.Attempts != 4 {
		t.Errorf("%+v", l)
	}
}
