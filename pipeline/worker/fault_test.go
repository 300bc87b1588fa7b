package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// archives writes some archives into the world's input folder, and cuts them small.
func (w *world) archives(n int) {
	w.t.Helper()
	for i := range n {
		c := newCrawl(w.t, w.dir, fmt.Sprintf("%c.warc.gz", 'a'+i))
		for p := range 10 {
			c.page("h.example", p, "")
		}
		c.close()
	}
	w.plan.ItemBytes = 2000
}

// survive has a worker meet a fault of its machine: it must say why it takes no items,
// give none up, and do all of them when the fault is over.
func (w *world) survive(run *schemas.Run, mend func(), says string) {
	w.t.Helper()
	w.opt.Health, w.opt.Slots = new(Health), 1 // with several, one may meet the fault late
	var log logged
	w.opt.Log = slog.New(slog.NewTextHandler(&log, nil))
	over := make(chan error, 1)
	go func() { over <- Run(w.t.Context(), w.opt) }()
	w.eventually("the worker says that it takes no items", func() bool { return w.opt.Health.Ready() != nil })
	if err := w.opt.Health.Ready(); !strings.Contains(err.Error(), says) {
		w.t.Errorf("the worker says %q, want %q", err, says)
	}
	mend()
	done, dead := w.reports(run)
	if len(dead) > 0 || len(done) != run.Sealed.Items {
		w.t.Errorf("%d of %d items are done, given up: %+v", len(done), run.Sealed.Items, dead)
	}
	w.eventually("the worker is ready again", func() bool { return w.opt.Health.Ready() == nil })
	for _, said := range []string{"no more items are taken", "items are taken again"} {
		if n := log.count(said); n != 1 {
			w.t.Errorf("the log says %d times %q", n, said)
		}
	}
	w.end(run.ID)
	if err := <-over; err != nil {
		w.t.Error(err)
	}
}

// logged is what a worker logged.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), s)
}

