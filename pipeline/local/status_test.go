package local

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/schemas"
)

// screen simulates a terminal of one line: it returns what is shown after the given
// bytes.
func screen(b []byte) (above []string, line string) {
	for _, part := range strings.SplitAfter(string(b), "\n") {
		if i := strings.LastIndex(part, "\r\x1b[K"); i >= 0 {
			part = part[i+len("\r\x1b[K"):]
		}
		if strings.HasSuffix(part, "\n") {
			above = append(above, strings.TrimSuffix(part, "\n"))
		} else {
			line = part
		}
	}
	return above, line
}

func TestStatusOnATerminal(t *testing.T) {
	var b bytes.Buffer
	s := NewStatus(&b)
	s.width = 100
	now := time.Unix(0, 0)
	const mib = 1 << 20
	s.begin(Progress{Bytes: 10 * mib, Total: 110 * mib}, slog.New(slog.DiscardHandler), now)
	s.update(Progress{Bytes: 20 * mib, Total: 110 * mib, Pages: 500}, now.Add(time.Second))
	_, line := screen(b.Bytes())
	if want := " 18%  20 MiB of 110 MiB  500 pages/s  10 MiB/s  9s left"; !strings.HasSuffix(line, want) || !strings.HasPrefix(line, "[=====") {
		t.Errorf("line %q, want it to end in %q", line, want)
	}
	// Only complete lines of other writers are written above.
	if _, err := s.Write([]byte("first\nsec")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write([]byte("ond\n")); err != nil {
		t.Fatal(err)
	}
	above, below := screen(b.Bytes())
	if strings.Join(above, "|") != "first|second" || below != line {
		t.Errorf("above %q, line %q", above, below)
	}
	s.width = 40 // too narrow for a bar
	s.update(Progress{Bytes: 30 * mib, Total: 110 * mib, Pages: 900, Failures: 3}, now.Add(2*time.Second))
	if _, line := screen(b.Bytes()); len(line) > 39 || !strings.HasPrefix(line, " 27%") {
		t.Errorf("narrow: %q", line)
	}
	s.end()
	if _, line := screen(b.Bytes()); line != "" {
		t.Errorf("left on the screen: %q", line)
	}
}

func TestStatusElsewhere(t *testing.T) {
	var b bytes.Buffer
	s := NewStatus(&b)
	now := time.Unix(0, 0)
	s.begin(Progress{Total: 1000}, slog.New(slog.NewTextHandler(s, nil)), now)
	for i := range 100 {
		s.update(Progress{Bytes: int64(i), Total: 1000, Pages: int64(2 * i)}, now.Add(time.Duration(i)*time.Second))
	}
	s.end()
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 9 || strings.Contains(b.String(), "\x1b") {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	if want := "msg=progress bytes=90 of=1000 pages=180 failures=0 pages_per_s=2 mb_per_s=0 left=15m10s"; !strings.Contains(lines[8], want) {
		t.Errorf("%s\nwant %s", lines[8], want)
	}
}

func TestStatusForgetsWhatWasTakenBack(t *testing.T) {
	s := NewStatus(&bytes.Buffer{})
	now := time.Unix(0, 0)
	s.begin(Progress{Bytes: 500, Total: 1000}, slog.New(slog.DiscardHandler), now)
	s.update(Progress{Bytes: 400, Total: 1000}, now.Add(time.Second)) // an attempt failed
	if s.rate.bytes < 0 || s.left(Progress{Bytes: 400, Total: 1000}) != 0 {
		t.Errorf("rate %v", s.rate)
	}
}

func TestStatusShowsThePhase(t *testing.T) {
	var b bytes.Buffer
	s := NewStatus(&b)
	s.width = 100
	now := time.Unix(0, 0)
	const mib = 1 << 20
	s.begin(Progress{Phase: schemas.PhaseScan, Total: 100 * mib}, slog.New(slog.DiscardHandler), now)
	for i, c := range []struct {
		p    Progress
		want string
	}{
		{Progress{Phase: schemas.PhaseScan, Bytes: 50 * mib, Total: 100 * mib}, "] scan  50%  50 MiB of 100 MiB  0 pages/s  50 MiB/s  1s left"},
		{Progress{Phase: schemas.PhaseLearn, Bytes: 0, Total: 1024}, "] learn    0% of the sites"},
		{Progress{Phase: schemas.PhaseLearn, Bytes: 256, Total: 1024}, "] learn   25% of the sites  3s left"},
		{Progress{Phase: schemas.PhaseExtract, Bytes: 0, Total: 100 * mib}, "] extract   0%  0 B of 100 MiB  0 pages/s  0 B/s"},
		{Progress{Phase: schemas.PhaseExtract, Bytes: 20 * mib, Pages: 70, Total: 100 * mib}, "] extract  20%  20 MiB of 100 MiB  70 pages/s  20 MiB/s  4s left"},
	} {
		s.update(c.p, now.Add(time.Duration(i+1)*time.Second))
		if _, line := screen(b.Bytes()); !strings.HasSuffix(line, c.want) {
			t.Errorf("line %q, want it to end in %q", line, c.want)
		}
	}
}
