package worker

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

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
		Phases: []schemas.Phase{schemas.PhaseExtract}, State: schemas.RunCanceled, Created: time.Now()}
	if _, err := w.q.CreateRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
