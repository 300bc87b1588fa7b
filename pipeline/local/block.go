package local

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/winnow/winnow/schemas"
)

// block is a few lines at the bottom of a terminal that are drawn again in place. Each
// drawing is one write that replaces the characters one by one, so that nothing
// flickers. The cursor stays at the end of the last line.
type block struct {
	w     io.Writer
	drawn []string // the lines on the screen
	buf   bytes.Buffer
}

// draw replaces the lines on a terminal of the given width, which no line may reach.
func (b *block) draw(lines []string, width int) {
	b.buf.Reset()
	b.home(width)
	for i, line := range lines {
		if i > 0 {
			b.buf.WriteString("\r\n")
		}
		b.buf.WriteString(line)
		b.buf.WriteString("\x1b[K")
	}
	b.buf.WriteString("\x1b[J")
	_, _ = b.w.Write(b.buf.Bytes())
	b.drawn = lines
}

// erase removes the lines. The cursor is then where the first one began.
func (b *block) erase(width int) {
	if len(b.drawn) == 0 {
		return
	}
	b.buf.Reset()
	b.home(width)
	b.buf.WriteString("\x1b[J")
	_, _ = b.w.Write(b.buf.Bytes())
	b.drawn = nil
}

// home moves the cursor to the beginning of the first line. If the terminal was made
// narrower, it has broken lines that are too long now.
func (b *block) home(width int) {
	if len(b.drawn) == 0 {
		return
	}
	rows := -1
	for _, line := range b.drawn {
		rows += max(1, (utf8.RuneCountInString(line)+width-1)/width)
	}
	b.buf.WriteByte('\r')
	for range rows {
		b.buf.WriteString("\x1b[A")
	}
}

// fill joins words to lines of fewer than width characters, at most most of them. Words
// within a line are two blanks apart. A word that is longer than a line is cut. If there
// are too many words, the last line ends in more(n), n being how many were left out.
func fill(words []string, width, most int, more func(n int) string) []string {
	var lines [][]string
	for _, word := range words {
		word = schemas.Shorten(word, width-1)
		if n := len(lines); n > 0 && fits(append(lines[n-1], word), width) {
			lines[n-1] = append(lines[n-1], word)
		} else {
			lines = append(lines, []string{word})
		}
	}
	if len(lines) > most {
		n := 0
		for _, line := range lines[most:] {
			n += len(line)
		}
		last := lines[most-1]
		for len(last) > 0 && !fits(append(slices.Clip(last), more(n)), width) {
			last, n = last[:len(last)-1], n+1
		}
		lines[most-1] = append(last, schemas.Shorten(more(n), width-1))
		lines = lines[:most]
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.Join(line, gap)
	}
	return out
}

const gap = "  "

// fits reports whether words have space in a line of fewer than width characters.
func fits(words []string, width int) bool {
	return utf8.RuneCountInString(strings.Join(words, gap)) < width
}
