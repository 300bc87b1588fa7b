package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/winnow/winnow/algorithms/driver"
)

// Protocol is the version of the protocol.
const Protocol = 1

// Hello is the first line that a program writes.
type Hello struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	Citation string `json:"citation"`
}

// maxHello bounds the first line.
const maxHello = 64 << 10

func readHello(r *bufio.Reader) (h Hello, err error) {
	line, err := readLine(r, maxHello)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(line, &h); err != nil || h.Name == "" {
		return h, fmt.Errorf("its first line is %.80q, not the greeting of the extractor protocol", line)
	}
	if h.Protocol != Protocol {
		return h, fmt.Errorf("it speaks version %d of the extractor protocol, want %d", h.Protocol, Protocol)
	}
	return h, nil
}

// Request is one page.
type Request struct {
	ID       int64  `json:"id"`
	Package  string `json:"package,omitempty"`
	Document string `json:"document,omitempty"`
	URL      string `json:"url"`
	HTML     string `json:"html"`
}

func writeRequest(w io.Writer, q Request) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(q)
}

// Answer is the line that answers a request. It has one of Text, HTML and Markdown, or Error,
// or Declined.
type Answer struct {
	ID       *int64  `json:"id"`
	Text     *string `json:"text,omitempty"`
	HTML     *string `json:"html,omitempty"`
	Markdown *string `json:"markdown,omitempty"`
	Error    string  `json:"error,omitempty"`
	Declined string  `json:"declined,omitempty"`
	NS       int64   `json:"ns,omitempty"`
}

// maxAnswer bounds the answer to a page: JSON may take six bytes for a character that takes
// one or two in the page.
func maxAnswer(src int) int { return 1<<20 + 6*src }

// readAnswer reads the answer to a request. Errors other than those of the stream are
// driver.ErrAnswer.
func readAnswer(r *bufio.Reader, id int64, most int) (a Answer, err error) {
	broken := func(format string, args ...any) (Answer, error) {
		return a, fmt.Errorf("%w: "+format, append([]any{driver.ErrAnswer}, args...)...)
	}
	line, err := readLine(r, most)
	if errors.Is(err, errLong) {
		return broken("%w", err)
	}
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return broken("%.80q: %w", line, err)
	}
	if a.ID == nil || *a.ID != id {
		return broken("%.80q answers another page than %d", line, id)
	}
	forms := 0
	for _, form := range []*string{a.Text, a.HTML, a.Markdown} {
		if form != nil {
			forms++
		}
	}
	if a.Error == "" && a.Declined == "" && forms != 1 {
		return broken("%.80q has %d of text, html and markdown, want one", line, forms)
	}
	return a, nil
}

var errLong = errors.New("the line is too long")

// readLine reads a line of at most most bytes.
func readLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, fmt.Errorf("%w: more than %d bytes", errLong, most)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case err == io.EOF && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// tail keeps the end of what a program writes to its standard error.
type tail struct{ end []byte }

const maxTail = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.end = append(t.end, p[max(0, len(p)-maxTail):]...)
	t.end = t.end[max(0, len(t.end)-maxTail):]
	return len(p), nil
}
