package compact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// scannedEntry is item seq of the phase scan, which left rows, and copies of records if a
// row has one.
func scannedEntry(t *testing.T, store blob.Store, run *schemas.Run, seq int, rows []schemas.Candidate) *Entry {
	t.Helper()
	it := run.Item(0, seq)
	it.Phase = schemas.PhaseScan
	prefix := schemas.ShardPrefix(run.Hash, it.ID()) + "a-"
	d := &schemas.Done{Item: it, Counts: schemas.Counts{Rows: map[schemas.Table]int64{schemas.TableCandidates: int64(len(rows))}}}
	if slices.ContainsFunc(rows, func(c schemas.Candidate) bool { return c.Copy >= 0 }) {
		w, err := blob.WriteAll(t.Context(), store, prefix+"samples.warc.gz", []byte("copies"))
		if err != nil {
			t.Fatal(err)
		}
		d.Shards = append(d.Shards, schemas.Shard{Table: schemas.TableSamples, Name: w.Name, Rows: 1, Bytes: w.Bytes, SHA256: w.SHA256})
	}
	s, err := tables.Write(t.Context(), store, columnar.Candidates, prefix+"candidates.parquet", run, columnar.ShardSize, all(rows))
	if err != nil {
		t.Fatal(err)
	}
	d.Shards = append(d.Shards, *s)
	return &Entry{Item: it, Done: d}
}

// crawlOf returns candidates of sites, one of which is large: as many pages as ten items of
// the phase learn have, and more than are sampled.
func crawlOf(sites int) (out []schemas.Candidate) {
	add := func(site, kind string, rank, date int) {
		out = append(out, schemas.Candidate{Site: site, Kind: kind, Rank: uint64(rank), URL: fmt.Sprint(site, "/", rank), Date: int64(date), Copy: -1,
			RecordID: fmt.Sprint(len(out)), Stored: schemas.Stored{URL: "file:///etc/passwd"}, Copies: "run.json", Private: true})
	}
	for s := range sites {
		site := fmt.Sprintf("s%04d.example", s)
		for rank := range 100 {
			add(site, schemas.KindPage, rank, rank%3)
			if rank%9 == 0 {
				add(site, schemas.KindPage, rank, 7) // captured again, later
			}
		}
	}
	for rank := range 10 * itemRowsMax {
		add("s0003.large.example", schemas.KindTarget, rank, 0)
	}
	for date := range 9 {
		add("s0003.large.example", schemas.KindTarget, 5, 10+date)
		add("s0003.large.example", schemas.KindRedirect, 6, date)
		add("s0004.unsampled.example", schemas.KindTarget, date, 0)
	}
	add("s0003.large.example", schemas.KindPage, 1, 0)
	return out
}

func readItem(t *testing.T, store blob.Store, name string) (out []schemas.Candidate) {
	t.Helper()
	for row, err := range tables.Rows(t.Context(), store, columnar.Candidates, name) {
		if err != nil {
			t.Fatal(err)
		}
		c := *row
		c.File = 0 // the number of the item's file, which depends on the plan
		out = append(out, c)
	}
	return out
}

// Each site has its k pages of smallest rank in one file, however the pages are divided,
// and the files are in the order of sites. Where a record is read is what the plan says,
// and not what a worker wrote.
func TestCandidatesAreTheSmallestRanksOfEachSite(t *testing.T) {
	const sites = 150
	rows := crawlOf(sites)
	var want []schemas.Candidate
	for round, parts := range []int{1, 1, 3} {
		store, run := new(blobtest.Memory), planned()
		run.Files[0].Size, run.Files[0].Items = 1000, 9
		run.Phases = schemas.Phases
		r := rand.New(rand.NewPCG(uint64(round), 3))
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		c := New(store, &run)
		if round == 1 {
			c.SortRows = 5000 // through temporary files
		}
		var entries []*Entry
		for seq := range 9 {
			entries = append(entries, scannedEntry(t, store, &run, seq, rows[seq*len(rows)/9:(seq+1)*len(rows)/9]))
		}
		var made []schemas.Shard
		for i := range parts - 1 {
			p, err := c.CandidatePart(t.Context(), i, entries[i*3:i*3+3])
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, *p)
		}
		items, err := c.Candidates(t.Context(), made, entries[(parts-1)*3:])
		if err != nil {
			t.Fatal(err)
		}
		if len(items) < 3 || items[0].From != "" {
			t.Fatalf("%d items, the first from %q", len(items), items[0].From)
		}
		var got []schemas.Candidate
		for i, it := range items {
			of := readItem(t, store, it.Candidates)
			if first, last := of[0].Site, of[len(of)-1].Site; first < it.From || i+1 < len(items) && last >= items[i+1].From {
				t.Errorf("item %d has sites from %s to %s, it begins at %s", i, first, last, it.From)
			}
			got = append(got, of...)
		}
		if round == 0 {
			want = got
			kinds := map[string]int{}
			for i := range got {
				kinds[got[i].Kind]++
				if g := &got[i]; g.Stored != run.Files[0].Stored() || g.Private || g.Copies != "" {
					t.Fatalf("a worker chose what is opened: %+v", g)
				}
				if g := &got[i]; g.Kind == schemas.KindPage && g.Rank%9 == 0 && g.Rank > 0 && g.Date != 7 {
					t.Errorf("the later capture is preferred: %+v", g)
				}
			}
			if kinds[schemas.KindPage] != sites*schemas.SitePages+1 || kinds[schemas.KindRedirect] != 1 || kinds[schemas.KindTarget] != 10*itemRowsMax+schemas.TargetCaptures-1 {
				t.Errorf("%v", kinds)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("round %d: %d candidates, want %d others", round, len(got), len(want))
		}
	}
}

