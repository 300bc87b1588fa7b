package schemas

import (
	"encoding/json"
	"strings"
	"testing"
)

// Markers and reports are kept by name, so items of different phases must not
// share one; and names of the last phase are those of version 1.
func TestItemNames(t *testing.T) {
	for want, it := range map[ItemID]Item{
		"f00012-i00003":         {Phase: PhaseExtract, Seq: 3, File: FileRange{Index: 12, First: -1}},
		"f00012-i00003-s77":     {Phase: PhaseExtract, Seq: 3, File: FileRange{Index: 12, First: 77}},
		"scan-f00012-i00003":    {Phase: PhaseScan, Seq: 3, File: FileRange{Index: 12, First: -1}},
		"scan-f00012-i00003-s0": {Phase: PhaseScan, Seq: 3, File: FileRange{Index: 12}},
		"learn-i00003":          {Phase: PhaseLearn, Seq: 3},
	} {
		if got := it.ID(); got != want {
			t.Errorf("%+v is called %s, want %s", it, got, want)
		}
	}
}

func TestTemplateIndexFindsTheRangeOfASite(t *testing.T) {
	file := func(seq int) Shard {
		return Shard{Table: TableTemplates, Name: PartName(TableTemplates, seq, 2) + ".parquet", SHA256: strings.Repeat("0", 64)}
	}
	x := &TemplateIndex{Version: Version, Ranges: []TemplateRange{{"", file(0)}, {"c.example", Shard{}}, {"m.example", file(2)}}}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeTemplateIndex(data)
	if err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string]int{"a.example": 0, "c.exampl": 0, "c.example": 1, "d.example": 1, "m.example": 2, "z.example": 2} {
		if i := got.Range(site); i != want {
			t.Errorf("%s is in range %d, want %d", site, i, want)
		}
	}
	if i := new(TemplateIndex).Range("a.example"); i != -1 {
		t.Errorf("range %d of none", i)
	}
	elsewhere := file(0)
	elsewhere.Name = "templates/../run.json"
	for name, ranges := range map[string][]TemplateRange{
		"out of order": {{"m.example", file(0)}, {"c.example", file(1)}}, "twice": {{"", file(0)}, {"", file(1)}}, "elsewhere": {{"", elsewhere}},
	} {
		data, _ := json.Marshal(&TemplateIndex{Version: Version, Ranges: ranges})
		if _, err := DecodeTemplateIndex(data); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	data, _ = json.Marshal(&TemplateIndex{Version: Version + 1, Ranges: x.Ranges})
	if _, err := DecodeTemplateIndex(data); err == nil {
		t.Error("an index of the future was taken")
	}
}
