package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/winnow/winnow/pipeline/retry"
)

const (
	// requestMin is the size of the first request beyond the announced range; further
	// requests double up to maxRequest. The last record of a range usually ends within
	// one compressed member after it, which is far less than requestMin.
	requestMin = 256 << 10
	maxRequest = 8 << 20

	// maxWindow bytes are held so that a reader may step back up to maxWindow/2
	// without a request: a record that is read again from its beginning.
	maxWindow = 2 << 20
	// maxSkip is the largest gap that is read instead of skipped by a new request: a
	// request takes about as much time as reading this many bytes.
	maxSkip = 256 << 10

	// progressMin is how many bytes must arrive for the count of attempts to start again
	// at zero, so that a server which drops every connection after a byte is given up.
	progressMin = 64 << 10
)

// remote is an object that is read over the network.
type remote struct {
	name  string
	size  int64
	retry Retry
	// fetch requests the bytes [off, end) and returns a body that delivers a
	// prefix of them, beginning at off. It returns errWhole if the server would send the
	// object from its beginning. Errors are classed.
	fetch func(ctx context.Context, off, end int64) (io.ReadCloser, error)
	// whole requests the object from its beginning; it is nil if fetch always works.
	whole func(ctx context.Context) (io.ReadCloser, error)
}

// errWhole is returned by fetch for a server that ignores ranges.
var errWhole = errors.New("server ignores ranges")

// stream is a Source over a network. It sends one request at a time, reads it in order
// and keeps a window of the last bytes. The operating system's receive buffers read
// ahead; a goroutine for this would only copy the bytes once more.
type stream struct {
	remote

	// ctx ends the stream. It is a field because io.ReaderAt has no parameter for it.
	ctx    context.Context
	cancel context.CancelFunc

	// mu guards the fields below. It is held while bytes are awaited: there is one
	// connection, and a second reader has to wait for it in any case.
	mu       sync.Mutex
	window   []byte // object bytes [lo, lo+len(window))
	lo       int64
	body     *watched // delivers [lo+len(window), stop); nil if there is none
	stop     int64
	ranges   bool            // false once the server has been seen to ignore ranges
	expect   int64           // end of the announced range
	request  int64           // size of the next request after it
	progress int             // bytes since the last fault
	attempts *retry.Attempts // without progress
}

// newStream reads r until ctx ends. ranges is whether r.fetch can be used at all.
func newStream(ctx context.Context, r remote, ranges bool) *stream {
	ctx, cancel := context.WithCancel(ctx)
	return &stream{remote: r, ctx: ctx, cancel: cancel, ranges: ranges, request: requestMin, attempts: r.retry.policy().Begin()}
}

func (s *stream) Size() int64 { return s.size }

func (s *stream) Check() error { return nil }

func (s *stream) Expect(end int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expect, s.request = min(end, s.size), requestMin
}

func (s *stream) Close() error {
	s.cancel() // before the lock is taken, because it ends a read that holds the lock
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
	s.window = nil
	return nil
}

func (s *stream) drop() {
	if s.body != nil {
		s.body.Close()
		s.body = nil
	}
}

// ReadAt implements io.ReaderAt.
func (s *stream) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("blob: read %s: negative offset %d", s.name, off)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for n < len(p) {
		at := off + int64(n)
		if at >= s.size {
			return n, io.EOF
		}
		if hi := s.lo + int64(len(s.window)); s.lo <= at && at < hi {
			n += copy(p[n:], s.window[at-s.lo:])
			continue
		}
		if err := s.advance(at); err != nil {
			return n, fmt.Errorf("blob: read %s at %d: %w", s.name, at, err)
		}
	}
	return n, nil
}

// advance reads one more piece towards offset at, which is not in the window.
func (s *stream) advance(at int64) error {
	hi := s.lo + int64(len(s.window))
	behind := at < s.lo
	far := at-hi > maxSkip || s.body == nil && at != hi
	if behind || far && s.ranges {
		s.jump(at)
	}
	for {
		err := s.piece()
		if err == nil {
			return nil
		}
		s.drop()
		if errors.Is(err, errWhole) && s.whole != nil && s.ranges {
			s.ranges = false
			s.jump(at)
			continue
		}
		if end := s.attempts.Wait(s.ctx, err); end != nil {
			s.attempts.Progress() // the next read begins again
			return end
		}
		if !s.ranges {
			s.jump(at) // a body that starts at offset 0 follows
		}
	}
}

// jump empties the window and moves it to where the next body begins.
func (s *stream) jump(at int64) {
	s.drop()
	if !s.ranges {
		at = 0
	}
	s.lo, s.window, s.request = at, s.window[:0], requestMin
}

