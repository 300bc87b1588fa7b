package supervise

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// options are those of a broker in this process.
func options(store string) *server.Options {
	return &server.Options{DontListen: true, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true}
}

// broker is a stage's connection to a broker in this process.
func broker(t *testing.T) *queue.Queue {
	t.Helper()
	q, _ := brokerWith(t, options(t.TempDir()))
	return q
}

func brokerWith(t *testing.T, opt *server.Options) (*queue.Queue, *server.Server) {
	t.Helper()
	s, err := server.NewServer(opt)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("server does not start")
	}
	q, err := queue.Dial(t.Context(), queue.Options{InProcess: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if err := q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	return q, s
}

// begin publishes a run whose one file was refused, so that it has no items.
func begin(t *testing.T, q *queue.Queue, blobs *blob.Client, id schemas.RunID) *schemas.Run {
	t.Helper()
	run := &schemas.Run{Version: schemas.Version, ID: id, Out: "file://" + t.TempDir(), Hash: "hash", Recipe: schemas.Recipe{Extractors: []schemas.Method{{Name: "plain"}}}, Phase: schemas.PhaseExtract,
		Phases: []schemas.Phase{schemas.PhaseExtract}, State: schemas.RunActive, Created: time.Now(),
		Files: []schemas.File{{URL: "file:///a.txt", Size: 7, Refused: "not-warc"}}}
	store, err := blobs.Store(t.Context(), run.Out)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifest.Create(t.Context(), store, &schemas.Manifest{Version: schemas.Version, Run: *run}); err != nil {
		t.Fatal(err)
	}
	if _, err := q.CreateRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := q.Open(t.Context(), run, 0); err != nil {
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

func newOptions(q *queue.Queue, blobs *blob.Client, log *lockedBuffer) Options {
	return Options{Queue: q, Blobs: blobs, ExitWhenDone: true, Log: slog.New(slog.NewTextHandler(log, nil)),
		Commit: commit.Options{Quiet: time.Second}}
}

// A defect that one run meets leaves the others going, and its stack is in the log.
func TestPanicInOneRunLeavesTheOthersGoing(t *testing.T) {
	q, blobs := broker(t), blob.New(blob.Options{})
	defer blobs.Close()
	bad := begin(t, q, blobs, "bad")
	good := begin(t, q, blobs, "good")
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
	err := Run(t.Context(), opt)
	if err == nil || !strings.Contains(err.Error(), "runs that failed: 1") {
		t.Errorf("it ended with %v", err)
	}
	head, _, err := q.Run(t.Context(), good.ID)
	if err != nil || head.State != schemas.RunDone {
		t.Errorf("the other run: %+v, %v", head, err)
	}
	if ended[Done] != 1 || ended[Failed] != 1 {
		t.Errorf("ended: %v", ended)
	}
	if said := log.String(); !strings.Contains(said, "index out of range") || !strings.Contains(said, "TestPanicInOneRunLeavesTheOthersGoing") {
		t.Errorf("the log has no stack: %s", said)
	}
}

// A run that is never published is an error after a while, and the log says that it is
// waited for. One that is published meanwhile is worked on.
func TestRunThatIsNotPublished(t *testing.T) {
	q, blobs := broker(t), blob.New(blob.Options{})
	defer blobs.Close()
	begin(t, q, blobs, "another")
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	opt.Run, opt.RunWait = "nosuch", 10*time.Millisecond
	err := Run(t.Context(), opt)
	var absent queue.AbsentError
	if !errors.As(err, &absent) || !strings.Contains(err.Error(), "the broker has not known run nosuch for 10ms: check the id") {
		t.Errorf("it ended with %v", err)
	}
	opt.Run, opt.RunWait = "late", time.Hour
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), opt) }()
	for !strings.Contains(log.String(), "waiting for a run that the broker does not know yet\" run=late") {
		time.Sleep(time.Millisecond)
	}
	begin(t, q, blobs, "late")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// If the broker forgets a run at the moment when it is over, an aggregator that waits for it
// ends once the run is submitted again, and publishes what was not yet published.
func TestFinishedRunThatTheBrokerForgot(t *testing.T) {
	for _, published := range []bool{true, false} {
		q, blobs := broker(t), blob.New(blob.Options{})
		defer blobs.Close()
		run := begin(t, q, blobs, "r")
		store, err := blobs.Store(t.Context(), run.Out)
		if err != nil {
			t.Fatal(err)
		}
		var log lockedBuffer
		opt := newOptions(q, blobs, &log)
		opt.Run, opt.RunWait = "r", time.Hour
		if err := Run(t.Context(), opt); err != nil {
			t.Fatal(err)
		}
		if !published {
			if err := store.Delete(t.Context(), schemas.SuccessFile); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Forget(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- Run(t.Context(), opt) }()
		for !strings.Contains(log.String(), "waiting for a run that the broker does not know yet") {
			time.Sleep(time.Millisecond)
		}
		if _, n, err := ingest.Submit(t.Context(), q, store, run); !errors.Is(err, ingest.ErrFinished) || n != 0 {
			t.Errorf("%d items published, %v", n, err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if _, err := store.Stat(t.Context(), schemas.SuccessFile); err != nil {
			t.Errorf("published before %v: %v", published, err)
		}
		head, _, err := q.Run(t.Context(), run.ID)
		if err != nil || head.State != schemas.RunDone {
			t.Errorf("published before %v: the broker has %+v, %v", published, head, err)
		}
	}
}

// A broker that does not answer when a run is over is asked again to delete what it holds of
// it. Here it ignores the requests of a client that may not make them.
func TestReleaseIsTriedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a request that nobody answers")
	}
	options := options(t.TempDir())
	denied := *options
	options.NoAuthUser, options.Users = "stage", []*server.User{{Username: "stage", Password: "stage"}}
	denied.NoAuthUser, denied.Users = "stage", []*server.User{{Username: "stage", Password: "stage", Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Deny: []string{"$JS.API.STREAM.PURGE.>"}},
	}}}
	q, s := brokerWith(t, &denied)
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run := begin(t, q, blobs, "r")
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	opt.Run = run.ID
	opt.Ends = func(Outcome) {
		if _, err := js.Publish(t.Context(), "winnow.done.r", nil); err != nil { // a late report
			t.Error(err)
		}
		time.AfterFunc(time.Second, func() {
			if err := s.ReloadOptions(options); err != nil {
				t.Error(err)
			}
		})
	}
	if err := Run(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "WINNOW_DONE")
	if err != nil {
		t.Fatal(err)
	}
	if info := stream.CachedInfo(); info.State.LastSeq == 0 || info.State.Msgs != 0 {
		t.Errorf("%d of %d messages are left; the log:\n%s", info.State.Msgs, info.State.LastSeq, log.String())
	}
	if n := strings.Count(log.String(), "trying again"); n != 1 {
		t.Errorf("the log says %d times that it is tried again:\n%s", n, log.String())
	}
}

