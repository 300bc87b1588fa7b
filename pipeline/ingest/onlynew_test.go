package ingest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// finish writes to a folder what a run leaves that has done its plan, except for the
// items of the files whose names are given, which it has given up.
func finish(t *testing.T, dir string, run *schemas.Run, dead ...string) {
	t.Helper()
	record(t, dir, finished(run, dead...))
	put(t, dir, schemas.SuccessFile, "")
}

// finished returns the manifest of such a run.
func finished(run *schemas.Run, dead ...string) *schemas.Manifest {
	m := &schemas.Manifest{Version: schemas.Version, Run: *run, Started: run.Created, Finished: run.Created.Add(time.Minute), Parts: []schemas.Part{{}}}
	m.Run.State = schemas.RunDone
	for i, f := range run.Files {
		for seq := range f.Items {
			item := run.Item(i, seq)
			m.Parts[0].Items = append(m.Parts[0].Items, schemas.Commit{ID: item.ID(), File: i, Seq: seq, Next: f.Size,
				Dead: slices.Contains(dead, path.Base(f.URL))})
		}
	}
	return m
}

func record(t *testing.T, dir string, m *schemas.Manifest) {
	t.Helper()
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, dir, schemas.ManifestFile, string(data))
}

// inPlan returns the names of the files that a run reads.
func inPlan(run *schemas.Run) string {
	var names []string
	for _, f := range run.Files {
		names = append(names, path.Base(f.URL))
	}
	return strings.Join(names, " ")
}

// leftOut returns the names of the files that a run skips.
func leftOut(run *schemas.Run) string {
	var names []string
	for _, f := range run.Skipped {
		names = append(names, path.Base(f.URL))
	}
	return strings.Join(names, " ")
}

