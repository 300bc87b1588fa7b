// Command native extracts pages for the Python package, which starts it and keeps it: it reads
// questions from its standard input, answers each on its standard output, and ends with its
// input.
//
// A question is the length of its JSON (4 bytes, little endian), its JSON, and the page. An
// answer is a byte that says what it is, the lengths of its facts and of its content (4 bytes
// each), the facts as JSON, and the content.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/winnow/winnow"
)

// question is what is asked about a page.
type question struct {
	Method method
	Form   string // "text", "markdown" or "html"
	URL    string
	Size   int // bytes of the page
}

// method says how a page is extracted.
type method struct {
	Extractor string
	Comments  winnow.Comments
	Decoded   bool // the page was a string of Python, so it is UTF-8 whatever it says of itself
}

// facts are what a page says of itself, by the names that Python programs know them by.
type facts struct {
	Title       string  `json:"title,omitempty"`
	Author      string  `json:"author,omitempty"`
	Description string  `json:"description,omitempty"`
	Site        string  `json:"sitename,omitempty"`
	Date        string  `json:"date,omitempty"`
	Modified    string  `json:"modified,omitempty"`
	Language    string  `json:"language,omitempty"`
	Confidence  float64 `json:"confidence"`
	Cut         bool    `json:"cut"`
}

// What an answer is; extractor.py has the exceptions that belong to them.
const (
	content byte = iota
	notHTML
	tooLarge
	wrongOption
	failed
)

func main() {
	// Each process answers one question at a time. A collector of garbage that runs beside it
	// on a second core would take that core from the process of the next thread.
	runtime.GOMAXPROCS(1)
	// Little memory is in use between pages, so that collecting less often does not take much more.
	debug.SetGCPercent(400)
	signal.Ignore(os.Interrupt) // ctrl-C is for the Python program, which closes the input
	if err := answerAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "winnow:", err)
		os.Exit(1)
	}
}

// answerAll answers questions until there are no more.
func answerAll(r io.Reader, w io.Writer) error {
	in, out := bufio.NewReader(r), bufio.NewWriterSize(w, 1<<16)
	extractors := map[method]*winnow.Extractor{}
	var length [4]byte
	var header, page []byte
	for {
		if _, err := io.ReadFull(in, length[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		header = resized(header, int(binary.LittleEndian.Uint32(length[:])))
		if _, err := io.ReadFull(in, header); err != nil {
			return err
		}
		var q question
		if err := json.Unmarshal(header, &q); err != nil {
			return err
		}
		page = resized(page, q.Size)
		if _, err := io.ReadFull(in, page); err != nil {
			return err
		}
		said, f, text := answer(extractors, &q, page)
		out.WriteByte(said)
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(f))))
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
		out.Write(f)
		out.WriteString(text)
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// answer extracts a page by the extractor of its method, which is made at the first such page.
func answer(extractors map[method]*winnow.Extractor, q *question, page []byte) (said byte, f []byte, text string) {
	e := extractors[q.Method]
	if e == nil {
		opt := winnow.Options{Extractor: q.Method.Extractor, Comments: q.Method.Comments}
		if q.Method.Decoded {
			opt.ContentType = "text/html; charset=utf-8"
		}
		var err error
		if e, err = winnow.New(opt); err != nil {
			return wrongOption, nil, err.Error()
		}
		extractors[q.Method] = e
	}
	r, err := e.Extract(page, q.URL)
	switch {
	case errors.Is(err, winnow.ErrNotHTML):
		return notHTML, nil, err.Error()
	case errors.Is(err, winnow.ErrTooLarge):
		return tooLarge, nil, err.Error()
	case err != nil:
		return failed, nil, err.Error()
	}
	switch q.Form {
	case "markdown":
		text = r.Markdown()
	case "html":
		text = r.HTML()
	default:
		text = r.Text
	}
	f, err = json.Marshal(facts{r.Title, r.Author, r.Description, r.Site, day(r.Published), day(r.Modified),
		r.Language, r.Confidence, r.Cut})
	if err != nil {
		return failed, nil, err.Error()
	}
	return content, f, text
}

// day returns the day of a date, empty if there is none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
