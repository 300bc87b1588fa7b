package worker

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// A worker for a run that is never published ends with an error, and its log says that it
// waits. One whose run is published meanwhile works on it.
func TestRunThatIsNotPublished(t *testing.T) {
	w := newWorld(t)
	log := new(logged)
	w.opt.Log = slog.New(slog.NewTextHandler(log, nil))
	w.opt.Run, w.opt.RunWait = "nosuch", 10*time.Millisecond
	err := Run(t.Context(), w.opt)
	var absent queue.AbsentError
	if !errors.As(err, &absent) || !strings.Contains(err.Error(), "the broker has not known run nosuch for 10ms: check the id") {
		t.Errorf("it ended with %v", err)
	}
	w.opt.Run, w.opt.RunWait = "late", time.Hour
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), w.opt) }()
	w.eventually("the log says that the run is waited for", func() bool {
		return log.count("waiting for a run that the broker does not know yet\" run=late") == 1
	})
	run := &schemas.Run{Version: schemas.Version, ID: "late", Out: w.store.URL(), Hash: "hash", Phase: schemas.PhaseExtract,
		Recipe: schemas.Recipe{Build: build}, Phases: []schemas.Phase{schemas.PhaseExtract}, State: schemas.RunPlanned, Created: time.Now()}
	if err := w.q.PublishRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	w.eventually("the run is seen", func() bool { return log.count("msg=run ") == 1 })
	w.end(run.ID)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A worker that begins when its run is over sees that in the output folder.
func TestRunThatIsOver(t *testing.T) {
	w := newWorld(t)
	w.opt.Run, w.opt.RunWait = "r", time.Hour
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
