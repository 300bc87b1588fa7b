package ingest

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// archive writes a .warc.gz of n records with blocks of size bytes.
func archive(t *testing.T, dir, name string, n, size int) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := write.NewWriter(f)
	for i := range n {
		block := make([]byte, size)
		for j := range block { // does not compress well
			block[j] = byte((i+1)*(j+7)*2654435761>>9) ^ byte(j>>3)
		}
		if err := w.Write(&write.Record{Type: "resource", ID: write.ID(name, string(rune(i))), Date: time.Unix(0, 0), Block: block}); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func put(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

type world struct {
	client *blob.Client
	store  blob.Store
	q      *queue.Queue
	opt    Options
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("server does not start")
	}
	w := &world{client: blob.New(blob.Options{})}
	t.Cleanup(func() { w.client.Close() })
	if w.q, err = queue.Dial(t.Context(), queue.Options{InProcess: s}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.q.Close)
	if err := w.q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	if w.store, err = w.client.Store(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	archive(t, dir, "a.warc.gz", 40, 2000)
	archive(t, dir, "b.warc.gz", 3, 100)
	w.opt = Options{Run: "r", Inputs: []string{dir}, Out: w.store.URL(), ItemBytes: 8 << 10, Recipe: schemas.Recipe{Build: "test", Extractors: []schemas.Method{{Name: "plain"}}}}
	return w
}

func (w *world) plan(t *testing.T) *schemas.Run {
	t.Helper()
	run, err := Plan(t.Context(), w.client, w.opt)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// submit submits the plan and verifies that the broker has its run.
func (w *world) submit(t *testing.T) *schemas.Manifest {
	t.Helper()
	m, err := Submit(t.Context(), w.q, w.store, w.plan(t))
	if err != nil {
		t.Fatal(err)
	}
	if head, err := w.q.Run(t.Context(), m.Run.ID); err != nil || head.Sealed != m.Run.Sealed || head.Out != w.opt.Out {
		t.Fatalf("head: %+v %v", head, err)
	}
	return m
}

func TestPlanCutsFilesBySizeAlone(t *testing.T) {
	w := newWorld(t)
	run := w.plan(t)
	if len(run.Files) != 2 || run.Files[0].Items < 3 || run.Files[1].Items != 1 || run.Sealed.Items != run.Items() {
		t.Fatalf("%+v", run)
	}
	for i, f := range run.Files {
		if !f.Split || f.Size == 0 || f.Identity == "" {
			t.Errorf("file %d: %+v", i, f)
		}
		for s := range f.Items {
			if it := run.Item(i, s); it.File.Length() < w.opt.ItemBytes && f.Items > 1 || it.File.Length() >= 2*w.opt.ItemBytes {
				t.Errorf("item %s: %d bytes", it.ID(), it.File.Length())
			}
		}
	}
	w.opt.Inputs = []string{w.opt.Inputs[0] + "/b.warc.gz", w.opt.Inputs[0], w.opt.Inputs[0] + "/*.gz"}
	if again := w.plan(t); again.Hash != run.Hash || len(again.Files) != 2 || again.Files[1] != run.Files[1] {
		t.Errorf("other order, other plan: %+v", again.Files)
	}
}

func TestItemSize(t *testing.T) {
	f := func(given int64, workers int, total, want int64) {
		t.Helper()
		got := itemBytes(Options{ItemBytes: given, Workers: workers}, []source.File{{Object: blob.Object{Size: total}}})
		if got != want {
			t.Errorf("given %d, %d workers, %d bytes: items of %d, want %d", given, workers, total, got, want)
		}
	}
	f(0, 0, 1<<40, DefaultItemBytes)
	f(1000, 2, 1<<40, 1000)
	f(0, 2, 1<<40, DefaultItemBytes)
	f(0, 2, 160<<20, 10<<20)
	f(0, 2, 1<<20, minItemBytes)
}

func TestInputsThatCannotBeReadAreNamed(t *testing.T) {
	w := newWorld(t)
	dir := w.opt.Inputs[0]
	put(t, dir, "old.arc", "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 10\n1 0 Alexa\n")
	text := put(t, dir, "old.warc", "color: 0.0.0.0 red\n")
	page := put(t, dir, "page.warc.gz", "<html><body>not a crawl</body></html>")
	_, err := Plan(t.Context(), w.client, w.opt)
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Files != 2 || refused.Of != 5 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{filepath.Base(text) + ": warc: not a WARC", filepath.Base(page) + ": warc: not a WARC"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error does not say %q:\n%v", want, err)
		}
	}
	w.opt.KeepGoing = true
	run := w.plan(t)
	got := ""
	for _, f := range run.Files {
		got += f.Refused + ";"
	}
	if got != ";;;not-warc;not-warc;" || run.Sealed.Files != 5 || run.Files[2].Items == 0 || run.Files[3].Items+run.Files[4].Items != 0 {
		t.Errorf("kept going: %s %+v", got, run.Sealed)
	}

	w.opt.KeepGoing = false
	w.opt.Inputs = []string{filepath.Join(dir, "missing.warc.gz")}
	if _, err := Plan(t.Context(), w.client, w.opt); !errors.Is(err, blob.ErrNotFound) || !strings.Contains(err.Error(), "missing.warc.gz") {
		t.Errorf("missing file: %v", err)
	}
	w.opt.Inputs = nil
	if _, err := Plan(t.Context(), w.client, w.opt); err == nil {
		t.Error("no inputs were taken")
	}
	w.opt.Inputs, w.opt.Run = []string{dir}, "a/b"
	if _, err := Plan(t.Context(), w.client, w.opt); err == nil {
		t.Error("a run id with a slash was taken")
	}
}

// What a call of Submit did not do, because it was killed, or what the broker has lost
// since, the next call does.
func TestSubmitAgain(t *testing.T) {
	w := newWorld(t)
	run := w.plan(t)
	if _, err := enter(t.Context(), w.store, run); err != nil { // killed between plan and message
		t.Fatal(err)
	}
	m := w.submit(t)
	w.submit(t)
	if err := w.q.End(t.Context(), "r"); err != nil { // the broker forgets everything
		t.Fatal(err)
	}
	if again := w.submit(t); !again.Run.Created.Equal(m.Run.Created) {
		t.Errorf("the plan is another: %v, %v", again.Run.Created, m.Run.Created)
	}
	if err := w.q.End(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	m.Finished = time.Now()
	data, err := m.Encode()
	if err == nil {
		_, err = blob.WriteAll(t.Context(), w.store, schemas.ManifestFile, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Submit(t.Context(), w.q, w.store, w.plan(t)); !errors.Is(err, ErrFinished) {
		t.Errorf("finished run: %v", err)
	}
	if _, err := w.q.Run(t.Context(), "r"); err != nil { // an aggregator may not have ended it
		t.Errorf("finished run: %v", err)
	}
}

func TestAnotherPlanIsRefused(t *testing.T) {
	w := newWorld(t)
	w.submit(t)
	refused := func(what, words string) {
		t.Helper()
		if _, err := Submit(t.Context(), w.q, w.store, w.plan(t)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", what, err)
		}
	}
	good := w.opt
	w.opt.Recipe.Texts = "parquet"
	refused("other recipe", "other extractors")
	w.opt = good
	w.opt.Run = "s"
	refused("other id in the same folder", "run r already")
	w.opt = good
	if other, err := w.client.Store(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	} else {
		mine := w.store
		w.store, w.opt.Out = other, other.URL()
		refused("same id in another folder", "another run of this name")
		w.store, w.opt = mine, good
	}
	extra := archive(t, w.opt.Inputs[0], "c.warc.gz", 1, 10)
	refused("one more file", "2 input files, not 3")
	if err := os.Remove(extra); err != nil {
		t.Fatal(err)
	}
	archive(t, w.opt.Inputs[0], "b.warc.gz", 4, 100)
	refused("a file that changed", "has changed since")
}

// Inputs that are missing are named, all of them, or kept as failures.
func TestMissingInputs(t *testing.T) {
	w := newWorld(t)
	dir := w.opt.Inputs[0]
	list := put(t, t.TempDir(), "l.paths", "b.warc.gz\nz.warc.gz\nc.warc.gz\n")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling.warc.gz")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "page.warc.gz", "<html>")
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	w.opt.Base = dir
	w.opt.Inputs = []string{filepath.Join(dir, "none.warc.gz"), dir, list, server.URL + "/gone.warc.gz"}
	_, err := Plan(t.Context(), w.client, w.opt)
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Files != 6 || refused.Of != 8 || !errors.Is(err, blob.ErrNotFound) {
		t.Fatalf("%v", err)
	}
	at := 0
	for _, name := range []string{"none.warc.gz", "dangling.warc.gz", "/z.warc.gz", "/c.warc.gz", "gone.warc.gz", "page.warc.gz"} {
		i := strings.Index(err.Error()[at:], name)
		if i < 0 {
			t.Fatalf("%s is not named, or not in its place:\n%v", name, err)
		}
		at += i
	}
	w.opt.KeepGoing = true
	run := w.plan(t)
	var got []string
	for _, f := range run.Files {
		if f.Refused != "" {
			got = append(got, path.Base(f.URL)+" "+f.Refused)
		}
	}
	want := "c.warc.gz missing, dangling.warc.gz missing, none.warc.gz missing, page.warc.gz not-warc, z.warc.gz missing, gone.warc.gz missing"
	if strings.Join(got, ", ") != want || run.Sealed.Files != 8 {
		t.Errorf("%q, want %q", got, want)
	}
	w.submit(t)
	w.submit(t) // the same plan again
}

// What a private file is fetched with is in no record that is stored, and workers
// find it in the broker until the run is over.
func TestAccessIsInNoRecord(t *testing.T) {
	w := newWorld(t)
	dir := w.opt.Inputs[0]
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	full := "http://u:SESAME@" + strings.TrimPrefix(server.URL, "http://") + "/a.warc.gz?x=1&X-Amz-Signature=SESAME"
	w.opt.Inputs = []string{full, dir + "/b.warc.gz"}
	run := w.plan(t)
	public := server.URL + "/a.warc.gz?x=1"
	if f := run.Files[1]; f.URL != public || !f.Private || run.Files[0].Private {
		t.Fatalf("%+v", run.Files)
	}
	m := w.submit(t)
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := blob.ReadAll(t.Context(), w.store, schemas.ManifestFile, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	head, err := w.q.Run(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(data), string(stored), fmt.Sprintf("%+v %+v", head, run.Item(1, 0))} {
		if strings.Contains(text, "SESAME") {
			t.Errorf("a secret is in\n%s", text)
		}
	}
	if got, err := w.q.Access(t.Context(), "r", public); got != full || err != nil {
		t.Errorf("access %q, %v", got, err)
	}
	// A URL that was signed again is the same file.
	w.opt.Inputs[0] = strings.ReplaceAll(full, "Signature=SESAME", "Signature=OPEN")
	w.submit(t)
	if got, err := w.q.Access(t.Context(), "r", public); got != w.opt.Inputs[0] || err != nil {
		t.Errorf("access %q, %v", got, err)
	}
	if err := w.q.End(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if got, err := w.q.Access(t.Context(), "r", public); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("access to a run that is over: %q, %v", got, err)
	}
}

// A run that was canceled, or failed, is not published again. Nor is a run begun in a
// folder that holds the end of another one.
func TestRunThatHasEndedIsRefused(t *testing.T) {
	for _, state := range []schemas.RunState{schemas.RunCanceled, schemas.RunFailed} {
		w := newWorld(t)
		run := w.submit(t).Run
		if err := errors.Join(w.q.End(t.Context(), run.ID), manifest.End(t.Context(), w.store, run.ID, state, "because")); err != nil {
			t.Fatal(err)
		}
		_, err := Submit(t.Context(), w.q, w.store, w.plan(t))
		var ended *manifest.EndedError
		if !errors.As(err, &ended) || ended.State != state || !strings.Contains(err.Error(), "because") {
			t.Errorf("%s: %v", state, err)
		}
		if _, err := w.q.Run(t.Context(), run.ID); !errors.Is(err, queue.ErrNotFound) {
			t.Errorf("%s: the broker holds the run: %v", state, err)
		}
		again := w.plan(t)
		if err := w.store.Delete(t.Context(), schemas.ManifestFile); err != nil {
			t.Fatal(err)
		}
		if _, err := Submit(t.Context(), w.q, w.store, again); err == nil || !strings.Contains(err.Error(), schemas.EndedFile) {
			t.Errorf("%s, without its manifest: %v", state, err)
		}
		if err := w.store.Delete(t.Context(), schemas.EndedFile); err != nil {
			t.Fatal(err)
		}
		w.submit(t)
	}
}

// A folder, or a pattern, that leads to no archives is an error, unless the run is to keep
// going: then the run has no files. A file that does not exist is missing in any case.
func TestEmptyFolders(t *testing.T) {
	w := newWorld(t)
	empty := t.TempDir()
	w.opt.Inputs = []string{empty, filepath.Join(empty, "*.warc.gz")}
	if _, err := Plan(t.Context(), w.client, w.opt); !errors.Is(err, blob.ErrEmpty) || !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("an empty folder: %v", err)
	}
	w.opt.KeepGoing = true
	var notes []string
	w.opt.Note = func(s string) { notes = append(notes, s) }
	run := w.plan(t)
	if len(run.Files) != 0 || run.Sealed != (schemas.Sealed{}) || len(notes) != 2 || !strings.Contains(notes[0], filepath.Base(empty)) {
		t.Errorf("%+v, notes %q", run.Files, notes)
	}
	w.submit(t)
	w.opt.Inputs = []string{filepath.Join(empty, "a.warc.gz")}
	if run := w.plan(t); len(run.Files) != 1 || run.Files[0].Refused != "missing" {
		t.Errorf("a file that does not exist: %+v", run.Files)
	}
}
