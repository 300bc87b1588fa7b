package schemas

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func exampleRun() Run {
	return Run{Version: Version, ID: "r", Hash: "0123456789abcdef", Recipe: Recipe{Extractors: []Method{{Name: "plain"}}}, Phase: PhaseExtract, State: RunActive,
		Phases: []Phase{PhaseScan, PhaseLearn, PhaseExtract},
		Files:  []File{{URL: "file:///a.warc", Size: 1000, Items: 4}, {URL: "file:///b.warc", Size: 10, Items: 1}}}
}

// exampleDone is a report as a worker writes it.
func exampleDone() *Done {
	run := exampleRun()
	it := run.Item(0, 1)
	name := func(table Table, end string) string {
		return ShardPrefix(it.Hash, it.ID()) + "a1b2c3-" + string(table) + end
	}
	sum := strings.Repeat("0a", 32)
	return &Done{Version: Version, Item: it, ID: it.ID(), Attempt: 1, Worker: "w", First: 260, Next: 510,
		Shards: []Shard{{Table: TableDocuments, Name: name(TableDocuments, ".parquet"), Rows: 2, Bytes: 100, SHA256: sum},
			{Table: TableTexts, Name: name(TableTexts, ".parquet"), Rows: 2, Bytes: 100, SHA256: sum}},
		Counts: Counts{Records: 2, Pages: 2, Bytes: 250, BytesUnits: 250, Outcomes: map[string]int64{"bte/ok": 2},
			Rows: map[Table]int64{TableDocuments: 2, TableTexts: 2}},
		Unverified: []int64{260, 300}}
}

func exampleDead() *Dead {
	d := exampleDone()
	return &Dead{Version: Version, Item: d.Item, Offset: 250, Length: 250, Stage: "item", Reason: "crash", Attempts: 4}
}

func exampleLearned() *Done {
	run := exampleRun()
	m := Manifest{Run: run, Templates: &Templates{Items: []SiteRange{
		{Candidates: CandidatesName(run.Hash, 0, 1)}, {From: "m.example", Candidates: CandidatesName(run.Hash, 1, 1)}}}}
	it := m.LearnItem(1)
	return &Done{Version: Version, Item: it, ID: it.ID(), First: it.File.Start, Next: it.File.End, Learned: &Learned{Sites: 3}}
}

