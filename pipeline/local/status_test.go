package local

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hinshun/vt10x"

	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/schemas"
)

// terminal simulates a terminal of the given size. shown returns the lines on its screen,
// without the empty ones at the end.
func terminal(columns, rows int) (s *Status, shown func() []string) {
	screen := vt10x.New(vt10x.WithSize(columns, rows))
	s = NewStatus(onTerminal{screen})
	s.size = func() (int, int) { return columns, rows }
	return s, func() []string {
		var lines []string
		for y := range rows {
			line := make([]rune, columns)
			for x := range columns {
				line[x] = cmp.Or(screen.Cell(x, y).Char, ' ')
			}
			lines = append(lines, strings.TrimRight(string(line), " "))
		}
		for len(lines) > 0 && lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		return lines
	}
}

// onTerminal is what the kernel does to output on its way to a terminal.
type onTerminal struct{ w io.Writer }

func (t onTerminal) Write(p []byte) (int, error) {
	_, err := t.w.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	return len(p), err
}

func TestStatusOnATerminal(t *testing.T) {
	s, shown := terminal(80, 24)
	now := time.Unix(0, 0)
	const mib = 1 << 20
	s.begin(Progress{Bytes: 10 * mib, Total: 110 * mib, ItemsOf: 28}, slog.New(slog.DiscardHandler), now)
	want := func(what string, lines ...string) {
		t.Helper()
		if got := shown(); !slices.Equal(got, lines) {
			t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(lines, "\n"))
		}
	}
	p := Progress{Bytes: 20 * mib, Total: 110 * mib, Items: 3, ItemsOf: 28, Pages: 500}
	s.update(p, now.Add(time.Second))
	want("without gold", "[=         ]  18%  3 of 28 items  500 pages/s  9s left")

	p.Failures, p.Scorer = 3, "str"
	p.F1 = []extract.MeanF1{{Extractor: "winnow", F1: .8784}, {Extractor: "bte", F1: .5}}
	s.update(p, now.Add(time.Second))
	first := "[=         ]  18%  3 of 28 items  500 pages/s  3 failures  9s left"
	want("with gold", first, "mean F1, str:  winnow 0.878  bte 0.500")

	// Only complete lines of other writers are written above.
	for _, part := range []string{"first\nsec", "ond\n"} {
		if _, err := s.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	want("below a log", "first", "second", first, "mean F1, str:  winnow 0.878  bte 0.500")

	p.F1 = nil // fewer lines than before
	s.update(p, now.Add(time.Second))
	want("without means", "first", "second", first)

	p.Bytes, p.Items = 110*mib, 28
	s.update(p, now.Add(time.Second))
	want("all pages are done", "first", "second", "[==========] 100%  28 of 28 items  3 failures  writing tables and report")
	s.end()
	want("at the end", "first", "second")
}

// No line reaches the width of the terminal, or it would break, and the terminal keeps
// space for other lines. What does not fit is counted.
func TestStatusFitsEveryTerminal(t *testing.T) {
	p := Progress{Phase: schemas.PhaseExtract, Items: 123456, ItemsOf: 1234567, Bytes: 7 << 40, Total: 70 << 40, Pages: 1 << 40, Failures: 123456789, Scorer: "rouge-lsum"}
	for i := range 57 {
		p.F1 = append(p.F1, extract.MeanF1{Extractor: fmt.Sprintf("extractor-with-number-%d", i), F1: 1 / float64(i+1)})
	}
	for columns := 1; columns <= 200; columns++ {
		for _, rows := range []int{1, 5, 24, 60} {
			s, _ := terminal(columns, rows)
			lines := s.text(&p, columns, rows)
			for _, line := range lines {
				if n := utf8.RuneCountInString(line); n >= max(2, columns) {
					t.Fatalf("%d columns: a line of %d: %q", columns, n, line)
				}
			}
			if len(lines) > max(2, rows*2/3) {
				t.Fatalf("%d rows: %d lines", rows, len(lines))
			}
			if all := strings.Join(lines, "\n"); columns == 80 && rows == 24 && !strings.HasSuffix(all, "and 42 more") {
				t.Errorf("extractors are not counted:\n%s", all)
			}
		}
	}
	s, shown := terminal(40, 24)
	now := time.Unix(0, 0)
	p = Progress{Items: 3, ItemsOf: 28, Bytes: 100, Total: 1000, Failures: 3, Scorer: "str", F1: []extract.MeanF1{{Extractor: "winnow", F1: .8784}, {Extractor: "boilerpipe", F1: .5}}}
	s.begin(Progress{Total: 1000}, slog.New(slog.DiscardHandler), now)
	for range 3 {
		now = now.Add(time.Second)
		p.Bytes += 100
		p.Pages += 350
		s.update(p, now)
	}
	want := []string{" 40%  3 of 28 items  360 pages/s", "3 failures  6s left", "mean F1, str:  winnow 0.878", "boilerpipe 0.500"}
	if got := shown(); len(got) != 4 || got[2] != want[2] || got[3] != want[3] || !strings.HasPrefix(got[0], " 40%  3 of 28 items  3") || !strings.HasPrefix(got[1], "3 failures  ") {
		t.Errorf("at 40 columns:\n%s", strings.Join(got, "\n"))
	}
}

