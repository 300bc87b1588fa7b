package commit

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// beginEmpty publishes a run whose one file was refused, so that it has no items.
func beginEmpty(t *testing.T, q *queue.Queue, blobs *blob.Client, id schemas.RunID) *schemas.Run {
	t.Helper()
	return beginRun(t, q, blobs, id, schemas.File{URL: "file:///a.txt", Size: 7, Refused: "not-warc"})
}

// beginRun publishes a run of one file.
func beginRun(t *testing.T, q *queue.Queue, blobs *blob.Client, id schemas.RunID, file schemas.File) *schemas.Run {
	t.Helper()
	run := &schemas.Run{Version: schemas.Version, ID: id, Out: "file://" + t.TempDir(), Hash: "hash", Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "plain"}}}, Phase: schemas.PhaseExtract,
		Phases: []schemas.Phase{schemas.PhaseExtract}, State: schemas.RunPlanned, Created: time.Now(),
		Files: []schemas.File{file}}
	store, err := blobs.Store(t.Context(), run.Out)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifest.Create(t.Context(), store, &schemas.Manifest{Version: schemas.Version, Run: *run}); err != nil {
		t.Fatal(err)
	}
	if err := q.PublishRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	return run
}

// lockedBuffer is a log that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newOptions(q *queue.Queue, blobs *blob.Client, log *lockedBuffer) ServeOptions {
	return ServeOptions{Queue: q, Blobs: blobs, ExitWhenDone: true, Log: slog.New(slog.NewTextHandler(log, nil)),
		Commit: Options{Quiet: time.Second}}
}

// A defect that one run meets leaves the others going, and its stack is in the log.
func TestPanicInOneRunLeavesTheOthersGoing(t *testing.T) {
	q, blobs := embedded(t), blob.New(blob.Options{})
	defer blobs.Close()
	bad := beginEmpty(t, q, blobs, "bad")
	good := beginEmpty(t, q, blobs, "good")
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	ended := map[Outcome]int{}
	opt.Ends = func(o Outcome) { ended[o]++ }
	opt.Commit.Report = func(_ context.Context, store blob.Store) error {
		if strings.HasSuffix(bad.Out, store.URL()) || store.URL() == bad.Out {
			var none []int
			none[3]++
		}
		return nil
	}
	err := Serve(t.Context(), opt)
	if err == nil || !strings.Contains(err.Error(), "runs that failed: 1") {
		t.Errorf("it ended with %v", err)
	}
	if _, err := q.Run(t.Context(), good.ID); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("the other run: %v", err)
	}
	if ended[Done] != 1 || ended[Failed] != 1 {
		t.Errorf("ended: %v", ended)
	}
	if said := log.String(); !strings.Contains(said, "index out of range") || !strings.Contains(said, "TestPanicInOneRunLeavesTheOthersGoing") {
		t.Errorf("the log has no stack: %s", said)
	}
}

// A process that begins when a run is over, or waits while another one ends it, sees that
// in the output folder.
func TestRunThatIsOver(t *testing.T) {
	q, blobs := embedded(t), blob.New(blob.Options{})
	defer blobs.Close()
	run := beginEmpty(t, q, blobs, "r")
	store, err := blobs.Store(t.Context(), run.Out)
	if err != nil {
		t.Fatal(err)
	}
	held, err := q.TakeRun(t.Context(), run)
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	opt.Run = run.ID
	summaries := 0
	opt.Done = func(_ blob.Store, sum *stats.Summary) error {
		if summaries++; len(sum.Losses) != 1 { // the only file of the run was refused
			t.Errorf("losses %v", sum.Losses)
		}
		return nil
	}
	waits := make(chan error, 1)
	go func() { waits <- Serve(t.Context(), opt) }()
	for !strings.Contains(log.String(), "another aggregator has leased the run") {
		time.Sleep(time.Millisecond)
	}
	if _, err := Run(t.Context(), Options{Store: store, Broker: NewQueueBroker(q, run.ID)}); err != nil {
		t.Fatal(err)
	}
	held.Abandon()
	if err := <-waits; err != nil || summaries != 0 {
		t.Errorf("the one that waited: %v, %d summaries", err, summaries)
	}
	late := newOptions(q, blobs, &log)
	late.Run = run.ID
	if err := Serve(t.Context(), late); err != nil {
		t.Errorf("the one that was late: %v", err)
	}
	if n := strings.Count(log.String(), "another aggregator has leased the run"); n != 1 {
		t.Errorf("the log says %d times that the run is leased", n)
	}
	// The broker lost the run before it was ended there; ingest publishes it again.
	if err := q.PublishRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), schemas.SuccessFile); err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), opt); err != nil || summaries != 1 {
		t.Errorf("published again: %v, %d summaries", err, summaries)
	}
	if _, err := store.Stat(t.Context(), schemas.SuccessFile); err != nil {
		t.Error(err)
	}
}

// A canceled run is left, and its work is removed from the broker, while the others go on.
func TestCanceledRunIsRemoved(t *testing.T) {
	q, blobs := embedded(t), blob.New(blob.Options{})
	defer blobs.Close()
	run := beginEmpty(t, q, blobs, "canceled")
	beginEmpty(t, q, blobs, "other")
	store, err := blobs.Store(t.Context(), run.Out)
	if err == nil {
		err = manifest.End(t.Context(), store, run.ID, schemas.RunCanceled, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := manifest.End(t.Context(), store, run.ID, schemas.RunFailed, "late"); !strings.Contains(err.Error(), "is canceled since") {
		t.Errorf("a second mark: %v", err)
	}
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	ended := map[Outcome]int{}
	opt.Ends = func(o Outcome) { ended[o]++ }
	if err := Serve(t.Context(), opt); err != nil || ended[Canceled] != 1 || ended[Done] != 1 {
		t.Errorf("%v; ended: %v", err, ended)
	}
	list := q.NewRunList()
	if _, err := list.Refresh(t.Context()); err != nil || len(list.Runs) != 0 {
		t.Errorf("%d runs are left, %v", len(list.Runs), err)
	}
	opt.Run = run.ID
	if err := Serve(t.Context(), opt); !errors.As(err, new(*manifest.EndedError)) {
		t.Errorf("one that waits for the run: %v", err)
	}
}

// A run whose items no worker takes does not delay the next one, and both are given back
// when the process is told to end.
func TestStalledRunDoesNotDelayTheNext(t *testing.T) {
	q, blobs := embedded(t), blob.New(blob.Options{})
	defer blobs.Close()
	stalled := beginRun(t, q, blobs, "a", schemas.File{URL: "file:///a.warc", Size: 10, Items: 1})
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	ended := make(chan Outcome, 2)
	opt.Ends = func(o Outcome) { ended <- o }
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	serves := make(chan error, 1)
	go func() { serves <- Serve(ctx, opt) }()
	backlog := func() error {
		_, err := q.Backlog(ctx, stalled.ID, schemas.PhaseExtract)
		return err
	}
	for errors.Is(backlog(), queue.ErrNotFound) { // the run waits for workers from now on
		time.Sleep(time.Millisecond)
	}
	beginEmpty(t, q, blobs, "b")
	if o := <-ended; o != Done {
		t.Errorf("the next run ended: %v", o)
	}
	cancel()
	if err := <-serves; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if len(ended) != 0 {
		t.Errorf("the stalled run ended: %v", <-ended)
	}
	var l *queue.RunLease
	for err := error(nil); l == nil && err == nil; { // the broker takes it back without a confirmation
		if l, err = q.TakeRun(t.Context(), stalled); err != nil {
			t.Fatal(err)
		}
	}
	l.Abandon()
}