// A report, a dead letter, a run or a manifest with one field that no honest
// program writes is refused where it is read.
func TestForgedMessagesAreRefused(t *testing.T) {
	for _, d := range []*Done{exampleDone(), exampleLearned()} {
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
	}
	forgeries := map[string]func(d *Done){
		"version of the future":        func(d *Done) { d.Version = Version + 1 },
		"no run":                       func(d *Done) { d.Item.Run = "" },
		"hash that leaves the folder":  func(d *Done) { d.Item.Hash = "../x" },
		"phase":                        func(d *Done) { d.Item.Phase = "rest" },
		"negative item":                func(d *Done) { d.Item.Seq = -1; d.ID = d.Item.ID() },
		"negative file":                func(d *Done) { d.Item.File.Index = -1; d.ID = d.Item.ID() },
		"negative start":               func(d *Done) { d.Item.File.Start = -1024 },
		"end before the start":         func(d *Done) { d.Item.File.End = 3 },
		"end behind the file":          func(d *Done) { d.Item.File.End = 1 << 40 },
		"other id":                     func(d *Done) { d.ID = "f00000-i00003" },
		"negative attempt":             func(d *Done) { d.Attempt = -1 },
		"read before its range":        func(d *Done) { d.First = 0 },
		"read behind its range":        func(d *Done) { d.First = 900; d.Next = 1000 },
		"read backwards":               func(d *Done) { d.Next = 200 },
		"read beyond the file":         func(d *Done) { d.Next = 1001 },
		"other beginning than asked":   func(d *Done) { d.Item.File.First = 270; d.ID = d.Item.ID() },
		"learned in phase extract":     func(d *Done) { d.Learned = new(Learned) },
		"shard without its hash":       func(d *Done) { d.Shards[1].Name = "shards/t" },
		"shard without a name":         func(d *Done) { d.Shards[0].Name = "" },
		"shard of another item":        func(d *Done) { d.Shards[0].Name = strings.Replace(d.Shards[0].Name, "i00001", "i00002", 1) },
		"shard of another table":       func(d *Done) { d.Shards[0].Table = TableScores },
		"shard of no table":            func(d *Done) { d.Shards[0].Table = "" },
		"shard with a strange ending":  func(d *Done) { d.Shards[1].Name += "/../../x" },
		"shard with a path":            func(d *Done) { d.Shards[1].Name = strings.Replace(d.Shards[1].Name, "a1b2c3", "a/../b", 1) },
		"table twice":                  func(d *Done) { d.Shards = append(d.Shards, d.Shards[0]) },
		"negative rows":                func(d *Done) { d.Shards[0].Rows = -1 },
		"negative bytes":               func(d *Done) { d.Shards[0].Bytes = -1 },
		"huge shard":                   func(d *Done) { d.Shards[0].Bytes = math.MaxInt64 },
		"short checksum":               func(d *Done) { d.Shards[0].SHA256 = "00" },
		"checksum that is none":        func(d *Done) { d.Shards[0].SHA256 = strings.Repeat("z", 64) },
		"negative records":             func(d *Done) { d.Counts.Records = -1 },
		"counts that overflow":         func(d *Done) { d.Counts.Pages = math.MaxInt64 },
		"negative outcomes":            func(d *Done) { d.Counts.Outcomes["bte/ok"] = -1 },
		"long key":                     func(d *Done) { d.Counts.Defects = map[string]int64{strings.Repeat("x", 1<<20): 1} },
		"negative rows of a table":     func(d *Done) { d.Counts.Rows["x"] = -1 },
		"damage not in order":          func(d *Done) { d.Unverified = []int64{300, 260} },
		"damage elsewhere":             func(d *Done) { d.Unverified = []int64{-4} },
		"more damage than is noted":    func(d *Done) { d.Unverified = make([]int64, MaxUnverified+1) },
		"negative time":                func(d *Done) { d.Elapsed = -1 },
		"name of a worker without end": func(d *Done) { d.Worker = strings.Repeat("x", 1<<20) },
		"range of sites in its place":  func(d *Done) { *d = *exampleLearned(); d.Learned = nil },
	}
	for name, forge := range forgeries {
		d := exampleDone()
		forge(d)
		if _, err := DecodeDone(encode(t, d)); err == nil {
			t.Errorf("%s: the report is accepted", name)
		}
	}
	for name, forge := range map[string]func(d *Done){
		"item before the first": func(d *Done) { d.Item.Seq = -1; d.ID = d.Item.ID() },
		"of a file":             func(d *Done) { d.Item.File.Index = 1 },
		"candidates elsewhere":  func(d *Done) { d.Item.Sites.Candidates = "shards/" + d.Item.Hash + "/../../run.json" },
		"candidates of a worker": func(d *Done) {
			d.Item.Sites.Candidates = ShardPrefix(d.Item.Hash, "scan-f00000-i00000") + "a-candidates.parquet"
		},
		"site without end": func(d *Done) { d.Item.Sites.From = strings.Repeat("x", 1<<20) },
		"no account":       func(d *Done) { d.Learned = nil },
		"negative sites":   func(d *Done) { d.Learned.Sites = -1 },
	} {
		d := exampleLearned()
		forge(d)
		if _, err := DecodeDone(encode(t, d)); err == nil {
			t.Errorf("%s: the report is accepted", name)
		}
	}
	for name, forge := range map[string]func(d *Dead){
		"no stage":         func(d *Dead) { d.Stage = "" },
		"no reason":        func(d *Dead) { d.Reason = "" },
		"negative offset":  func(d *Dead) { d.Offset = -1 },
		"negative length":  func(d *Dead) { d.Length = -1 },
		"many attempts":    func(d *Dead) { d.Attempts = math.MaxInt },
		"item of no place": func(d *Dead) { d.Item.Seq = -1 },
		"endless detail":   func(d *Dead) { d.Detail = strings.Repeat("x", 1<<20) },
	} {
		d := exampleDead()
		forge(d)
		if _, err := DecodeDead(encode(t, d)); err == nil {
			t.Errorf("%s: the dead letter is accepted", name)
		}
	}
}