func TestStatusElsewhere(t *testing.T) {
	var b bytes.Buffer
	s := NewStatus(&b)
	now := time.Unix(0, 0)
	s.begin(Progress{Total: 1000}, slog.New(slog.NewTextHandler(s, nil)), now)
	means := []extract.MeanF1{{Extractor: "winnow", F1: .8784}, {Extractor: "bte", F1: .5}, {Extractor: "cetd-ds", F1: .25}, {Extractor: "plain"}}
	for i := range 271 {
		s.update(Progress{Items: i / 10, ItemsOf: 100, Bytes: int64(i), Total: 1000, Pages: int64(2 * i), Scorer: "str", F1: means}, now.Add(time.Duration(i)*time.Second))
	}
	s.end()
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 14 || strings.Contains(b.String(), "\x1b") {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	if want := "msg=progress items=9 of_items=100 bytes=90 of=1000 pages=180 failures=0 pages_per_s=2 mb_per_s=0 left=15m10s scorer=str best_f1.winnow=0.878 best_f1.bte=0.5 best_f1.cetd-ds=0.25"; !strings.Contains(lines[8], want) {
		t.Errorf("%s\nwant %s", lines[8], want)
	}
}

func TestStatusForgetsWhatWasTakenBack(t *testing.T) {
	s := NewStatus(&bytes.Buffer{})
	now := time.Unix(0, 0)
	s.begin(Progress{Bytes: 500, Total: 1000}, slog.New(slog.DiscardHandler), now)
	s.update(Progress{Bytes: 400, Total: 1000}, now.Add(time.Second)) // an attempt failed
	if s.rate.bytes < 0 || s.left(&Progress{Bytes: 400, Total: 1000}) != 0 {
		t.Errorf("rate %v", s.rate)
	}
}

func TestStatusShowsThePhase(t *testing.T) {
	s, shown := terminal(110, 24)
	now := time.Unix(0, 0)
	const mib = 1 << 20
	s.begin(Progress{Phase: schemas.PhaseScan, Total: 100 * mib}, slog.New(slog.DiscardHandler), now)
	for i, c := range []struct {
		p    Progress
		want string
	}{
		{Progress{Phase: schemas.PhaseScan, Items: 1, ItemsOf: 2, Bytes: 50 * mib, Total: 100 * mib}, "] scan   50%  1 of 2 items  1s left  50 MiB of 100 MiB  50 MiB/s"},
		{Progress{Phase: schemas.PhaseLearn, Bytes: 0, Total: 1024}, "] learn    0%  of the sites"},
		{Progress{Phase: schemas.PhaseLearn, Bytes: 256, Total: 1024}, "] learn   25%  of the sites  3s left"},
		{Progress{Phase: schemas.PhaseExtract, ItemsOf: 2, Total: 100 * mib}, "] extract    0%  0 of 2 items  0 pages/s  0 B of 100 MiB  0 B/s"},
		{Progress{Phase: schemas.PhaseExtract, ItemsOf: 2, Bytes: 20 * mib, Pages: 70, Total: 100 * mib}, "] extract   20%  0 of 2 items  70 pages/s  4s left  20 MiB of 100 MiB  20 MiB/s"},
	} {
		s.update(c.p, now.Add(time.Duration(i+1)*time.Second))
		if lines := shown(); len(lines) != 1 || !strings.HasSuffix(lines[0], c.want) {
			t.Errorf("%q, want a line that ends in %q", lines, c.want)
		}
	}
}