// A run that the broker calls done, and whose folder was removed, is an error for
// who waits for its tables.
func TestDoneRunWithoutTablesIsAnError(t *testing.T) {
	q, blobs := broker(t), blob.New(blob.Options{})
	defer blobs.Close()
	run := begin(t, q, blobs, "r")
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	opt.Run = "r"
	summaries := 0
	opt.Done = func(_ blob.Store, sum *stats.Summary) error {
		if summaries++; len(sum.Losses) != 1 { // the only file of the run was refused
			t.Errorf("losses %v", sum.Losses)
		}
		return nil
	}
	for range 2 { // the second time its tables are there
		if err := Run(t.Context(), opt); err != nil || summaries != 1 {
			t.Fatalf("%v, %d summaries", err, summaries)
		}
	}
	store, err := blobs.Store(t.Context(), run.Out)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), schemas.ManifestFile); err != nil {
		t.Fatal(err)
	}
	var over ingest.OverError
	if err := Run(t.Context(), opt); !errors.As(err, &over) {
		t.Errorf("without its folder: %v", err)
	}
}

// While another process has a run, the log says so once, however often it is tried.
func TestWaitingForARunIsLoggedOnce(t *testing.T) {
	q, blobs := broker(t), blob.New(blob.Options{})
	defer blobs.Close()
	run := begin(t, q, blobs, "r")
	_, unlock, err := q.Lock(t.Context(), run.ID, "another process")
	if err != nil {
		t.Fatal(err)
	}
	var log lockedBuffer
	opt := newOptions(q, blobs, &log)
	tries := 0
	opt.Begins = func(*schemas.Run) {
		if tries++; tries == 3 {
			unlock()
		}
	}
	if err := Run(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if said := log.String(); tries < 3 || strings.Count(said, "msg=run ") != 1 || strings.Count(said, "waiting for another aggregate") != 1 {
		t.Errorf("%d tries:\n%s", tries, said)
	}
}
