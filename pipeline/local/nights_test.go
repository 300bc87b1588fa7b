package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// nightly is a folder of archives that a run reads every night, and what its tables must
// hold in the end.
type nightly struct {
	inbox, outs string
	blobs       *blob.Client
	broker      *queue.Queue // one for all nights, as on a cluster
	broken      atomic.Bool  // a page in the middle of an archive that is poison ends its item

	want   map[string]int    // pages, by archive and URL
	arrive map[string]int    // the night since which an archive is as it is now
	taken  map[string]string // the run that has done it
	given  int               // archives that were written
}

// deliver writes an archive of some pages, which no other archive has, as of a night.
func (n *nightly) deliver(t *testing.T, name string, night, pages int) {
	t.Helper()
	path := filepath.Join(n.inbox, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := write.NewWriter(f)
	n.given++
	for i := range pages {
		url := fmt.Sprintf("http://host.example/%d/%d", n.given, i)
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}},
			fmt.Appendf(nil, "<html><body><ul><li>menu</ul><p>This is page %d of delivery %d, and it is about grain and the wind.</p></body></html>", i, n.given))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&write.Record{Type: "response", ID: write.ID("nights", url), Date: time.Unix(0, 0), TargetURI: url,
			ContentType: "application/http; msgtype=response", Block: block}); err != nil {
			t.Fatal(err)
		}
		n.want[name+" "+url]++
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	n.stamp(t, name, night)
}

// again copies an archive to another name. Its pages are unchanged.
func (n *nightly) again(t *testing.T, old, name string, night int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(n.inbox, old))
	if err != nil {
		t.Fatal(err)
	}
	n.write(t, name, data, night)
}

func (n *nightly) write(t *testing.T, name string, data []byte, night int) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(n.inbox, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	n.stamp(t, name, night)
}

// stamp makes an archive one that arrived in the evening before a night.
func (n *nightly) stamp(t *testing.T, name string, night int) {
	t.Helper()
	at := midnight(night).Add(-3 * time.Hour)
	if err := os.Chtimes(filepath.Join(n.inbox, name), at, at); err != nil {
		t.Fatal(err)
	}
	n.arrive[name] = night
	delete(n.taken, name)
}

func midnight(night int) time.Time { return time.Date(2025, 1, 1+night, 0, 0, 0, 0, time.UTC) }

// options are those of a night, or of a run that does again what another gave up.
func (n *nightly) options(id string) Options {
	x, err := choose.Extractors(suite.Extractors(), "plain")
	if err != nil {
		panic(err)
	}
	r := schemas.Recipe{Version: schemas.Version, Build: "test", PackageBy: schemas.ByHost, SiteBy: schemas.ByHost, Texts: schemas.TextsParquet}
	r.Extractors, r.Scorers = recipe.Methods(x, nil)
	opt := Options{Blobs: n.blobs, Plan: ingest.Options{Run: schemas.RunID(id), Out: filepath.Join(n.outs, id), Recipe: r, KeepGoing: true}}
	opt.Broker, opt.Plan.ItemBytes = n.broker, 1<<10
	opt.Worker.Slots, opt.Worker.GiveUpAfter = 1, time.Millisecond
	opt.Extract.Extractors = suite.Extractors()
	opt.Extract.BeforePage = func(file string, at schemas.Location) {
		if n.broken.Load() && strings.Contains(file, "poison") && 2000 < at.Offset && at.Offset < 2500 {
			panic("broken")
		}
	}
	return opt
}

