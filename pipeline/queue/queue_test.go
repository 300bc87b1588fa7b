package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/winnow/winnow/schemas"
)

// serve starts a real nats-server in this process.
func serve(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		ServerName: t.Name(), DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("server does not start")
	}
	return s
}

// broker starts a server and connects to it.
func broker(t *testing.T) *Queue {
	t.Helper()
	return connected(t, serve(t))
}

func connected(t *testing.T, s *server.Server) *Queue {
	t.Helper()
	q, err := Dial(t.Context(), Options{InProcess: s, Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if err := q.Setup(t.Context(), Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	return q
}

// A broker that took items and was lost before it acknowledged them is noticed, although
// the connection goes on: here a subscriber takes them and says nothing.
func TestPublishItemsThatNobodyAcknowledges(t *testing.T) {
	s := serve(t)
	q := connected(t, s)
	_, items := planned(t, q, "r", 3, time.Minute)
	impatient, err := Dial(t.Context(), Options{InProcess: s, Name: t.Name(), ackWait: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(impatient.Close)
	if err := q.js.DeleteStream(t.Context(), q.streamName("ITEMS")); err != nil {
		t.Fatal(err)
	}
	taken, err := q.nc.SubscribeSync(q.prefix + ".items.>")
	if err != nil {
		t.Fatal(err)
	}
	if err := q.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := impatient.PublishItems(t.Context(), "", seq(items)); err == nil || !Transient(err) {
		t.Errorf("error %v, want one that is temporary", err)
	}
	if _, err := taken.NextMsg(time.Minute); err != nil {
		t.Errorf("no item arrived: %v", err)
	}
}

// planned opens a run with n items in one file.
func planned(t *testing.T, q *Queue, id schemas.RunID, n int, lease time.Duration) (*schemas.Run, []*schemas.Item) {
	t.Helper()
	run := &schemas.Run{
		Version: schemas.Version, ID: id, Hash: "h", Phases: []schemas.Phase{schemas.PhaseExtract}, Phase: schemas.PhaseExtract, State: schemas.RunPlanned, Lease: lease, Out: "file:///out",
		Files: []schemas.File{{URL: "file:///a.warc.gz", Size: int64(n) * 10, Items: n}},
	}
	if err := q.PublishRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := q.open(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	var items []*schemas.Item
	for i := range n {
		items = append(items, &schemas.Item{
			Version: schemas.Version, Run: id, Hash: "h", Phase: run.Phase, Seq: i,
			File: schemas.FileRange{Stored: run.Files[0].Stored(), Total: run.Files[0].Size, Start: int64(i) * 10, End: int64(i+1) * 10, First: -1},
		})
	}
	return run, items
}

func seq(items []*schemas.Item) iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	}
}

func publish(t *testing.T, q *Queue, generation string, items []*schemas.Item, want int) {
	t.Helper()
	n, err := q.PublishItems(t.Context(), generation, seq(items))
	if err != nil || n != want {
		t.Fatalf("publish: %d items, %v; want %d", n, err, want)
	}
}

// next waits for an item until the test's time limit.
func next(t *testing.T, p *Puller) *Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		l, err := p.Next(ctx, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if l != nil {
			return l
		}
	}
}

func pull(t *testing.T, q *Queue, run *schemas.Run) *Puller {
	t.Helper()
	p, err := q.Pull(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func report(l *Lease) *schemas.Done {
	return &schemas.Done{Version: schemas.Version, Item: l.Item, ID: l.Item.ID(), First: l.Item.File.Start, Next: l.Item.File.End}
}

// reported is the number of messages in the streams of reports and of dead letters.
func reported(t *testing.T, q *Queue, run schemas.RunID) (n uint64) {
	t.Helper()
	for kind, subject := range map[string]string{done: q.doneSubject(run), dead: q.deadSubject(run)} {
		held, err := q.held(t.Context(), kind, subject)
		if err != nil {
			t.Fatal(err)
		}
		n += held
	}
	return n
}

func backlog(t *testing.T, q *Queue, run *schemas.Run) Backlog {
	t.Helper()
	b, err := q.Backlog(t.Context(), run.ID, run.Phase)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// eventually polls until a condition holds that the broker fulfils at some later time.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !cond() {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func TestItemsAreDoneOnceAndReported(t *testing.T) {
	q := broker(t)
	// A dot in the name must not split the subject.
	run, items := planned(t, q, "night.2024-05", 600, time.Minute)
	other, _ := planned(t, q, "night", 0, time.Minute)
	publish(t, q, "", items, 600)
	publish(t, q, "", items, 0) // as if the planner had crashed and was started again

	p := pull(t, q, run)
	for range items {
		l := next(t, p)
		if err := l.Done(t.Context(), report(l)); err != nil {
			t.Fatal(err)
		}
	}
	if b := backlog(t, q, run); b.Waiting+b.Working > 0 {
		t.Errorf("after all are done: %+v", b)
	}
	if b := backlog(t, q, other); b.Waiting+b.Working > 0 {
		t.Errorf("the other run has %+v", b)
	}
	if n := reported(t, q, run.ID); n != uint64(len(items)) {
		t.Errorf("%d are reported", n)
	}
	for range 2 { // a second reader receives everything again
		r, err := q.Reports(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[schemas.ItemID]bool{}
		for len(seen) < len(items) {
			rep, err := r.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if rep.Done == nil || seen[rep.Done.ID] {
				t.Fatalf("unexpected report %+v", rep)
			}
			seen[rep.Done.ID] = true
			if caughtUp := rep.Behind == 0; caughtUp != (len(seen) == len(items)) {
				t.Errorf("report %d: behind %d", len(seen), rep.Behind)
			}
		}
		r.Close()
	}
}

func TestHeartbeatHoldsAndSilenceLoses(t *testing.T) {
	q := broker(t)
	run, items := planned(t, q, "r", 1, time.Second)
	publish(t, q, "", items, 1)
	p := pull(t, q, run)

	l := next(t, p)
	held := time.Now()
	for time.Since(held) < 3500*time.Millisecond { // more than three leases
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if l2, err := p.Next(ctx, 5*time.Second); l2 != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("an item in work was delivered again: %+v %v", l2, err)
		}
		cancel()
	}
	l.Abandon() // as if the process had died
	l2 := next(t, p)
	if l2.Delivered != 2 || l2.Item != l.Item {
		t.Errorf("second delivery: %+v", l2)
	}
	// The first worker was only slow: both report, one report is kept.
	if err := q.publishDone(t.Context(), report(l), ""); err != nil {
		t.Fatal(err)
	}
	if workers, err := q.Workers(t.Context(), l2.Item.Run); err != nil || len(workers) != 1 {
		t.Errorf("workers %q, %v; want the one of the first report", workers, err)
	}
	if err := l2.Done(t.Context(), report(l2)); err != nil {
		t.Fatal(err)
	}
	s, err := q.js.Stream(t.Context(), q.streamName(done))
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Msgs; n != 1 {
		t.Errorf("%d reports are kept, want 1", n)
	}
	if b := backlog(t, q, run); b.Waiting+b.Working > 0 {
		t.Errorf("after settlement: %+v", b)
	}
}

func TestRetryAndGiveUp(t *testing.T) {
	q := broker(t)
	run, items := planned(t, q, "r", 1, time.Minute)
	publish(t, q, "", items, 1)
	p := pull(t, q, run)
	if err := next(t, p).Retry(0); err != nil {
		t.Fatal(err)
	}
	l := next(t, p)
	begun := time.Now()
	if err := l.Retry(400 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	l = next(t, p)
	if since := time.Since(begun); since < 350*time.Millisecond {
		t.Errorf("delivered again after %v", since)
	}
	if l.Delivered != 3 {
		t.Errorf("delivery %d, want 3", l.Delivered)
	}
	if err := l.GiveUpRecord(t.Context(), &schemas.Dead{Item: l.Item, Offset: 3, Stage: "record", Reason: "crash"}); err != nil {
		t.Fatal(err)
	}
	if err := l.GiveUp(t.Context(), &schemas.Dead{Item: l.Item, Stage: "item", Reason: "unreadable"}); err != nil {
		t.Fatal(err)
	}
	if b := backlog(t, q, run); b.Waiting+b.Working > 0 {
		t.Errorf("after giving up: %+v", b)
	}
	if workers, err := q.Workers(t.Context(), run.ID); err != nil || len(workers) != 0 {
		t.Errorf("workers %q, %v", workers, err)
	}
	for id, want := range map[schemas.RunID]int{run.ID: 2, "": 2, "other": 0} {
		n := 0
		for d, err := range q.DeadLetters(t.Context(), id) {
			if err != nil || d.Item.Run != run.ID {
				t.Fatalf("dead letter %+v, %v", d, err)
			}
			n++
		}
		if n != want {
			t.Errorf("%d dead letters of run %q, want %d", n, id, want)
		}
	}
	r, err := q.Reports(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, want := range []string{"record", "item"} {
		rep, err := r.Next(t.Context())
		if err != nil || rep.Dead == nil || rep.Dead.Stage != want {
			t.Errorf("report %+v %v, want dead %s", rep, err, want)
		}
	}
}

func TestRunsArePublishedOnce(t *testing.T) {
	q := broker(t)
	ctx := t.Context()
	run, _ := planned(t, q, "a.b", 3, time.Minute)
	if err := q.PublishRun(ctx, run); err != nil {
		t.Errorf("publish twice: %v", err)
	}
	got, err := q.Run(ctx, "a.b")
	if err != nil || got.ID != "a.b" || got.Files != nil {
		t.Fatalf("%+v %v", got, err)
	}
	other := *run
	other.Out = "file:///elsewhere"
	if err := q.PublishRun(ctx, &other); !errors.Is(err, ErrOther) {
		t.Errorf("a run with another folder: %v", err)
	}
	if _, err := q.Run(ctx, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such run: %v", err)
	}
	for _, id := range []schemas.RunID{"", ".", "..", "-x", "a b", "a/b", "a*", "ä"} {
		if err := q.PublishRun(ctx, &schemas.Run{ID: id}); err == nil {
			t.Errorf("run id %q was taken", id)
		}
	}
	if err := q.End(ctx, run.ID); err != nil {
		t.Fatal(err)
	}
	if err := q.PublishRun(ctx, run); err != nil { // a moment after it was over
		t.Fatal(err)
	}
	if _, err := q.Run(ctx, run.ID); err != nil {
		t.Errorf("published again: %v", err)
	}
}

// A run that is never published is an error after a while, and the log says that it is
// waited for. One that is published meanwhile is found, and one that was leased.
func TestRunThatIsNotPublished(t *testing.T) {
	q, log := broker(t), new(lines)
	logger := slog.New(slog.NewTextHandler(log, nil))
	err := q.AwaitRun(t.Context(), "nosuch", 10*time.Millisecond, logger)
	var absent AbsentError
	if !errors.As(err, &absent) || !strings.Contains(err.Error(), "the broker has not known run nosuch for 10ms: check the id") {
		t.Errorf("it ended with %v", err)
	}
	found := make(chan error, 1)
	go func() { found <- q.AwaitRun(t.Context(), "late", time.Hour, logger) }()
	eventually(t, "the log says that the run is waited for", func() bool { return log.count("run=late") == 1 })
	run, _ := planned(t, q, "late", 0, time.Minute)
	if err := <-found; err != nil {
		t.Error(err)
	}
	l, err := q.TakeRun(t.Context(), run)
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	if err := l.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Abandon()
	if err := q.AwaitRun(t.Context(), "late", time.Hour, logger); err != nil {
		t.Error(err)
	}
}

func TestRunsAreListedWhenTheyChange(t *testing.T) {
	q := broker(t)
	list := q.NewRunList()
	refresh := func(want bool, ids ...schemas.RunID) {
		t.Helper()
		changed, err := list.Refresh(t.Context())
		var got []schemas.RunID
		for _, run := range list.Runs {
			got = append(got, run.ID)
		}
		if err != nil || changed != want || !slices.Equal(got, ids) {
			t.Errorf("changed %v, runs %v, %v; want %v, %v", changed, got, err, want, ids)
		}
	}
	refresh(true)
	refresh(false)
	run, _ := planned(t, q, "old", 0, time.Minute)
	planned(t, q, "new", 0, time.Minute)
	refresh(true, "old", "new")
	refresh(false, "old", "new")
	if err := q.End(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	refresh(true, "new")
	if err := q.PublishRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	refresh(true, "new", "old")
}

// A run is leased by one process at a time: until it gives the run back, or sends no
// heartbeat for too long.
func TestRunsAreLeased(t *testing.T) {
	q := broker(t)
	ctx := t.Context()
	run, _ := planned(t, q, "r.1", 0, 300*time.Millisecond)
	take := func() *RunLease {
		t.Helper()
		l, err := q.TakeRun(ctx, run)
		if err != nil {
			t.Log(err) // the broker may still remove the files of the consumer that had this name
		}
		return l
	}
	first := take()
	if first == nil {
		t.Fatal("the run is not leased")
	}
	for until := time.Now().Add(time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if take() != nil {
			t.Fatal("a leased run was leased again")
		}
	}
	if err := first.Retry(0); err != nil {
		t.Fatal(err)
	}
	var second *RunLease
	eventually(t, "the run is given back", func() bool { second = take(); return second != nil })
	second.Abandon()
	var third *RunLease
	eventually(t, "the lease expires", func() bool { third = take(); return third != nil })
	if err := third.Held.Err(); err != nil {
		t.Error(err)
	}
	if err := q.EndLease(ctx, run.ID); err != nil {
		t.Fatal(err)
	}
	var fourth *RunLease
	eventually(t, "the run of a process that has ended is leased", func() bool { fourth = take(); return fourth != nil })
	defer fourth.Abandon()
	// The broker loses the run, and gets it again: it does not know the lease.
	if err := q.End(ctx, run.ID); err != nil {
		t.Fatal(err)
	}
	if err := q.PublishRun(ctx, run); err != nil {
		t.Fatal(err)
	}
	for _, l := range []*RunLease{third, fourth} {
		<-l.Held.Done()
		if err := context.Cause(l.Held); !errors.Is(err, ErrLeaseLost) {
			t.Error(err)
		}
	}
	third.Abandon()
	if out, err := q.FolderOf(ctx, run.ID); err != nil || out != run.Out {
		t.Errorf("the folder of a run that is over: %q, %v", out, err)
	}
	if _, err := q.FolderOf(ctx, "unknown"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the folder of an unknown run: %v", err)
	}
	// A process that ends its run itself has not lost it.
	var last *RunLease
	eventually(t, "the run is leased after its end", func() bool { last = take(); return last != nil })
	if err := last.End(ctx); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // heartbeats would come meanwhile
	if err := last.Held.Err(); err != nil {
		t.Error(err)
	}
	last.Abandon()
}

// A phase begins when all of its items are published, whatever the broker remembers, and
// ends the others.
func TestPhasesBeginWithAllItems(t *testing.T) {
	q := broker(t)
	run, items := planned(t, q, "r", 5, time.Minute)
	scan := *run
	scan.Phases = []schemas.Phase{schemas.PhaseScan, schemas.PhaseExtract}
	run.Phases, scan.Phase = scan.Phases, schemas.PhaseScan
	if err := q.open(t.Context(), &scan); err != nil {
		t.Fatal(err)
	}
	publish(t, q, "", items[:2], 2) // a process that died had published these
	for range 2 {
		if err := q.StartPhase(t.Context(), run, seq(items)); err != nil {
			t.Fatal(err)
		}
		if b := backlog(t, q, run); b != (Backlog{Waiting: 5}) {
			t.Errorf("%+v", b)
		}
	}
	if _, err := q.Backlog(t.Context(), scan.ID, scan.Phase); !errors.Is(err, ErrNotFound) {
		t.Errorf("the phase before: %v", err)
	}
	if p := pull(t, q, run); p.Phase() != schemas.PhaseExtract {
		t.Errorf("items are pulled of phase %s", p.Phase())
	}
	if err := q.End(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	// A run of the same name: the broker remembers the ids of the items, but not the items.
	if err := q.StartPhase(t.Context(), run, seq(items)); err != nil {
		t.Fatal(err)
	}
	if b := backlog(t, q, run); b != (Backlog{Waiting: 5}) {
		t.Errorf("a run of the same name: %+v", b)
	}
}

func TestLostItemsAreFoundAndPublishedAgain(t *testing.T) {
	q := broker(t)
	run, items := planned(t, q, "r", 5, time.Minute)
	publish(t, q, "", items, 5)
	s, err := q.js.Stream(t.Context(), q.streamName("ITEMS"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), 2); err != nil { // the broker loses one
		t.Fatal(err)
	}
	lost, err := q.Missing(t.Context(), run.ID, run.Phase, seq(items))
	if err != nil || len(lost) != 1 || lost[0].Seq != 1 {
		t.Fatalf("lost: %v %v", lost, err)
	}
	publish(t, q, "", lost, 0) // the broker still remembers the message id
	publish(t, q, "again", lost, 1)
	publish(t, q, "again", lost, 0)
	p := pull(t, q, run)
	for i := range 5 {
		l := next(t, p)
		if (l.Again == "again") != (i == 4) {
			t.Errorf("item %d: again %q", i, l.Again)
		}
	}
}

// TestDeadLettersDoNotOvertakeReports checks that a dead letter comes after the reports
// of all items that were finished before it, whichever stream is read faster.
func TestDeadLettersDoNotOvertakeReports(t *testing.T) {
	q := broker(t)
	const n = 600 // more than a reader requests at once
	run, items := planned(t, q, "r", n, time.Minute)
	publish(t, q, "", items, n)
	p := pull(t, q, run)
	for i := range n {
		l := next(t, p)
		if i == n-1 {
			if err := q.publishDead(t.Context(), &schemas.Dead{Item: l.Item, Stage: StageItem, Reason: "crash"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Done(t.Context(), report(l)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := q.Reports(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for finished := 0; ; finished++ {
		rep, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if rep.Dead != nil {
			if finished < n {
				t.Errorf("the dead letter came behind %d reports of %d", finished, n)
			}
			return
		}
	}
}

// TestForgedReportsAreRefused checks that a reader receives only the reason for a
// message that is not a report, and none of its content.
func TestForgedReportsAreRefused(t *testing.T) {
	q := broker(t)
	run, items := planned(t, q, "r", 1, time.Minute)
	publish(t, q, "", items, 1)
	l := next(t, pull(t, q, run))
	forged := report(l)
	forged.Item.Seq, forged.Item.File.Start = -1, -1024
	for i, d := range []*schemas.Done{forged, report(l)} {
		if err := q.publishDone(t.Context(), d, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := q.Reports(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rep, err := r.Next(t.Context())
	if err != nil || rep.Refused == nil || rep.Done != nil || rep.Dead != nil {
		t.Errorf("%+v, %v; want a refused message", rep, err)
	}
	rep, err = r.Next(t.Context())
	if err != nil || rep.Refused != nil || rep.Done == nil {
		t.Errorf("%+v, %v; want the report", rep, err)
	}
}

func TestProgressIsFenced(t *testing.T) {
	q := broker(t)
	ctx := t.Context()
	p, rev, err := q.Progress(ctx, "a.b", "f00000-i00001")
	if err != nil || rev != 0 {
		t.Fatal(p, rev, err)
	}
	p.Note = &schemas.Note{Step: schemas.AtLocation(schemas.Location{Offset: 7, Ordinal: 1})}
	rev, err = q.SetProgress(ctx, "a.b", "f00000-i00001", p, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.SetProgress(ctx, "a.b", "f00000-i00001", p, 0); !errors.Is(err, ErrConflict) {
		t.Errorf("second creator: %v", err)
	}
	if _, err := q.SetProgress(ctx, "a.b", "f00000-i00001", p, rev+5); !errors.Is(err, ErrConflict) {
		t.Errorf("wrong revision: %v", err)
	}
	got, rev2, err := q.Progress(ctx, "a.b", "f00000-i00001")
	if err != nil || rev2 != rev || got.Note == nil || *got.Note != *p.Note {
		t.Errorf("read %+v %d %v", got, rev2, err)
	}
}

func TestEndLeavesNothingOfARun(t *testing.T) {
	q := broker(t)
	ctx := t.Context()
	run, items := planned(t, q, "r", 3, time.Minute)
	keep, _ := planned(t, q, "keep", 0, time.Minute)
	publish(t, q, "", items, 3)
	p := pull(t, q, run)
	l := next(t, p)
	if err := l.Done(ctx, report(l)); err != nil {
		t.Fatal(err)
	}
	if _, err := q.SetProgress(ctx, "r", "f00000-i00001", schemas.Progress{}, 0); err != nil {
		t.Fatal(err)
	}
	if err := q.ShareAccess(ctx, &schemas.Run{ID: "r", Access: map[string]string{"http://a/": "http://u@a/"}}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // repeating it is harmless
		if err := q.End(ctx, "r"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.Run(ctx, "r"); !errors.Is(err, ErrNotFound) {
		t.Errorf("head: %v", err)
	}
	if _, err := q.Access(ctx, "r", "http://a/"); !errors.Is(err, ErrNotFound) {
		t.Errorf("access: %v", err)
	}
	if _, err := q.Pull(ctx, run); !errors.Is(err, ErrNotFound) {
		t.Errorf("consumer: %v", err)
	}
	if _, err := p.Next(ctx, 5*time.Second); !errors.Is(err, ErrNotFound) {
		t.Errorf("an old puller: %v", err)
	}
	for _, kind := range []string{"ITEMS", "DONE"} {
		s, err := q.js.Stream(ctx, q.streamName(kind))
		if err != nil {
			t.Fatal(err)
		}
		if n := s.CachedInfo().State.Msgs; n != 0 {
			t.Errorf("%s still holds %d", kind, n)
		}
	}
	if _, rev, _ := q.Progress(ctx, "r", "f00000-i00001"); rev != 0 {
		t.Error("progress is still there")
	}
	if _, err := q.Pull(ctx, keep); err != nil {
		t.Errorf("the other run: %v", err)
	}
}

func TestFullStreamRefuses(t *testing.T) {
	q := broker(t)
	if err := q.Setup(t.Context(), Limits{Bytes: 200 << 10}); err != nil {
		t.Fatal(err)
	}
	_, items := planned(t, q, "r", 1000, time.Minute)
	n, err := q.PublishItems(t.Context(), "", seq(items))
	if err == nil || n == len(items) {
		t.Fatalf("%d items went into a full stream, %v", n, err)
	}
	s, err := q.js.Stream(t.Context(), q.streamName("ITEMS"))
	if err != nil {
		t.Fatal(err)
	}
	if first := s.CachedInfo().State.FirstSeq; first != 1 {
		t.Errorf("old items were deleted: first is %d", first)
	}
}

func TestDialSaysWhatIsWrong(t *testing.T) {
	_, err := Dial(t.Context(), Options{URL: "nats://127.0.0.1:1", Wait: 100 * time.Millisecond})
	if err == nil || !Transient(err) {
		t.Errorf("nobody listens: %v", err)
	}
	if _, err := Dial(t.Context(), Options{URL: "nats://127.0.0.1:1", Prefix: "a b"}); err == nil {
		t.Error("a prefix with a space was taken")
	}
}

func TestLoadIsThatOfAllRuns(t *testing.T) {
	q := broker(t)
	ctx := t.Context()
	for _, id := range []schemas.RunID{"a", "b"} {
		run, items := planned(t, q, id, 3, time.Minute)
		publish(t, q, "", items, 3)
		if id == "a" {
			next(t, pull(t, q, run))
		}
	}
	l, err := q.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if b := l.Backlog; b.Waiting != 5 || b.Working != 1 || l.WorkingLimit < 2 || len(l.Streams) != 3 {
		t.Errorf("%+v", l)
	}
	for _, s := range l.Streams {
		if s.Limit <= 0 || s.Bytes > s.Limit || (s.Name == "items") != (s.Bytes > 0) {
			t.Errorf("%+v", s)
		}
	}
}
