package service

import (
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"
)

// Terminal reports whether w is one.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns of the terminal w, 80 if it does not say.
func Width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// Shown is w, made safe for texts from a crawl if it is a terminal: control
// characters other than line breaks and tabs could move its cursor, name its
// window or type for its user. They are shown as U+FFFD. Anything but a terminal
// gets every byte as it is.
func Shown(w io.Writer) io.Writer {
	if !Terminal(w) {
		return w
	}
	return &shown{w: w}
}

type shown struct {
	w    io.Writer
	out  []byte
	rest []byte // a character whose end is to come
}

func (s *shown) Write(p []byte) (int, error) {
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
		case r < 0x20 && r != '\n' && r != '\t', 0x7f <= r && r < 0xa0:
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