// Every night reads an inbox in which archives stay for a week. Some nights bring one
// archive, others a file that is none and is replaced a day later, an archive that is there
// already under another name, or other pages under the name of an archive that is there.
// Many bring nothing, some for so long that the inbox is empty. Some runs are interrupted
// and go on, and what some give up is done again by a run of its own. In the end every page
// has its row exactly once in all tables together. An archive under another name is read, and
// its pages are unchanged.
func TestNightsHaveEveryPageOnce(t *testing.T) {
	nights, stays := 36, 7
	switch {
	case testing.Short():
		nights = 20
	case os.Getenv("WINNOW_LONG_TESTS") != "":
		nights = 365
	}
	n := &nightly{inbox: t.TempDir(), outs: t.TempDir(), blobs: blob.New(blob.Options{}),
		want: map[string]int{}, arrive: map[string]int{}, taken: map[string]string{}}
	defer n.blobs.Close()
	n.serve(t)
	var outs []string
	for night := range nights {
		day, before := midnight(night).Format("20060102"), midnight(night-1).Format("20060102")
		name, yesterday := day+".warc.gz", before+".warc.gz"
		for old, since := range maps.Clone(n.arrive) {
			if since <= night-stays {
				if err := os.Remove(filepath.Join(n.inbox, old)); err != nil {
					t.Fatal(err)
				}
				delete(n.arrive, old)
			}
		}
		id := "nightly-" + day + "-000000"
		opt := n.options(id)
		opt.Plan.Inputs, opt.Plan.OnlyNew = []string{n.inbox}, []string{n.outs}
		bad, poison, interrupted, unchanged := "", "", false, int64(0)
		switch night % 36 {
		case 3:
			bad = name
			n.write(t, name, []byte("this is no archive"), night)
		case 4: // the file of yesterday is mended, and today's is good
			n.deliver(t, yesterday, night, 2)
			n.deliver(t, name, night, 2)
		case 8:
			n.again(t, yesterday, "again-"+name, night)
			unchanged = 2
		case 11:
			n.deliver(t, yesterday, night, 2)
		case 14:
			poison = "poison-" + name
			n.deliver(t, poison, night, 12)
			n.deliver(t, name, night, 2)
		case 17, 18:
			interrupted = true
			n.deliver(t, name, night, 2)
			n.deliver(t, "more-"+name, night, 2)
		case 0, 1, 2, 7, 10, 13, 16, 20:
			n.deliver(t, name, night, 2)
		}
		if interrupted {
			n.interrupt(t, opt)
			if night%2 == 0 { // and the broker has lost what it knew of the run
				if err := n.broker.End(t.Context(), opt.Plan.Run); err != nil {
					t.Fatal(err)
				}
			}
			opt = n.options(id)
			opt.Plan.Inputs, opt.Plan.OnlyNew = []string{n.inbox}, []string{n.outs}
		}
		n.broken.Store(poison != "")
		sum := run(t, opt)
		n.broken.Store(false)
		outs = append(outs, opt.Plan.Out)

		var skipped []string
		for _, f := range sum.Skipped {
			if by := n.taken[filepath.Base(f.URL)]; by != string(f.Run) {
				t.Errorf("%s: %s was done by run %s, want %q", id, f.URL, f.Run, by)
			}
			skipped = append(skipped, filepath.Base(f.URL))
		}
		if want := slices.Sorted(maps.Keys(n.taken)); !slices.Equal(skipped, n.present(want)) {
			t.Fatalf("%s skips %q, want %q", id, skipped, n.present(want))
		}
		for there := range n.arrive {
			if _, done := n.taken[there]; !done && there != bad {
				n.taken[there] = id
			}
		}
		if len(n.arrive) == 0 && (sum.Pages != 0 || sum.Dead != 0) {
			t.Errorf("%s: an empty inbox gives %+v", id, sum)
		}
		if sum.Unchanged != unchanged {
			t.Errorf("%s: %d pages are unchanged, want %d", id, sum.Unchanged, unchanged)
		}
		if (sum.Dead > 0) != (poison != "") {
			t.Errorf("%s: %d items are dead letters; poison: %q", id, sum.Dead, poison)
		}
		if poison != "" {
			again := n.options(id + "-again")
			again.Plan.RetryFailed = opt.Plan.Out
			if sum := run(t, again); sum.Dead != 0 || sum.Pages == 0 {
				t.Errorf("%s: %+v", again.Plan.Run, sum)
			}
			n.taken[poison] = id + "-again"
			outs = append(outs, again.Plan.Out)
		}
	}
	got := map[string]int{}
	for _, out := range outs {
		eachDocument(t, out, func(r *schemas.Document) { got[filepath.Base(r.File)+" "+r.URL]++ })
	}
	if !maps.Equal(got, n.want) {
		for page := range n.want {
			if got[page] != n.want[page] {
				t.Errorf("%s: %d rows, want %d", page, got[page], n.want[page])
			}
		}
		t.Errorf("%d pages, want %d", len(got), len(n.want))
	}
	t.Logf("%d nights, %d runs, %d pages", nights, len(outs), len(got))
}

// serve starts the broker.
func (n *nightly) serve(t *testing.T) {
	t.Helper()
	b, err := startBroker("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.stop(true) })
	if n.broker, err = queue.Dial(t.Context(), queue.Options{InProcess: b}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.broker.Close)
}

// present returns those of the names that are in the inbox.
func (n *nightly) present(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { _, is := n.arrive[name]; return !is })
}

// interrupt begins a run and ends it at its second page.
func (n *nightly) interrupt(t *testing.T, opt Options) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pages := 0
	opt.Extract.BeforePage = func(string, schemas.Location) {
		if pages++; pages == 2 {
			cancel()
		}
	}
	if _, err := Run(ctx, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("%s was to be interrupted: %v", opt.Plan.Run, err)
	}
}