// Copies of records are those of the item's report. A row that says that there is one,
// where the report has none, is damage of its item alone.
// TestFilesOfDays checks that the last capture of each day is kept, of the latest days,
// however the captures are divided.
func TestFilesOfDays(t *testing.T) {
	const day = 24 * 60 * 60
	var rows []schemas.Candidate
	for i := range 3 * schemas.FileDays {
		for _, rank := range []uint64{1, 2} {
			rows = append(rows, schemas.Candidate{Site: "http://a.example", Kind: schemas.KindFile, Rank: rank, Date: int64(i) * day / 2})
		}
	}
	sorted := func(rows []schemas.Candidate) (out []schemas.Candidate) {
		slices.SortFunc(rows, func(a, b schemas.Candidate) int { return schemas.CompareCandidates(&a, &b) })
		for row, err := range sampled(used(all(rows))) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, *row)
		}
		return out
	}
	want := sorted(slices.Clone(rows))
	if len(want) != 2*schemas.FileDays || want[0].Date != (3*schemas.FileDays-1)*day/2 || want[1].Date != want[0].Date-day {
		t.Fatalf("%d rows: %+v", len(want), want[:2])
	}
	rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	half := len(rows) / 2
	if got := sorted(slices.Concat(sorted(rows[:half]), sorted(rows[half:]))); !slices.Equal(got, want) {
		t.Errorf("in two parts: %d rows, want %d", len(got), len(want))
	}
}

func TestCopiesAreOfTheItem(t *testing.T) {
	store, run := new(blobtest.Memory), planned()
	run.Files[0].Size, run.Files[0].Items = 1000, 2
	row := schemas.Candidate{Site: "a.example", Kind: schemas.KindPage, Rank: 1, Copy: 40, Copies: "run.json"}
	good := scannedEntry(t, store, &run, 0, []schemas.Candidate{row})
	row.Site = "b.example"
	bad := scannedEntry(t, store, &run, 1, []schemas.Candidate{row})
	bad.Done.Shards = bad.Done.Shards[1:]
	_, err := New(store, &run).Candidates(t.Context(), nil, []*Entry{good, bad})
	var damage *Damage
	if !errors.As(err, &damage) || len(damage.Entries) != 1 || damage.Entries[0] != bad {
		t.Fatalf("%v", err)
	}
	items, err := New(store, &run).Candidates(t.Context(), nil, []*Entry{good})
	if err != nil {
		t.Fatal(err)
	}
	if got := readItem(t, store, items[0].Candidates); len(got) != 1 || got[0].Copies != good.Done.Shards[0].Name || got[0].Stored != (schemas.Stored{}) {
		t.Errorf("%+v", got)
	}
	store.Delete(context.Background(), good.Done.Shards[0].Name)
	if _, err := New(store, &run).Candidates(t.Context(), nil, []*Entry{good}); !errors.As(err, &damage) {
		t.Errorf("copies that are gone: %v", err)
	}
}

// A part of the table of templates has the rows that the report says, in order, of the
// sites of its item.
func TestTemplatesOfAnItem(t *testing.T) {
	store, run := new(blobtest.Memory), planned()
	row := func(site, method string) schemas.TemplateRow {
		return schemas.TemplateRow{Site: site, Method: method, Status: "ok", Body: []byte{0xff}}
	}
	for name, c := range map[string]struct {
		rows     []schemas.TemplateRow
		reported int64
		good     bool
	}{
		"good":          {[]schemas.TemplateRow{row("c", "a"), row("c", "b"), row("d", "a")}, 3, true},
		"fewer":         {[]schemas.TemplateRow{row("c", "a")}, 2, false},
		"out of order":  {[]schemas.TemplateRow{row("d", "a"), row("c", "a")}, 2, false},
		"twice":         {[]schemas.TemplateRow{row("d", "a"), row("d", "a")}, 2, false},
		"before":        {[]schemas.TemplateRow{row("b", "a")}, 1, false},
		"after its end": {[]schemas.TemplateRow{row("c", "a"), row("m", "a")}, 2, false},
	} {
		it := schemas.Item{Hash: run.Hash, Phase: schemas.PhaseLearn, Seq: 1, Sites: schemas.SiteRange{From: "c"}}
		s, err := tables.Write(t.Context(), store, columnar.Templates, schemas.ShardPrefix(run.Hash, it.ID())+"a-templates.parquet", &run, columnar.LookupSize, all(c.rows))
		if err != nil {
			t.Fatal(err)
		}
		e := &Entry{Item: it, Done: &schemas.Done{Item: it, Shards: []schemas.Shard{*s}, Learned: &schemas.Learned{Statuses: map[string]int64{"ok": c.reported}}}}
		part, err := New(store, &run).Templates(t.Context(), e, "m")
		if c.good {
			files := store.Files()
			if err != nil || !schemas.IsPart(schemas.TableTemplates, part.Name) || !bytes.Equal(files[part.Name], files[s.Name]) {
				t.Errorf("%s: %+v, %v", name, part, err)
			}
			continue
		}
		if !errors.As(err, new(*Damage)) {
			t.Errorf("%s: %v, want damage", name, err)
		}
	}
}
