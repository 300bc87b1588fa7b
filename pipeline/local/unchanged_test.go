package local

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/schemas"
)

// fetched writes an archive of the pages of http://h.example/ that a night has fetched: the
// given ones, as NAME=WORDS, and forty that are the same every night.
func (n *nightly) fetched(t *testing.T, night int, pages ...string) {
	t.Helper()
	var list []response
	add := func(name, status, words string) {
		list = append(list, response{"http://h.example/" + name, status, "text/html", "<p>" + strings.Repeat("This page is about "+words+" and the wind. ", 9), night})
	}
	for _, p := range pages {
		name, words, _ := strings.Cut(p, "=")
		status := "200 OK"
		if words == "gone" {
			status = "404 Not Found"
		}
		add(name, status, words)
	}
	for i := range 40 {
		add(fmt.Sprint("same/", i), "200 OK", fmt.Sprint("grain ", i))
	}
	archived(t, filepath.Join(n.inbox, fmt.Sprintf("night-%d.warc.gz", night)), false, list)
}

// onlyNew returns the options of a night that compares with the earlier nights (--only-new).
func (n *nightly) onlyNew(id, out string, slots int, itemBytes int64) Options {
	opt := n.options(id)
	opt.Plan.Inputs, opt.Plan.OnlyNew, opt.Plan.Out = []string{n.inbox}, []string{n.outs}, filepath.Join(out, id)
	opt.Plan.Recipe.Statuses = []int{200, 404}
	opt.Plan.ItemBytes, opt.Worker.Slots = itemBytes, slots
	return opt
}

// addresses returns the names of the pages that a run has extracted, sorted.
func addresses(t *testing.T, out string) string {
	t.Helper()
	var names []string
	eachPage(t, out, func(p *schemas.Page) { names = append(names, strings.TrimPrefix(p.URL, "http://h.example/")) })
	slices.Sort(names)
	return strings.Join(names, " ")
}

// A night extracts a page unless the latest night that has it found the same content: not
// one that changed and changed back, not one that was gone, and not one that the latest
// night has twice. The rows are the same whatever the number of workers and the size of
// items are, and also if the run is interrupted and another one has ended when it goes on.
func TestUnchangedPagesAreNotExtractedAgain(t *testing.T) {
	n := &nightly{inbox: t.TempDir(), outs: t.TempDir(), blobs: blob.New(blob.Options{})}
	defer n.blobs.Close()
	n.serve(t)
	n.fetched(t, 0, "one=A", "back=A", "gone=A", "twice=A", "twice=B")
	if sum := run(t, n.onlyNew("night-0", n.outs, 2, 1<<10)); sum.Pages != 45 || sum.Unchanged != 0 {
		t.Fatalf("the first night: %+v", sum)
	}
	n.fetched(t, 1, "one=A", "back=B", "gone=gone", "twice=B", "new=A")
	sum := run(t, n.onlyNew("night-1", n.outs, 2, 1<<10))
	if got := addresses(t, filepath.Join(n.outs, "night-1")); got != "back gone new twice" || sum.Unchanged != 41 || sum.Records != 45 {
		t.Fatalf("the second night extracts %s: %+v", got, sum)
	}

	n.fetched(t, 2, "one=A", "back=A", "gone=A", "twice=B", "new=B", "back=B")
	var want []string
	for i, c := range []struct {
		slots int
		items int64
		end   bool
	}{{1, 64 << 20, false}, {3, 700, false}, {2, 700, true}} {
		out := t.TempDir()
		opt := n.onlyNew("night-2", out, c.slots, c.items)
		if c.end {
			opt.Worker.Slots = 1
			n.interrupt(t, opt)
			// What is in the folder of nights meanwhile is not in the plan.
			n.fetched(t, 3, "one=B", "back=B", "gone=gone", "twice=A", "new=A")
			other := n.onlyNew("night-3", n.outs, 2, 64<<20)
			other.Plan.Inputs = []string{filepath.Join(n.inbox, "night-3.warc.gz")}
			if sum := run(t, other); sum.Pages != 2 { // the others are as night 1 had them
				t.Errorf("the night after: %+v", sum)
			}
			opt = n.onlyNew("night-2", out, c.slots, c.items)
			opt.Plan.Inputs = []string{filepath.Join(n.inbox, "night-2.warc.gz")}
		}
		sum := run(t, opt)
		if got := addresses(t, opt.Plan.Out); got != "back gone new" || sum.Unchanged != 43 || sum.Records != 46 {
			t.Errorf("the third night extracts %s: %+v", got, sum)
		}
		rows := documents(t, opt.Plan.Out)
		if i == 0 {
			want = rows
		}
		if !slices.Equal(rows, want) {
			t.Errorf("%+v: rows\n%q, want\n%q", c, rows, want)
		}
		if sum := run(t, opt); sum.Unchanged != 43 { // it is finished
			t.Errorf("again: %+v", sum)
		}
	}
}