func (w *world) eventually(what string, f func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	for !f() {
		select {
		case <-ctx.Done():
			w.t.Fatal("not so: ", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOutputThatCannotBeWritten(t *testing.T) {
	w := newWorld(t)
	w.archives(1)
	run := w.submit()
	dir, _ := localPath(w.store.URL())
	folder := filepath.Join(dir, ".unfinished") // where files are begun
	must(t, os.RemoveAll(folder))
	must(t, os.WriteFile(folder, nil, 0o666))
	w.survive(run, func() { must(t, os.Remove(folder)) }, "output file://")
}

func TestOutputWithoutRights(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	w := newWorld(t)
	w.archives(1)
	run := w.submit()
	dir, _ := localPath(w.store.URL())
	must(t, os.RemoveAll(filepath.Join(dir, ".unfinished")))
	must(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	w.survive(run, func() { must(t, os.Chmod(dir, 0o755)) }, "permission denied")
}

func TestOutputThatIsNotMounted(t *testing.T) {
	w := newWorld(t)
	w.archives(1)
	run := w.submit()
	dir, _ := localPath(w.store.URL())
	must(t, os.Rename(dir, dir+".away"))
	must(t, os.Mkdir(dir, 0o777))
	w.survive(run, func() {
		must(t, os.Remove(dir)) // it is still empty
		must(t, os.Rename(dir+".away", dir))
	}, "is it mounted here?")
}

func TestInputThatIsNotMounted(t *testing.T) {
	w := newWorld(t)
	w.archives(3)
	run := w.submit()
	w.opt.GiveUpAfter = time.Nanosecond // which is not asked
	must(t, os.Rename(w.dir, w.dir+".away"))
	w.survive(run, func() { must(t, os.Rename(w.dir+".away", w.dir)) }, "input file://")
}

func TestInputWithoutRights(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	w := newWorld(t)
	w.archives(3)
	run := w.submit()
	w.opt.GiveUpAfter = time.Nanosecond
	must(t, os.Chmod(w.dir, 0))
	t.Cleanup(func() { os.Chmod(w.dir, 0o755) })
	w.survive(run, func() { must(t, os.Chmod(w.dir, 0o755)) }, "permission denied")
}

// A worker that may only wait so long for its machine ends with what it waits for.
func TestFaultLimit(t *testing.T) {
	w := newWorld(t)
	w.archives(1)
	run := w.submit()
	w.opt.FaultLimit = time.Millisecond
	must(t, os.Rename(w.dir, w.dir+".away"))
	if err := Run(t.Context(), w.opt); err == nil || !strings.Contains(err.Error(), "no work is possible") {
		t.Errorf("%v", err)
	}
	b, err := w.q.Backlog(t.Context(), run.ID, run.Phase)
	if err != nil || b.Waiting+b.Working != run.Sealed.Items {
		t.Errorf("%+v, %v: want %d items", b, err, run.Sealed.Items)
	}
}

// An input that is away for a moment while others can be read is tried again.
func TestInputThatComesBack(t *testing.T) {
	w := newWorld(t)
	w.archives(2)
	run := w.submit()
	name := filepath.Join(w.dir, "a.warc.gz")
	must(t, os.Rename(name, name+".away"))
	over := make(chan error, 1)
	go func() { over <- Run(t.Context(), w.opt) }()
	w.eventually("an item of the missing file is given back", func() bool {
		for i := range run.Sealed.Items {
			it := run.Item(0, i)
			if p, _, err := w.q.Progress(t.Context(), run.ID, it.ID()); err == nil && p.Unreadable != nil {
				return true
			}
			if i+1 == run.Files[0].Items {
				break
			}
		}
		return false
	})
	must(t, os.Rename(name+".away", name))
	done, dead := w.reports(run)
	if len(dead) > 0 || len(done) != run.Sealed.Items {
		t.Errorf("%d of %d items are done, given up: %+v", len(done), run.Sealed.Items, dead)
	}
	w.end(run.ID)
	must(t, <-over)
}

func TestUnreadableIsAgreedUpon(t *testing.T) {
	const after, every = 10 * time.Minute, 30 * time.Second
	begin := time.Unix(1e9, 0)
	for _, x := range []struct {
		workers string
		age     time.Duration
		lasting bool
		want    bool
	}{
		{"a", 0, true, false},
		{"a", after - 1, true, false},
		{"a", after, true, true},
		{"ab", 0, true, false},
		{"ab", after / 5, true, true},
		{"ab", after, false, false},
		{"a", 23 * after, false, false},
		{"a", 24 * after, false, true},
		{"abcdefgh", 24 * after / 5, false, true},
	} {
		u, got := unreadable(nil, x.workers[:1], begin, after, x.lasting)
		for at, i := time.Duration(0), 1; at < x.age; i++ {
			at = min(at+every, x.age)
			w := i % len(x.workers)
			u, got = unreadable(u, x.workers[w:w+1], begin.Add(at), after, x.lasting)
		}
		if got != x.want {
			t.Errorf("workers %q after %v, lasting %t: %t, want %t", x.workers, x.age, x.lasting, got, x.want)
		}
		if len(u.Workers) > maxWorkers {
			t.Errorf("%d workers are remembered", len(u.Workers))
		}
	}
}

// A clock that is set, or clocks of workers that differ, do not make an item be given up
// early, nor keep it from being given up.
func TestUnreadableWithWrongClocks(t *testing.T) {
	const after, every = 10 * time.Minute, 30 * time.Second
	begin := time.Unix(1e9, 0)
	for _, x := range []struct {
		name        string
		wrong       func(failure int) time.Duration // what is added to the right time
		least, most int                             // failures until the item is given up
	}{
		{"right", func(int) time.Duration { return 0 }, 21, 21},
		{"a day ahead from the third failure on", func(n int) time.Duration {
			if n >= 3 {
				return 24 * time.Hour
			}
			return 0
		}, 16, 21},
		{"a day behind from the third failure on", func(n int) time.Duration {
			if n >= 3 {
				return -24 * time.Hour
			}
			return 0
		}, 21, 22},
		{"every second failure an hour ahead", func(n int) time.Duration { return time.Duration(n%2) * time.Hour }, 8, 21},
	} {
		var u *schemas.Unreadable
		failures := 0
		for final := false; !final && failures < 100; failures++ {
			u, final = unreadable(u, "a", begin.Add(time.Duration(failures)*every+x.wrong(failures)), after, true)
		}
		if failures < x.least || failures > x.most {
			t.Errorf("%s: given up after %d failures, want %d to %d", x.name, failures, x.least, x.most)
		}
	}
}

// Every error has an owner, and only the source's and the program's may end an item.
func TestOwners(t *testing.T) {
	w := newWorld(t)
	w.archives(2)
	run := w.submit()
	j := &Job{Run: run, Store: w.store}
	there := run.Item(0, 0)
	missing, web, bucket := there, there, there
	missing.File.URL = "file://" + w.dir + "/none.warc.gz"
	web.File.URL, bucket.File.URL = "http://127.0.0.1:1/x.warc.gz", "s3://none/x.warc.gz"
	wrap := func(err error) error { return fmt.Errorf("read: %w", err) }
	type check struct {
		item  schemas.Item
		err   error
		owner owner
		why   string
	}
	checks := []check{
		{there, queue.ErrConflict, ownerOther, ""},
		{there, &panics.Error{Value: "x"}, ownerProgram, "bug"},
		{there, BrokerError(errors.New("x")), ownerBroker, ""},
		{there, queue.ErrNotFound, ownerSource, "unreadable"},
		{there, context.DeadlineExceeded, ownerBroker, ""},
		{there, OutputError(blob.ErrNotFound), ownerMachine, ""},
		{there, OutputError(blob.ErrDenied), ownerMachine, ""},
		{there, OutputError(errors.New("x")), ownerMachine, ""},
		{there, MachineError(errors.New("no process")), ownerMachine, ""},
		{there, errors.New("bad range"), ownerSource, "unreadable"},
		{there, blob.ErrChanged, ownerSource, "changed"},
		{there, syscall.EIO, ownerSource, "unreadable"}, // a read error at one location; other locations of the file can be read
		{missing, blob.ErrNotFound, ownerSource, "missing"},
		{missing, syscall.EMFILE, ownerMachine, "unreadable"},
		{web, blob.ErrNotFound, ownerSource, "missing"},
		{web, blob.ErrTransient, ownerSource, "unreadable"},
		{web, blob.ErrDenied, ownerSource, "unreadable"},
		{bucket, blob.ErrDenied, ownerMachine, "unreadable"},
		{there, InputError(blob.Object{URL: missing.File.URL}, blob.ErrNotFound), ownerSource, "missing"},
	}
	for _, e := range environmental {
		checks = append(checks, check{there, OutputError(e), ownerMachine, ""})
	}
	for _, c := range checks {
		f := classify(t.Context(), w.client, j, &c.item, wrap(c.err))
		if f.owner != c.owner || f.reason != c.why {
			t.Errorf("%v of %s: owner %d, reason %q; want %d, %q", c.err, c.item.File.URL, f.owner, f.reason, c.owner, c.why)
		}
		if f.owner == ownerSource && f.lasting == errors.Is(c.err, blob.ErrTransient) {
			t.Errorf("%v: lasting %t", c.err, f.lasting)
		}
	}
	// With all others gone, too, it is the machine that cannot see them.
	must(t, os.Rename(w.dir, w.dir+".away"))
	f := classify(t.Context(), w.client, j, &missing, blob.ErrNotFound)
	if f.owner != ownerMachine || f.probe(t.Context()) == nil {
		t.Errorf("folder that is not mounted: owner %d", f.owner)
	}
	must(t, os.Rename(w.dir+".away", w.dir))
	if err := f.probe(t.Context()); err != nil {
		t.Errorf("folder that is mounted again: %v", err)
	}
}

// An input whose file is gone is told from one whose volume is not mounted here.
func TestGone(t *testing.T) {
	w := newWorld(t)
	w.archives(2)
	run := w.submit()
	j := &Job{Run: run, Blobs: w.client, Store: w.store}
	o := blob.Object{URL: run.Files[0].URL, Size: run.Files[0].Size, Identity: run.Files[0].Identity, Ranges: true}
	_, err := w.client.Open(t.Context(), o)
	if err != nil || j.Gone(t.Context(), o, err) {
		t.Errorf("file that is there: %v", err)
	}
	must(t, os.Remove(filepath.Join(w.dir, "a.warc.gz")))
	if _, err := w.client.Open(t.Context(), o); !j.Gone(t.Context(), o, err) {
		t.Errorf("file that was removed: %v", err)
	}
	must(t, os.Rename(w.dir, w.dir+".away"))
	_, err = w.client.Open(t.Context(), o)
	if j.Gone(t.Context(), o, err) {
		t.Errorf("folder that is not mounted: %v", err)
	}
	it := run.Item(1, 0)
	if f := classify(t.Context(), w.client, j, &it, InputError(o, err)); f.owner != ownerMachine {
		t.Errorf("folder that is not mounted: owner %d", f.owner)
	}
}

// The probe of the output leaves nothing behind.
func TestProbeOfTheOutput(t *testing.T) {
	w := newWorld(t)
	w.archives(1)
	run := w.submit()
	must(t, writeProbe(t.Context(), w.store, run.Hash))
	left, err := w.store.List(t.Context(), "")
	must(t, err)
	if slices.ContainsFunc(left, func(i blob.Info) bool { return strings.Contains(i.Name, "probe") }) {
		t.Errorf("%v", left)
	}
}