// piece appends some bytes of the body to the window, requesting a body if
// there is none.
func (s *stream) piece() error {
	hi := s.lo + int64(len(s.window))
	if s.body == nil {
		if err := s.begin(hi); err != nil {
			return err
		}
	}
	room := s.room()
	n, err := s.body.Read(room[:min(int64(len(room)), s.stop-hi)])
	s.window = s.window[:len(s.window)+n]
	if s.progress += n; s.progress >= progressMin {
		s.progress = 0
		s.attempts.Progress()
	}
	switch {
	case hi+int64(n) == s.stop:
		s.drop()
		s.progress = 0
		s.attempts.Progress()
		return nil
	case err == io.EOF && s.body.delivered > 0:
		// A server may answer with less than was asked for; the next piece asks
		// for the rest.
		s.drop()
		return nil
	case err == nil && n > 0:
		return nil
	case err == nil || err == io.EOF:
		err = io.ErrUnexpectedEOF
	case errors.Is(err, ErrChanged):
		return err
	}
	return networkError(err)
}

// begin requests a body from offset off.
func (s *stream) begin(off int64) error {
	request := s.whole
	s.stop = s.size
	if s.ranges {
		s.stop = s.until(off)
		request = func(ctx context.Context) (io.ReadCloser, error) { return s.fetch(ctx, off, s.stop) }
	}
	body, err := watch(s.ctx, s.retry.Stall, request)
	if err != nil {
		return err
	}
	s.body = body
	return nil
}

// until returns the offset at which a request from off ends.
func (s *stream) until(off int64) int64 {
	if off < s.expect {
		return min(s.expect+requestMin, s.size)
	}
	end := min(off+s.request, s.size)
	s.request = min(2*s.request, maxRequest)
	return end
}

// room returns free space after the window's bytes, sliding the window if it
// is full.
func (s *stream) room() []byte {
	const step = 64 << 10
	if s.window == nil {
		s.window = make([]byte, 0, step)
	}
	if len(s.window) == cap(s.window) {
		if cap(s.window) < maxWindow {
			s.window = append(make([]byte, 0, 2*cap(s.window)), s.window...)
		} else {
			keep := maxWindow / 2
			s.lo += int64(len(s.window) - keep)
			s.window = s.window[:copy(s.window, s.window[len(s.window)-keep:])]
		}
	}
	return s.window[len(s.window):cap(s.window)]
}

// watched is a body whose request is cancelled when no bytes arrive for a while. Time
// between the reader's calls does not count.
type watched struct {
	body      io.ReadCloser
	delivered int64
	timer     *time.Timer
	cancel    context.CancelFunc
	stall     time.Duration
}

// watch sends a request and cancels it when the answer or its body stalls.
func watch(ctx context.Context, stall time.Duration, request func(context.Context) (io.ReadCloser, error)) (*watched, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(stall, cancel)
	body, err := request(ctx)
	timer.Stop()
	if err != nil {
		cancel()
		return nil, err
	}
	return &watched{body, 0, timer, cancel, stall}, nil
}

func (w *watched) Read(p []byte) (int, error) {
	w.timer.Reset(w.stall)
	n, err := w.body.Read(p)
	w.timer.Stop()
	w.delivered += int64(n)
	return n, err
}

func (w *watched) Close() error {
	w.timer.Stop()
	w.cancel()
	return w.body.Close()
}

// random is a File over a network for random access, such as by readers of columnar
// files: every ReadAt is one request, and several may run at once.
type random struct {
	remote
	ctx    context.Context // ends all reads; a field because io.ReaderAt has no parameter for it
	cancel context.CancelFunc
}

func newRandom(ctx context.Context, r remote) *random {
	ctx, cancel := context.WithCancel(ctx)
	return &random{r, ctx, cancel}
}

func (f *random) Size() int64 { return f.size }

func (f *random) Close() error {
	f.cancel()
	return nil
}

// ReadAt implements io.ReaderAt.
func (f *random) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("blob: read %s: negative offset %d", f.name, off)
	}
	want := p[:max(0, min(int64(len(p)), f.size-off))]
	n := 0
	err := f.retry.do(f.ctx, func() error {
		if n == len(want) {
			return nil
		}
		w, err := watch(f.ctx, f.retry.Stall, func(ctx context.Context) (io.ReadCloser, error) {
			return f.fetch(ctx, off+int64(n), off+int64(len(want)))
		})
		if err != nil {
			return err
		}
		defer w.Close()
		m, err := io.ReadFull(w, want[n:])
		if n += m; err != nil {
			return networkError(err)
		}
		return nil
	})
	switch {
	case err != nil:
		return n, fmt.Errorf("blob: read %s at %d: %w", f.name, off, err)
	case n < len(p):
		return n, io.EOF
	}
	return n, nil
}
