package local

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

const (
	redraw = 250 * time.Millisecond // interval between drawings on a terminal
	// Log lines elsewhere: the interval at the beginning, for how long, and that after it.
	logInterval, logOften, logIntervalLater = 10 * time.Second, 2 * time.Minute, time.Minute
)

// Progress is how far a run has come.
type Progress struct {
	Phase          schemas.Phase // "" in a run of one phase
	Items, ItemsOf int           // accepted or dead, of all; not counted in the phase learn
	Bytes, Total   int64         // bytes of the input; in the phase learn, items
	Pages          int64
	Failures       int64
}

// extracting reports whether pages are extracted, not only read or learned from.
func (p *Progress) extracting() bool { return p.Phase == "" || p.Phase == schemas.PhaseExtract }

// Status shows progress: on a terminal as a bar, elsewhere as log lines. On a terminal, all
// other output must go through Write, which puts it above the bar.
type Status struct {
	w    io.Writer     // for lines of other writers
	bars *mpb.Progress // nil if w is not a terminal

	// mu guards the following fields, which the goroutine that draws the bar reads.
	mu     sync.Mutex
	bar    *mpb.Bar
	log    *slog.Logger
	begun  time.Time // start of the phase
	logged time.Time
	first  Progress // at the beginning of the phase
	seen   Progress
}

// NewStatus shows progress on w if that is a terminal.
func NewStatus(w io.Writer) *Status {
	s := &Status{w: w}
	if service.Terminal(w) {
		s.bars = mpb.New(mpb.WithOutput(service.Screen(w)), mpb.WithRefreshRate(redraw), mpb.WithWidth(20))
	}
	return s
}

// Write writes other lines above the bar.
func (s *Status) Write(p []byte) (int, error) {
	if s.bars != nil {
		if n, err := s.bars.Write(p); err == nil {
			return n, nil
		}
	}
	return s.w.Write(p) // the bar has ended, or there is none
}

// begin starts to measure time. p is the progress before that.
func (s *Status) begin(p Progress, log *slog.Logger, now time.Time) {
	s.log, s.logged = log, now
	s.phase(p, now)
}

// phase begins a phase, which has a bar and speeds of its own.
func (s *Status) phase(p Progress, now time.Time) {
	s.mu.Lock()
	s.first, s.seen, s.begun = p, p, now
	before := s.bar
	s.mu.Unlock()
	if s.bars == nil {
		return
	}
	if before != nil {
		before.Abort(true)
	}
	s.bar = s.bars.New(p.Total, mpb.BarStyle().Lbound("[").Filler("=").Tip("=").Padding(" ").Rbound("]"), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Percentage(decor.WC{W: 5})), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + s.text() })))
	s.bar.SetCurrent(p.Bytes)
}

// update shows p.
func (s *Status) update(p Progress, now time.Time) {
	if p.Phase != s.seen.Phase {
		s.phase(p, now)
	}
	s.mu.Lock()
	s.seen = p
	s.mu.Unlock()
	if s.bars != nil {
		s.bar.SetCurrent(min(p.Bytes, p.Total-1)) // a bar that is complete disappears
		return
	}
	interval := logInterval
	if now.Sub(s.begun) > logOften {
		interval = logIntervalLater
	}
	if now.Sub(s.logged) >= interval {
		s.logged = now
		s.logLine(&p, now)
	}
}

// speeds returns the pages and bytes a second since the phase began, and the time that is
// left at this speed, which is 0 if it is not known.
func (s *Status) speeds(p *Progress, now time.Time) (pages, bytes float64, left time.Duration) {
	seconds := now.Sub(s.begun).Seconds()
	if seconds <= 0 || p.Bytes <= s.first.Bytes {
		return 0, 0, 0
	}
	pages, bytes = float64(p.Pages-s.first.Pages)/seconds, float64(p.Bytes-s.first.Bytes)/seconds
	if rest := float64(p.Total-p.Bytes) / bytes; rest > 0 && rest < 1000*3600 {
		left = time.Duration(rest) * time.Second
	}
	return pages, bytes, left
}

// text returns the figures that are shown beside the bar.
func (s *Status) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.seen
	pages, _, left := s.speeds(p, time.Now())
	var figures []string
	if p.Phase != "" {
		figures = append(figures, string(p.Phase))
	}
	if p.ItemsOf > 0 {
		figures = append(figures, fmt.Sprintf("%d of %s", p.Items, account.Count(p.ItemsOf, "item")))
	}
	if p.extracting() && p.ItemsOf > 0 && p.Items == p.ItemsOf {
		return strings.Join(append(figures, "writing tables and report"), "  ")
	}
	if p.extracting() {
		figures = append(figures, fmt.Sprintf("%.0f pages/s", pages))
	}
	if p.Failures > 0 {
		figures = append(figures, account.Count(p.Failures, "failure"))
	}
	if left > 0 {
		figures = append(figures, left.String()+" left")
	}
	return strings.Join(figures, "  ")
}

// logLine logs p.
func (s *Status) logLine(p *Progress, now time.Time) {
	log := s.log
	if p.Phase != "" {
		log = log.With("phase", p.Phase)
	}
	pages, read, left := s.speeds(p, now)
	if p.Phase == schemas.PhaseLearn {
		log.Info("progress", "items", p.Bytes, "of", p.Total, "left", left.String())
		return
	}
	log = log.With("items", p.Items, "of_items", p.ItemsOf, "bytes", p.Bytes, "of", p.Total)
	if p.extracting() {
		log = log.With("pages", p.Pages, "failures", p.Failures, "pages_per_s", tenths(pages))
	}
	log.Info("progress", "mb_per_s", tenths(read/1e6), "left", left.String())
}

// tenths rounds x to one decimal, as the log shows speeds.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// end removes the bar from the terminal.
func (s *Status) end() {
	if s.bars == nil || s.bar == nil {
		return
	}
	s.bar.Abort(true)
	s.bars.Wait()
}
