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

	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

const (
	redraw = 250 * time.Millisecond // interval between drawings of the line on a terminal
	tell   = 10 * time.Second       // interval between log lines elsewhere
	// smooth is the time over which speeds are averaged. Without an average the remaining
	// time would jump, because the items of a run differ.
	smooth = 20 * time.Second
)

// Progress is how far a run has come.
type Progress struct {
	Phase        schemas.Phase // "" in a run of one phase
	Bytes, Total int64         // of the input; in the phase learn, of the buckets of sites
	Pages        int64
	Failures     int64
}

// Status shows progress: on a terminal as one line that is drawn again and again,
// elsewhere as log lines. On a terminal, all other output must go through Write, which
// puts it above the line.
type Status struct {
	// mu guards all following fields, and the order of the output.
	mu    sync.Mutex
	w     io.Writer // for lines of other writers
	draws io.Writer // the terminal itself
	width int       // of the terminal; 0 if w is not a terminal
	drawn bool      // a line is on the screen
	line  string
	tail  []byte // an unfinished line of other writers

	log  *slog.Logger
	last time.Time
	told time.Time
	seen Progress
	rate struct{ bytes, pages float64 } // per second
}

// NewStatus shows progress on w if that is a terminal.
func NewStatus(w io.Writer) *Status {
	s := &Status{w: w, draws: service.Screen(w)}
	if service.Terminal(w) {
		s.width = service.Width(w)
	}
	return s
}

// Write writes other lines above the line of progress.
func (s *Status) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.width == 0 {
		return s.w.Write(p)
	}
	s.tail = append(s.tail, p...)
	end := bytes.LastIndexByte(s.tail, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	s.erase()
	_, err := s.w.Write(s.tail[:end])
	s.tail = append(s.tail[:0], s.tail[end:]...)
	s.draw()
	return len(p), err
}

// begin starts to measure time. p is the progress before that.
func (s *Status) begin(p Progress, log *slog.Logger, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.last, s.told, s.log = p, now, now, log
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
	if s.width > 0 {
		s.line = s.text(p)
		s.erase()
		s.draw()
		s.mu.Unlock()
		return
	}
	due := now.Sub(s.told) >= tell
	if due {
		s.told = now
	}
	rate := s.rate
	s.mu.Unlock()
	if due {
		log := s.log
		if p.Phase != "" {
			log = log.With("phase", p.Phase)
		}
		if p.Phase == schemas.PhaseLearn {
			log.Info("progress", "buckets", p.Bytes, "of", p.Total, "left", s.left(p).String())
			return
		}
		log.Info("progress", "bytes", p.Bytes, "of", p.Total, "pages", p.Pages, "failures", p.Failures,
			"pages_per_s", tenths(rate.pages), "mb_per_s", tenths(rate.bytes/1e6), "left", s.left(p).String())
	}
}

// tenths rounds x to one decimal, as the log shows speeds.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// end removes the line from the terminal.
func (s *Status) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	s.line = ""
	if len(s.tail) > 0 {
		_, _ = s.w.Write(append(s.tail, '\n'))
		s.tail = nil
	}
}

func (s *Status) erase() {
	if s.drawn {
		_, _ = io.WriteString(s.draws, "\r\x1b[K")
		s.drawn = false
	}
}

func (s *Status) draw() {
	if s.line != "" {
		_, _ = io.WriteString(s.draws, s.line)
		s.drawn = true
	}
}

// text returns the line: the figures, and a bar if there is space.
func (s *Status) text(p Progress) string {
	share := 1.0
	if p.Total > 0 {
		share = min(1, float64(p.Bytes)/float64(p.Total))
	}
	if p.Phase == schemas.PhaseLearn {
		return s.bar(share, s.timed(fmt.Sprintf("%s  %3.0f%% of the sites", p.Phase, 100*share), p))
	}
	figures := fmt.Sprintf("%3.0f%%  %s of %s  %.0f pages/s  %s/s", 100*share, service.Bytes(p.Bytes), service.Bytes(p.Total),
		s.rate.pages, service.Bytes(int64(s.rate.bytes)))
	if p.Phase != "" {
		figures = string(p.Phase) + " " + figures
	}
	if p.Failures > 0 {
		figures += fmt.Sprintf("  %d failures", p.Failures)
	}
	return s.bar(share, s.timed(figures, p))
}

// timed adds the remaining time to the figures.
func (s *Status) timed(figures string, p Progress) string {
	if left := s.left(p); left > 0 {
		figures += "  " + left.String() + " left"
	}
	return figures
}

// bar puts a bar before the figures if there is space.
func (s *Status) bar(share float64, figures string) string {
	if room := s.width - len(figures) - 4; room >= 10 {
		n := min(room, 30)
		full := int(share * float64(n))
		return "[" + strings.Repeat("=", full) + strings.Repeat(" ", n-full) + "] " + figures
	}
	return figures[:min(len(figures), max(0, s.width-1))]
}

// left returns the remaining time at the present speed, 0 if it is not known.
func (s *Status) left(p Progress) time.Duration {
	if s.rate.bytes <= 0 || p.Phase == "" && s.rate.bytes < 1 || p.Total <= p.Bytes {
		return 0
	}
	seconds := float64(p.Total-p.Bytes) / s.rate.bytes
	if seconds > 1000*3600 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
