package queue

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// lines collects log lines.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), s)
}

// TestReportWaitsForRoom checks that a report for which the broker has no room is
// retried until there is room, and that its item is not delivered again meanwhile.
func TestReportWaitsForRoom(t *testing.T) {
	q := broker(t)
	var log lines
	q.log = slog.New(slog.NewTextHandler(&log, nil))
	const small, large = 300 << 10, 64 << 20
	if err := q.Setup(t.Context(), Limits{Bytes: small}); err != nil {
		t.Fatal(err)
	}
	run, items := planned(t, q, "r", 1, time.Minute)
	publish(t, q, "", items, 1)
	for size := 10 << 10; size > 0; { // fills the stream with reports of other items until not even an empty one fits
		if _, err := q.js.Publish(t.Context(), q.doneSubject("other"), make([]byte, size)); err != nil {
			if !Transient(err) {
				t.Fatal(err)
			}
			size /= 2
		}
	}
	l := next(t, pull(t, q, run))
	done := make(chan error, 1)
	go func() { done <- l.Done(t.Context(), report(l)) }()
	eventually(t, "the report waits", func() bool { return log.count("does not accept a report") > 0 })
	select {
	case err := <-done:
		t.Fatalf("the report was not waited for: %v", err)
	default:
	}
	if b := backlog(t, q, run); b.Working != 1 || b.Again != 0 {
		t.Errorf("while it waits: %+v", b)
	}
	if err := q.Setup(t.Context(), Limits{Bytes: large}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if b := backlog(t, q, run); b.Waiting+b.Working > 0 {
		t.Errorf("after it: %+v", b)
	}
	if n, m := log.count("does not accept a report"), log.count("accepts reports again"); n != 1 || m != 1 {
		t.Errorf("said %d times that it waits, %d times that it goes on", n, m)
	}
}
