package winnow

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
)

// Main is the whole main function of a program that has extractors of your own. The command
// winnow runs such a program beside its own extractors, over any crawl and on any cluster:
//
//	func main() { winnow.Main(paragraphs) }
//
//	winnow run --extractors winnow,paragraphs --extractor-command 'paragraphs=./myprogram paragraphs' INPUT...
//
// The argument of the program is the name of one of the extractors. Main speaks the extractor
// protocol (docs/reference/extractor-protocol.md) on standard input and output until the input
// ends, and then ends the program.
func Main(extractors ...*algorithms.Extractor) {
	os.Exit(serve(extractors, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// serve is Main without the process. It returns the exit code.
func serve(extractors []*algorithms.Extractor, args []string, in io.Reader, out, failures io.Writer) int {
	var names []string
	for _, own := range extractors {
		if len(args) == 1 && args[0] == own.Name {
			if err := answerAll(own, in, out); err != nil {
				fmt.Fprintln(failures, err)
				return 1
			}
			return 0
		}
		names = append(names, own.Name)
	}
	fmt.Fprintf(failures, "usage: PROGRAM NAME, where NAME is one of: %s\n", strings.Join(names, ", "))
	return 2
}

// answerAll greets and answers pages until there are no more. An error is one of a stream.
func answerAll(own *algorithms.Extractor, in io.Reader, out io.Writer) error {
	// The source of a page is decoded already, whatever charset it names itself.
	e, err := New(Options{Own: own, ContentType: "text/html; charset=utf-8"})
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	type greeting struct {
		Protocol int    `json:"protocol"`
		Name     string `json:"name"`
		Version  string `json:"version"`
		Citation string `json:"citation"`
	}
	if err := lines.Encode(greeting{1, own.Name, version(), strings.Join([]string{own.Cite.Authors, own.Cite.Title}, ": ")}); err != nil {
		return fmt.Errorf("winnow: write the greeting: %w", err)
	}
	for pages := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)); ; {
		var q struct {
			ID        int64
			URL, HTML string
		}
		if err := pages.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("winnow: read a page: %w", err)
		}
		a := struct {
			ID    int64  `json:"id"`
			Text  string `json:"text"`
			Error string `json:"error,omitempty"`
			NS    int64  `json:"ns"`
		}{ID: q.ID}
		began := time.Now()
		result, err := e.Extract([]byte(q.HTML), q.URL)
		if a.NS = time.Since(began).Nanoseconds(); err != nil {
			a.Error = err.Error()
		} else {
			a.Text = result.Text
		}
		if err := lines.Encode(&a); err != nil {
			return fmt.Errorf("winnow: write an answer: %w", err)
		}
	}
}

// version returns that of the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}