func exampleManifest() *Manifest {
	d := exampleDone()
	return &Manifest{Version: Version, Run: exampleRun(), Dead: []Dead{*exampleDead()},
		Parts: []Part{{Files: []Shard{{Table: TableDocuments, Name: "documents/part-00000.parquet", SHA256: d.Shards[0].SHA256}},
			Items:  []Commit{{ID: d.ID, File: 0, Seq: 1, First: 260, Next: 510}},
			Inputs: []Input{{File: 0, Records: 2}}}}}
}

func TestForgedManifestsAreRefused(t *testing.T) {
	if _, err := DecodeManifest(encode(t, exampleManifest())); err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func(m *Manifest){
		"run":                  func(m *Manifest) { m.Run.ID = "../x" },
		"hash":                 func(m *Manifest) { m.Run.Hash = "a/b" },
		"phase":                func(m *Manifest) { m.Run.Phase = "rest" },
		"state":                func(m *Manifest) { m.Run.State = "" },
		"candidates elsewhere": func(m *Manifest) { m.Templates = &Templates{Items: []SiteRange{{Candidates: "a.parquet"}}} },
		"templates elsewhere": func(m *Manifest) {
			m.Templates = &Templates{Ranges: []TemplateRange{{File: Shard{Name: "pages/part-00000.parquet", SHA256: strings.Repeat("0", 64)}}}}
		},
		"negative file":        func(m *Manifest) { m.Run.Files[0].Size = -1 },
		"more items than room": func(m *Manifest) { m.Run.Files[1].Items = 11 },
		"negative items":       func(m *Manifest) { m.Run.Files[1].Items = -1 },
		"skipped size":         func(m *Manifest) { m.Run.Skipped = []SkippedFile{{URL: "file:///a", Size: -1, Run: "q"}} },
		"skipped by no run":    func(m *Manifest) { m.Run.Skipped = []SkippedFile{{URL: "file:///a", Run: "../q"}} },
		"captures elsewhere":   func(m *Manifest) { m.Run.Captures = captures("captures", "selection/../x.parquet") },
		"captures of a table":  func(m *Manifest) { m.Run.Captures = captures("pages", CapturesName(strings.Repeat("0", 32))) },
		"order of parts":       func(m *Manifest) { m.Parts[0].Seq = 3 },
		"file elsewhere":       func(m *Manifest) { m.Parts[0].Files[0].Name = "documents/../../x" },
		"file of no table":     func(m *Manifest) { m.Parts[0].Files[0].Table = "" },
		"item of no file":      func(m *Manifest) { m.Parts[0].Items[0].File = 2 },
		"item before a file":   func(m *Manifest) { m.Parts[0].Items[0].Seq = -1 },
		"item behind a file":   func(m *Manifest) { m.Parts[0].Items[0].Seq = 4 },
		"read beyond the end":  func(m *Manifest) { m.Parts[0].Items[0].Next = 1 << 40 },
		"input of no file":     func(m *Manifest) { m.Parts[0].Inputs[0].File = -1 },
		"negative totals":      func(m *Manifest) { m.Totals.Pages = -1 },
		"dead letter":          func(m *Manifest) { m.Dead[0].Offset = -1 },
	} {
		m := exampleManifest()
		forge(m)
		if _, err := DecodeManifest(encode(t, m)); err == nil {
			t.Errorf("%s: the manifest is accepted", name)
		}
		begun := exampleManifest()
		begun.Parts = nil
		if forged := m.Parts[0]; m.Run.Check() == nil && m.Totals.Check() == nil && len(m.Dead) > 0 {
			c := &Change{Version: Version, Run: "r", Term: 0, Part: &forged, Dead: m.Dead, Templates: m.Templates}
			if err := begun.Apply(c); err == nil {
				t.Errorf("%s: the change is accepted", name)
			}
		}
	}
}

