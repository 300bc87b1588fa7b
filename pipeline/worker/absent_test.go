package worker

import (
	"log/slog"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/schemas"
)

// A worker for one run waits for it, and does not end when the broker has lost the run,
// but when the folder says that it is over.
func TestRunThatIsLost(t *testing.T) {
	w := newWorld(t)
	log := new(logged)
	w.opt.Log = slog.New(slog.NewTextHandler(log, nil))
	w.opt.Run = "r"
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.close()
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), w.opt) }()
	for n := 1; n <= 2; n++ {
		run := w.submit()
		w.eventually("the run is seen", func() bool { return log.count("msg=run run=r") == n })
		w.reports(run)
		if err := w.q.End(t.Context(), run.ID); err != nil { // the broker loses it
			t.Fatal(err)
		}
		w.eventually("the run is gone", func() bool { return log.count("run is over") == n })
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended with a run that is not over: %v", err)
	case <-time.After(2 * listEvery):
	}
	if _, err := blob.WriteAll(t.Context(), w.store, schemas.SuccessFile, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A worker that begins when its run is over sees that in the output folder.
func TestRunThatIsOver(t *testing.T) {
	w := newWorld(t)
	w.opt.Run = "r"
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.close()
	run := w.submit()
	l, err := w.q.TakeRun(t.Context(), run)
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	if err := l.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Abandon()
	if _, err := blob.WriteAll(t.Context(), w.store, schemas.SuccessFile, nil); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), w.opt); err != nil {
		t.Error(err)
	}
	if err := w.store.Delete(t.Context(), schemas.SuccessFile); err != nil {
		t.Fatal(err)
	}
	if err := manifest.End(t.Context(), w.store, "r", schemas.RunCanceled, ""); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), w.opt); err != nil {
		t.Error(err)
	}
}