// A run that does again what another one gave up compares pages with what that one did.
func TestRetryComparesWithTheSamePages(t *testing.T) {
	n := &nightly{inbox: t.TempDir(), outs: t.TempDir(), blobs: blob.New(blob.Options{})}
	defer n.blobs.Close()
	n.serve(t)
	n.fetched(t, 0)
	run(t, n.onlyNew("night-0", n.outs, 2, 64<<20))
	n.fetched(t, 1, "a=A", "b=B")
	broken := n.onlyNew("night-1", n.outs, 1, 700)
	broken.Extract.BeforePage = func(_ string, at schemas.Location) {
		if at.Offset < 1400 {
			panic("broken")
		}
	}
	first := run(t, broken)
	if first.Dead == 0 || first.Unchanged == 0 || first.Unchanged == 40 {
		t.Fatalf("%+v", first)
	}
	again := n.onlyNew("again", n.outs, 2, 700)
	again.Plan.Inputs, again.Plan.OnlyNew, again.Plan.RetryFailed = nil, nil, broken.Plan.Out
	second := run(t, again)
	if got := addresses(t, broken.Plan.Out) + addresses(t, again.Plan.Out); got != "a b" || first.Unchanged+second.Unchanged != 40 || second.Dead != 0 {
		t.Errorf("extracted: %s; %d and %d unchanged", got, first.Unchanged, second.Unchanged)
	}
}

// A page that an extractor failed on is tried again, although it has not changed.
func TestFailedPagesAreTriedAgain(t *testing.T) {
	n := &nightly{inbox: t.TempDir(), outs: t.TempDir(), blobs: blob.New(blob.Options{})}
	defer n.blobs.Close()
	n.serve(t)
	fails := true
	shaky := &algorithms.Extractor{Description: algorithms.Description{Name: "shaky", Fidelity: algorithms.Exact}, Run: func(p *algorithms.Pass) error {
		if fails && strings.Contains(string(p.Page.Body().All.Text), "grain 7") {
			return errors.New("not now")
		}
		return nil // an empty answer
	}}
	for i, want := range []string{"40 pages, 0 unchanged", "1 pages, 39 unchanged", "0 pages, 40 unchanged"} {
		fails = i == 0
		n.fetched(t, i)
		opt := n.onlyNew(fmt.Sprint("night-", i), n.outs, 1, 64<<20)
		opt.Extract.Extractors = []*algorithms.Extractor{shaky}
		opt.Plan.Recipe.Extractors, _ = recipe.Methods(opt.Extract.Extractors, nil)
		sum := run(t, opt)
		if got := fmt.Sprintf("%d pages, %d unchanged", sum.Pages, sum.Unchanged); got != want {
			t.Errorf("night %d: %s, want %s", i, got, want)
		}
	}
}

// A page whose host has other rules than before is not unchanged: its text may have to be
// deleted.
func TestRulesOfHostsArePartOfAPage(t *testing.T) {
	pages, files := hosts()
	in, outs := t.TempDir(), t.TempDir()
	night := func(name string) (sum string) {
		archived(t, filepath.Join(in, name+".warc.gz"), false, slices.Concat(pages, files))
		opt := reading(t, filepath.Join(outs, name), in)
		opt.Plan.Run, opt.Plan.OnlyNew = schemas.RunID(name), []string{outs}
		s := run(t, opt)
		return fmt.Sprintf("%d extracted, %d unchanged", s.Pages, s.Unchanged)
	}
	all := len(pages)
	if got, want := night("first"), fmt.Sprintf("%d extracted, 0 unchanged", all); got != want {
		t.Errorf("first night: %s, want %s", got, want)
	}
	if got, want := night("second"), fmt.Sprintf("0 extracted, %d unchanged", all); got != want {
		t.Errorf("second night: %s, want %s", got, want)
	}
	for i := range files {
		files[i].body = strings.ReplaceAll(files[i].body, "Disallow: /closed", "Disallow: /open")
	}
	if got, want := night("third"), fmt.Sprintf("40 extracted, %d unchanged", all-40); got != want {
		t.Errorf("third night: %s, want %s", got, want)
	}
}

// Gold may be new although its page is not: a page with gold is scored by every run, and left
// out by one that scores nothing. A run that cannot read the captures waits as for any other
// fault of its output, and then ends.
func TestPagesWithGoldAreScoredAgain(t *testing.T) {
	in, outs := crawl(t, 30), t.TempDir()
	night := func(id string) Options {
		opt := options(filepath.Join(outs, id), in, schemas.RunID(id))
		opt.Plan.OnlyNew = []string{outs}
		return opt
	}
	run(t, night("first"))
	in = crawl(t, 30)
	if sum := run(t, night("scored")); sum.Pages != 20 || sum.Unchanged != 40 {
		t.Errorf("with scorers: %+v", sum)
	}
	in = crawl(t, 30)
	opt := night("unscored")
	opt.Plan.Recipe.Scorers, opt.Extract.Scorers = nil, nil
	if sum := run(t, opt); sum.Pages != 0 || sum.Unchanged != 60 {
		t.Errorf("without scorers: %+v", sum)
	}

	in = crawl(t, 30)
	opt = night("lost")
	opt.Worker.FaultLimit = time.Millisecond
	planned, err := Plan(t.Context(), opt)
	if err != nil || planned.Captures != nil {
		t.Fatalf("a plan without a folder writes nothing: %+v, %v", planned.Captures, err)
	}
	planned.Captures = &schemas.Shard{Table: schemas.TableCaptures, Name: schemas.CapturesName(strings.Repeat("0", 32)), Rows: 1, SHA256: strings.Repeat("0", 64)}
	if _, err := Execute(t.Context(), opt, planned); err == nil || !errors.Is(err, blob.ErrNotFound) || !strings.Contains(err.Error(), planned.Captures.Name) {
		t.Errorf("captures that are not there: %v", err)
	}
}
