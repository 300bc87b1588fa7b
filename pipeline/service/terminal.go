package service

import (
	"io"
	"os"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Terminal reports whether w is a terminal, or writes to one.
func Terminal(w io.Writer) bool {
	f, ok := Screen(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Size returns the numbers of columns and rows of the terminal w, or 80 and 24 if it does
// not report them.
func Size(w io.Writer) (columns, rows int) {
	if f, ok := Screen(w).(*os.File); ok {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 && rows > 0 {
			return columns, rows
		}
	}
	return 80, 24
}

// Screen returns the writer below w, for displays of progress, which move the cursor.
func Screen(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		w = o.w
	}
	if s, ok := w.(*shown); ok {
		return s.w
	}
	return w
}

// output keeps the first error of a program's standard output, so that no command has to
// check every line that it prints.
type output struct {
	w io.Writer

	mu  sync.Mutex
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// failure returns the first error of a Write.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Shown returns w, made safe for texts of others if it is a terminal. Names, addresses
// and pages of a crawl, and responses of servers, may contain control characters, which
// could move a terminal's cursor, change the title of its window or type for its user.
// They may also contain characters that change the direction of writing, which could
// make a text look like another one. All control characters except line breaks and
// tabs, and the characters of direction, are shown as U+FFFD. A writer that is no
// terminal gets every byte unchanged, because its output is data.
func Shown(w io.Writer) io.Writer {
	if !Terminal(w) {
		return w
	}
	return Words(w)
}

// Words returns w made safe as by Shown, even if it is not a terminal, because people
// read errors and logs, sometimes later and on a terminal.
func Words(w io.Writer) io.Writer { return &shown{w: w} }

type shown struct {
	w io.Writer

	mu   sync.Mutex
	out  []byte
	rest []byte // the beginning of a character whose end was not written yet
}

func (s *shown) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = s.out[:0]
	in := p
	if len(s.rest) > 0 {
		in = append(s.rest, p...)
		s.rest = nil
	}
	for len(in) > 0 {
		r, n := utf8.DecodeRune(in)
		switch {
		case r == utf8.RuneError && n == 1 && !utf8.FullRune(in):
			s.rest = append([]byte(nil), in...)
			n = len(in)
		case r == utf8.RuneError && n == 1 && in[0] < 0xa0, // a control character for terminals with another encoding
			r != '\n' && r != '\t' && unicode.IsControl(r),
			unicode.Is(unicode.Bidi_Control, r):
			s.out = utf8.AppendRune(s.out, utf8.RuneError)
		default:
			s.out = append(s.out, in[:n]...)
		}
		in = in[n:]
	}
	if _, err := s.w.Write(s.out); err != nil {
		return 0, err
	}
	return len(p), nil
}
