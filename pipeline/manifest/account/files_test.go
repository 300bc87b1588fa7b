package account

import (
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestFiles is worked out by hand: one file for each way to end.
func TestFiles(t *testing.T) {
	part := func(inputs ...schemas.Input) schemas.Part {
		return schemas.Part{Inputs: inputs, Counts: schemas.Counts{Bytes: 1}}
	}
	m := &schemas.Manifest{
		Run: schemas.Run{Files: []schemas.File{
			{URL: "file:///c/a.warc.gz", Size: 100, Items: 2},
			{URL: "file:///c/b.warc.gz", Size: 50, Items: 1},
			{URL: "file:///c/c.warc", Name: "c/c", Size: 80, Items: 2},
			{URL: "file:///c/d.txt", Size: 9, Refused: "not-warc"},
			{URL: "file:///c/e.warc", Size: 7, Items: 1},
			{URL: "file:///c/f.warc", Size: 60, Items: 1},
			{URL: "file:///c/g.warc", Items: 1},
		}},
		Parts: []schemas.Part{
			part(schemas.Input{File: 0, Records: 3, ByType: map[string]int64{"request": 1, "response": 2}, Pages: 2, BytesUnits: 40, Defects: map[string]int64{"eol-odd": 1}}),
			part(schemas.Input{File: 0, Records: 1, ByType: map[string]int64{"response": 1}, Refused: 1, BytesUnits: 55, BytesGaps: 5, Defects: map[string]int64{"eol-odd": 2, "padding": 1}},
				schemas.Input{File: 1, Records: 2, BytesUnits: 50, Defects: map[string]int64{"eol-odd": 1, "truncated": 1}},
				schemas.Input{File: 2, Records: 2, BytesUnits: 30, BytesGaps: 10}),
			part(schemas.Input{File: 4, BytesGaps: 7, Defects: map[string]int64{"unknown-container": 1}}),
			{}, // a part whose items were all given up
		},
	}
	files, ok := Files(m)
	if !ok || len(files) != 7 {
		t.Fatalf("%d files, %v", len(files), ok)
	}
	for i, want := range []struct {
		name, status string
		lost         int64
	}{
		{"a", FileClean, 0}, {"b", FileDamaged, 0}, {"c/c", FileDamaged, 40}, {"d.txt", FileUnreadable, 9},
		{"e", FileUnreadable, 0}, {"f", FileUnreadable, 60}, {"g", FileClean, 0},
	} {
		if f := &files[i]; f.Name != want.name || f.Status != want.status || f.BytesLost != want.lost || f.File != i {
			t.Errorf("file %d: %+v, want %+v", i, *f, want)
		}
	}
	if a := &files[0]; a.Records != 4 || a.Pages != 2 || a.Refused != 1 || a.ByType["response"] != 3 || a.Defects["eol-odd"] != 3 || a.BytesUnits != 95 || a.BytesGaps != 5 {
		t.Errorf("%+v", *a)
	}
	m.Parts[0].Inputs = nil
	if _, ok := Files(m); ok {
		t.Error("a part without account was taken")
	}
}