// A run without extractors has no tables that a report could show.
func TestManifestWithoutExtractorsIsRefused(t *testing.T) {
	m := exampleManifest()
	m.Run.Recipe.Extractors = []Method{}
	if _, err := DecodeManifest(encode(t, m)); err == nil || !strings.Contains(err.Error(), "has no extractors") {
		t.Error(err)
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What a decoder accepts can be encoded and is accepted again, and none of its
// names leaves the folder of its kind.
func FuzzDecodeDone(f *testing.F) {
	f.Add(encode(f, exampleDone()))
	f.Add(encode(f, exampleLearned()))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := DecodeDone(data)
		if err != nil {
			return
		}
		again(t, d, DecodeDone)
		for i := range d.Shards {
			if s := &d.Shards[i]; !strings.HasPrefix(s.Name, ShardFolder+"/"+d.Item.Hash+"/") || strings.Contains(s.Name, "..") || strings.Count(s.Name, "/") != 2 {
				t.Errorf("shard %q", s.Name)
			} else if !isEnding(s.Table, s.Ending()) {
				t.Errorf("shard %q of table %s ends in %q", s.Name, s.Table, s.Ending())
			}
		}
	})
}

func FuzzDecodeDead(f *testing.F) {
	f.Add(encode(f, exampleDead()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := DecodeDead(data); err == nil {
			again(t, d, DecodeDead)
		}
	})
}

func FuzzDecodeItem(f *testing.F) {
	f.Add(encode(f, exampleDone().Item))
	f.Add(encode(f, exampleLearned().Item))
	f.Fuzz(func(t *testing.T, data []byte) {
		if it, err := DecodeItem(data); err == nil {
			again(t, it, DecodeItem)
		}
	})
}

func FuzzDecodeManifest(f *testing.F) {
	f.Add(encode(f, exampleManifest()))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeManifest(data)
		if err != nil {
			return
		}
		again(t, m, DecodeManifest)
		for _, p := range m.Parts {
			for _, c := range p.Items {
				if it := m.Run.Item(c.File, c.Seq); it.File.Start < 0 || it.File.End < it.File.Start || it.File.End > it.File.Total {
					t.Errorf("item %+v", it)
				}
			}
		}
	})
}

func FuzzDecodeTemplateIndex(f *testing.F) {
	f.Add(encode(f, &TemplateIndex{Version: Version, Run: "r", Ranges: []TemplateRange{
		{File: Shard{Name: "templates/part-00000.parquet", SHA256: strings.Repeat("0", 64)}}, {From: "m.example"}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := DecodeTemplateIndex(data); err == nil {
			again(t, x, DecodeTemplateIndex)
		}
	})
}

func again[T any](t *testing.T, v *T, decode func([]byte) (*T, error)) {
	t.Helper()
	if _, err := decode(encode(t, v)); err != nil {
		t.Errorf("accepted, encoded, and refused: %v", err)
	}
}

// Of a record of another version, or of none, nothing else is verified.
func TestOtherVersionsAreNamedOnce(t *testing.T) {
	_, err := DecodeManifest([]byte("{}"))
	if want := "schemas: manifest: version 0, this program reads version 1"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// captures describes a file of captures.
func captures(table Table, name string) *Shard {
	return &Shard{Table: table, Name: name, SHA256: strings.Repeat("0", 64)}
}
