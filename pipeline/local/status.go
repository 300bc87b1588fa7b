package local

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

const (
	redraw = 250 * time.Millisecond // interval between drawings on a terminal
	// Log lines elsewhere: the interval at the beginning, for how long, and that after it.
	tell, tellOften, tellLater = 10 * time.Second, 2 * time.Minute, time.Minute
	// smooth is the time over which speeds are averaged. Without an average the remaining
	// time would jump, because the items of a run differ.
	smooth = 20 * time.Second
)

// Progress is how far a run has come.
type Progress struct {
	Phase          schemas.Phase // "" in a run of one phase
	Items, ItemsOf int           // accepted or dead, of all; not counted in the phase learn
	Bytes, Total   int64         // of the input; in the phase learn, of the buckets of sites
	Pages          int64
	Failures       int64
	// F1 holds the running means of the extractors by Scorer, the best first. It is empty
	// without gold.
	Scorer string
	F1     []extract.MeanF1
}

// extracting reports whether pages are extracted, not only read or learned from.
func (p *Progress) extracting() bool { return p.Phase == "" || p.Phase == schemas.PhaseExtract }

// tables reports whether all pages are extracted, and only tables are left to write.
func (p *Progress) tables() bool { return p.extracting() && p.ItemsOf > 0 && p.Items == p.ItemsOf }

// Status shows progress: on a terminal as a few lines that are drawn again and again,
// elsewhere as log lines. On a terminal, all other output must go through Write, which
// puts it above these lines.
type Status struct {
	// mu guards all following fields, and the order of the output.
	mu    sync.Mutex
	w     io.Writer                  // for lines of other writers
	size  func() (columns, rows int) // of the terminal; nil if w is not a terminal
	block block
	lines []string // of progress; nil if there is none to show
	tail  []byte   // an unfinished line of other writers

	log   *slog.Logger
	begun time.Time
	last  time.Time
	told  time.Time
	seen  Progress
	rate  struct{ bytes, pages float64 } // per second
}

// NewStatus shows progress on w if that is a terminal.
func NewStatus(w io.Writer) *Status {
	s := &Status{w: w, block: block{w: service.Screen(w)}}
	if service.Terminal(w) {
		s.size = func() (int, int) { return service.Size(w) }
	}
	return s
}

// Write writes other lines above those of progress.
func (s *Status) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size == nil {
		return s.w.Write(p)
	}
	s.tail = append(s.tail, p...)
	end := bytes.LastIndexByte(s.tail, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	width, _ := s.size()
	s.block.erase(width)
	_, err := s.w.Write(s.tail[:end])
	s.tail = append(s.tail[:0], s.tail[end:]...)
	if s.lines != nil {
		s.block.draw(s.lines, width)
	}
	return len(p), err
}

// begin starts to measure time. p is the progress before that.
func (s *Status) begin(p Progress, log *slog.Logger, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.begun, s.last, s.told, s.log = p, now, now, now, log
	if s.size != nil {
		s.show()
	}
}

// update shows p.
func (s *Status) update(p Progress, now time.Time) {
	s.mu.Lock()
	if p.Phase != s.seen.Phase { // each phase has its own speeds and remaining time
		s.seen, s.last = p, now
		s.rate.bytes, s.rate.pages = 0, 0
	}
	dt := now.Sub(s.last).Seconds()
	if dt > 0 {
		// The speed is an exponential average, in which the latest value counts more
		// the longer ago the preceding one was.
		a := min(1, dt/smooth.Seconds())
		if s.rate.bytes == 0 {
			a = 1
		}
		s.rate.bytes += a * (float64(max(0, p.Bytes-s.seen.Bytes))/dt - s.rate.bytes)
		s.rate.pages += a * (float64(max(0, p.Pages-s.seen.Pages))/dt - s.rate.pages)
	}
	s.seen, s.last = p, now
	if s.size != nil {
		s.show()
		s.mu.Unlock()
		return
	}
	interval := tell
	if now.Sub(s.begun) > tellOften {
		interval = tellLater
	}
	due := now.Sub(s.told) >= interval
	if due {
		s.told = now
	}
	rate := s.rate
	s.mu.Unlock()
	if due {
		s.logLine(&p, rate.pages, rate.bytes)
	}
}

// show draws the progress on the terminal. The caller holds mu.
func (s *Status) show() {
	width, height := s.size()
	s.lines = s.text(&s.seen, width, height)
	s.block.draw(s.lines, width)
}