// A year of nights reads an inbox in which each file stays for a fortnight, and writes a
// folder for each month. Every night reads the file that is new, and the file of which the
// night before has given up an item.
func TestYearOfNights(t *testing.T) {
	const nights, stays = 365, 14
	client := blob.New(blob.Options{})
	defer client.Close()
	inbox, tables := t.TempDir(), t.TempDir()
	day := func(night int) time.Time { return time.Date(2025, 1, 1+night, 2, 0, 0, 0, time.UTC) }
	name := func(night int) string { return day(night).Format("20060102") + ".warc" }
	month := func(night int) string { return filepath.Join(tables, day(night).Format("2006-01")) }
	plan := func(id string, folders ...string) *schemas.Run {
		run, err := Plan(t.Context(), client, Options{Run: schemas.RunID(id), Inputs: []string{inbox}, OnlyNew: folders,
			Out: filepath.Join(tables, id), KeepGoing: true, Recipe: schemas.Recipe{Build: "test", Extractors: []schemas.Method{{Name: "plain"}}}})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	reads := map[string]int{}
	fails := func(night int) bool { return night%50 == 7 }
	for night := range nights {
		put(t, inbox, name(night), "WARC/1.0\r\n")
		if night >= stays {
			if err := os.Remove(filepath.Join(inbox, name(night-stays))); err != nil {
				t.Fatal(err)
			}
		}
		id := "nightly-" + day(night).Format("20060102-150405")
		run := plan(id, month(night-stays), month(night))
		want, there := name(night), min(night+1, stays)
		if fails(night - 1) {
			want = name(night-1) + " " + want
		}
		if got := inPlan(run); got != want || len(run.Files)+len(run.Skipped) != there {
			t.Fatalf("night %s reads %q and skips %q, want %q read of %d files", id, got, leftOut(run), want, there)
		}
		for _, f := range run.Files {
			reads[path.Base(f.URL)]++
		}
		dead := ""
		if fails(night) {
			dead = name(night)
		}
		finish(t, filepath.Join(month(night), id), run, dead)
	}
	for night := range nights {
		want := 1
		if fails(night) {
			want = 2
		}
		if n := reads[name(night)]; n != want {
			t.Errorf("%s was read by %d runs, want %d", name(night), n, want)
		}
	}
	months, err := filepath.Glob(filepath.Join(tables, "*"))
	if err != nil || len(months) != 12 {
		t.Fatal(months, err)
	}
	if run := plan("again", months...); len(run.Files) != 0 || len(run.Skipped) != stays {
		t.Errorf("after the year: reads %q, skips %q", inPlan(run), leftOut(run))
	}
}

// An ingest that is started again keeps the plan that it has recorded, although another
// run has done one of its files since. A run that is planned later skips that file.
func TestRestartKeepsWhatItSkips(t *testing.T) {
	w := newWorld(t)
	tables := t.TempDir()
	var err error
	if w.store, err = w.client.Store(t.Context(), filepath.Join(tables, "r")); err != nil {
		t.Fatal(err)
	}
	w.opt.Out, w.opt.Store = w.store.URL(), w.store
	all := w.plan(t)
	only := func(name string) *schemas.Run {
		o := w.opt
		o.Run, o.Store, o.Inputs = schemas.RunID("only-"+name[:1]), nil, []string{filepath.Join(w.opt.Inputs[0], name)}
		run, err := Plan(t.Context(), w.client, o)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	finish(t, filepath.Join(tables, "first"), only("b.warc.gz"))

	w.opt.OnlyNew = []string{tables}
	first := w.plan(t)
	if inPlan(first) != "a.warc.gz" || leftOut(first) != "b.warc.gz" || first.Skipped[0].Run != "only-b" || first.Sealed.Items != all.Files[0].Items {
		t.Fatalf("reads %q, skips %+v", inPlan(first), first.Skipped)
	}
	w.submit(t)
	head, err := w.q.Run(t.Context(), "r")
	if err != nil || head.Skipped != nil {
		t.Errorf("the head of the run lists files: %+v, %v", head, err)
	}

	finish(t, filepath.Join(tables, "meanwhile"), only("a.warc.gz"))
	m := w.submit(t)
	if inPlan(&m.Run) != "a.warc.gz" || leftOut(&m.Run) != "b.warc.gz" {
		t.Errorf("started again: reads %q, skips %q", inPlan(&m.Run), leftOut(&m.Run))
	}

	// A run of which everything is done has no files and no items.
	w.opt.Run, w.opt.Store = "later", nil
	later := w.plan(t)
	if len(later.Files) != 0 || leftOut(later) != "a.warc.gz b.warc.gz" || later.Sealed != (schemas.Sealed{}) {
		t.Errorf("a later run reads %q, skips %q", inPlan(later), leftOut(later))
	}
	// What a run has skipped is done by what it names, so that the last run is enough.
	finish(t, filepath.Join(tables, "later"), later)
	w.opt.Run, w.opt.OnlyNew = "last", []string{filepath.Join(tables, "later")}
	if last := w.plan(t); leftOut(last) != "a.warc.gz b.warc.gz" || last.Skipped[0].Run != "only-a" {
		t.Errorf("after the last run alone: reads %q, skips %+v", inPlan(last), last.Skipped)
	}
}

// An input counts as done only if it has not changed and a finished run has read all of it.
func TestWhatIsNotDoneIsReadAgain(t *testing.T) {
	w := newWorld(t)
	inbox := w.opt.Inputs[0]
	for _, c := range []struct {
		name   string
		change func(dir string, m *schemas.Manifest)
		want   string // what is read again
	}{
		{"unchanged", func(string, *schemas.Manifest) {}, ""},
		{"an item given up", func(_ string, m *schemas.Manifest) { m.Parts[0].Items[1].Dead = true }, "a.warc.gz"},
		{"an item not committed", func(_ string, m *schemas.Manifest) { m.Parts[0].Items = m.Parts[0].Items[1:] }, "a.warc.gz"},
		{"an item of the phase scan given up", func(_ string, m *schemas.Manifest) {
			run := m.Run
			run.Phase = schemas.PhaseScan
			m.Templates = &schemas.Templates{Dead: []schemas.Dead{{Item: run.Item(1, 0)}}}
		}, "b.warc.gz"},
		{"refused", func(_ string, m *schemas.Manifest) {
			m.Run.Files[1].Refused, m.Run.Files[1].Items = "unreadable", 0
			m.Parts[0].Items = slices.DeleteFunc(m.Parts[0].Items, func(c schemas.Commit) bool { return c.File == 1 })
		}, "b.warc.gz"},
		{"other size", func(_ string, m *schemas.Manifest) { m.Run.Files[0].Size++ }, "a.warc.gz"},
		{"other time of change", func(_ string, m *schemas.Manifest) { m.Run.Files[0].Identity = "mtime:1" }, "a.warc.gz"},
		{"other name", func(_ string, m *schemas.Manifest) { m.Run.Files[1].URL += ".gz" }, "b.warc.gz"},
		{"chosen records", func(_ string, m *schemas.Manifest) {
			f := &m.Run.Files[1]
			f.Selection = schemas.Selection{Table: "selection/x", Bytes: 1, Whole: f.Size, Format: "warc"}
		}, "b.warc.gz"},
		{"records that the index of its collection names", func(_ string, m *schemas.Manifest) {
			f := &m.Run.Files[1]
			f.Selection = schemas.Selection{Table: "selection/x", Bytes: 1, Whole: f.Size, Format: "warc", Collection: true}
		}, "b.warc.gz"},
		{"not finished", func(dir string, _ *schemas.Manifest) {
			if err := os.Remove(filepath.Join(dir, schemas.SuccessFile)); err != nil {
				t.Fatal(err)
			}
		}, "a.warc.gz b.warc.gz"},
	} {
		dir := filepath.Join(t.TempDir(), "r")
		o := w.opt
		run, err := Plan(t.Context(), w.client, o)
		if err != nil {
			t.Fatal(err)
		}
		finish(t, dir, run)
		m := finished(run)
		c.change(dir, m)
		record(t, dir, m)
		for _, folder := range []string{dir, filepath.Dir(dir)} {
			var notes []string
			o.Run, o.OnlyNew, o.Note = "next", []string{folder}, func(s string) { notes = append(notes, s) }
			next, err := Plan(t.Context(), w.client, o)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if got := inPlan(next); got != c.want || len(next.Files)+len(next.Skipped) != 2 {
				t.Errorf("%s: reads %q and skips %q, want %q read", c.name, got, leftOut(next), c.want)
			}
			if none := c.name == "not finished"; (len(notes) == 1) != none {
				t.Errorf("%s: notes %q", c.name, notes)
			}
		}
	}

	// A manifest that cannot be read stops the plan, and the error names it.
	bad := t.TempDir()
	put(t, bad, schemas.SuccessFile, "")
	put(t, bad, schemas.ManifestFile, "{")
	w.opt.Inputs, w.opt.OnlyNew = []string{inbox}, []string{bad}
	if _, err := Plan(t.Context(), w.client, w.opt); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s/%s", filepath.Base(bad), schemas.ManifestFile)) {
		t.Errorf("a damaged manifest: %v", err)
	}
}

// A collection that is read by its own index is done when a run has read the records that
// the index names, but not for a run that reads all records.
func TestCollectionsThatAreDone(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	archive := "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
	var z bytes.Buffer
	out := zip.NewWriter(&z)
	for name, text := range map[string]string{"archive/a.warc": archive, "indexes/index.cdxj": fmt.Sprintf("k 2024 {\"filename\":\"a.warc\",\"offset\":0,\"length\":%d}\n", len(archive))} {
		f, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "c.wacz", z.String())
	o := w.opt
	o.Inputs = []string{filepath.Join(dir, "c.wacz")}
	store, err := w.client.Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.Store = store
	run, err := Plan(t.Context(), w.client, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Files) != 1 || !run.Files[0].Selection.Collection {
		t.Fatalf("%+v", run.Files)
	}
	done := filepath.Join(t.TempDir(), "r")
	finish(t, done, run)
	o.Run, o.OnlyNew = "next", []string{done}
	for _, c := range []struct {
		whole          bool
		files, skipped int
	}{{false, 0, 1}, {true, 1, 0}} {
		o.Select.Whole = c.whole
		next, err := Plan(t.Context(), w.client, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(next.Files) != c.files || len(next.Skipped) != c.skipped {
			t.Errorf("all records %v: reads %q and skips %q", c.whole, inPlan(next), leftOut(next))
		}
	}
}
