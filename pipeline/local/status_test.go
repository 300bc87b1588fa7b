package local

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestStatusElsewhere checks the lines of a log: every ten seconds for two minutes, then one
// a minute.
func TestStatusElsewhere(t *testing.T) {
	var b bytes.Buffer
	s := NewStatus(&b)
	now := time.Unix(0, 0)
	s.begin(Progress{Total: 1000}, slog.New(slog.NewTextHandler(s, nil)), now)
	for i := range 271 {
		s.update(Progress{Items: i / 10, ItemsOf: 100, Bytes: int64(i), Total: 1000, Pages: int64(2 * i)}, now.Add(time.Duration(i)*time.Second))
	}
	s.end()
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 14 || strings.Contains(b.String(), "\x1b") {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	if want := "msg=progress items=9 of_items=100 bytes=90 of=1000 pages=180 failures=0 pages_per_s=2 mb_per_s=0 left=15m10s"; !strings.Contains(lines[8], want) {
		t.Errorf("%s\nwant %s", lines[8], want)
	}
}

// TestStatusForgetsWhatWasTakenBack checks that a failed attempt gives no negative speed.
func TestStatusForgetsWhatWasTakenBack(t *testing.T) {
	s := NewStatus(&bytes.Buffer{})
	now := time.Unix(0, 0)
	s.begin(Progress{Bytes: 500, Total: 1000}, slog.New(slog.DiscardHandler), now)
	p := Progress{Bytes: 400, Total: 1000}
	s.update(p, now.Add(time.Second))
	if pages, read, left := s.speeds(&p, now.Add(time.Second)); pages != 0 || read != 0 || left != 0 {
		t.Errorf("%v pages/s, %v bytes/s, %v left", pages, read, left)
	}
}