// logLine logs p, and the speeds in pages and bytes a second.
func (s *Status) logLine(p *Progress, pages, read float64) {
	log := s.log
	if p.Phase != "" {
		log = log.With("phase", p.Phase)
	}
	if p.Phase == schemas.PhaseLearn {
		log.Info("progress", "buckets", p.Bytes, "of", p.Total, "left", s.left(p).String())
		return
	}
	log = log.With("items", p.Items, "of_items", p.ItemsOf, "bytes", p.Bytes, "of", p.Total)
	if p.extracting() {
		log = log.With("pages", p.Pages, "failures", p.Failures, "pages_per_s", tenths(pages))
	}
	log = log.With("mb_per_s", tenths(read/1e6), "left", s.left(p).String())
	if len(p.F1) > 0 {
		best := p.F1[:min(3, len(p.F1))]
		means := make([]any, len(best))
		for i, m := range best {
			means[i] = slog.Float64(m.Extractor, math.Round(1000*m.F1)/1000)
		}
		log = log.With("scorer", p.Scorer, slog.Group("best_f1", means...))
	}
	log.Info("progress")
}

// tenths rounds x to one decimal, as the log shows speeds.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// end removes the lines of progress from the terminal.
func (s *Status) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = nil
	if s.size == nil {
		return
	}
	width, _ := s.size()
	s.block.erase(width)
	if len(s.tail) > 0 {
		_, _ = s.w.Write(append(s.tail, '\n'))
		s.tail = nil
	}
}

// text returns the lines for a terminal: the figures, with a bar if there is space, and
// the running means of the extractors.
func (s *Status) text(p *Progress, width, height int) []string {
	share := 1.0
	if p.Total > 0 {
		share = min(1, float64(p.Bytes)/float64(p.Total))
	}
	figures, extra := s.figures(p, share)
	lines := fill(figures, width, max(1, height/3), more)
	if bar := bar(share, width); len(lines) == 1 && fits([]string{bar + lines[0]}, width) {
		if whole := append([]string{lines[0]}, extra...); fits(append([]string{bar}, whole...), width) {
			lines[0] = strings.Join(whole, gap)
		}
		lines[0] = bar + lines[0]
	}
	if len(p.F1) > 0 {
		means := []string{"mean F1, " + p.Scorer + ":"}
		for _, m := range p.F1 {
			means = append(means, fmt.Sprintf("%s %.3f", m.Extractor, m.F1))
		}
		lines = append(lines, fill(means, width, max(1, height/3), more)...)
	}
	return lines
}

// bar returns a bar for a terminal of the given width.
func bar(share float64, width int) string {
	n := 10
	if width >= 120 {
		n = 30
	}
	full := int(share * float64(n))
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", n-full) + "] "
}

func more(n int) string { return fmt.Sprintf("and %d more", n) }

// figures returns the figures of the phase, and those that are shown if there is space.
func (s *Status) figures(p *Progress, share float64) (figures, extra []string) {
	if p.Phase != "" {
		figures = append(figures, string(p.Phase))
	}
	figures = append(figures, fmt.Sprintf("%3.0f%%", 100*share))
	if p.Phase == schemas.PhaseLearn {
		figures = append(figures, "of the sites")
	} else {
		figures = append(figures, fmt.Sprintf("%d of %s", p.Items, account.Count(p.ItemsOf, "item")))
		extra = []string{service.Bytes(p.Bytes) + " of " + service.Bytes(p.Total), service.Bytes(int64(s.rate.bytes)) + "/s"}
	}
	if p.extracting() && !p.tables() {
		figures = append(figures, fmt.Sprintf("%.0f pages/s", s.rate.pages))
	}
	if p.Failures > 0 {
		figures = append(figures, account.Count(p.Failures, "failure"))
	}
	if left := s.left(p); left > 0 {
		figures = append(figures, left.String()+" left")
	}
	if p.tables() {
		return append(figures, "writing tables and report"), nil
	}
	return figures, extra
}

// left returns the remaining time at the present speed, 0 if it is not known.
func (s *Status) left(p *Progress) time.Duration {
	if s.rate.bytes <= 0 || p.Phase == "" && s.rate.bytes < 1 || p.Total <= p.Bytes {
		return 0
	}
	seconds := float64(p.Total-p.Bytes) / s.rate.bytes
	if seconds > 1000*3600 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
