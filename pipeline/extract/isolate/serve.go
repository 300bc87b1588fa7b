package isolate

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/winnow/winnow/algorithms"
)

// Requested reports whether this process was started by a Child. Such a
// process must call Serve at once and exit with what it returns.
func Requested() bool { return os.Getenv(environment) != "" }

// Serve answers requests from standard input for the extractors given until
// the input ends, and returns the exit code.
func Serve(extractors []*algorithms.Extractor) int {
	limit, err := strconv.ParseInt(os.Getenv(environment), 10, 64)
	if err != nil || limit <= 0 {
		return 2
	}
	// Libraries make garbage of many times the page's size and keep little of it, so
	// garbage is collected only when the heap comes near the limit. With six libraries on
	// the pages of wcxb-dev this takes 12 % less processor time than to collect whenever
	// the heap has grown to five times what is live.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit * 3 / 4)
	runtime.GOMAXPROCS(2)      // one for the library, one for the collector and the watch
	runtime.MemProfileRate = 0 // nobody reads a profile of this heap
	go watch(limit)
	return serve(os.Stdin, os.Stdout, extractors)
}

func serve(in io.Reader, out io.Writer, extractors []*algorithms.Extractor) int {
	byName := make(map[string]*algorithms.Extractor, len(extractors))
	for _, e := range extractors {
		byName[e.Name] = e
	}
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	var latest parsed
	for {
		name, url, src, err := readRequest(r)
		if err == io.EOF {
			return 0
		}
		if err != nil {
			return 1
		}
		if writeAnswer(w, latest.answer(byName[name], src, url)) != nil || w.Flush() != nil {
			return 1
		}
	}
}

// parsed holds the page that was parsed last.
type parsed struct {
	parser *algorithms.Parser
	src    []byte
	page   any
	spent  time.Duration
}

func (p *parsed) answer(e *algorithms.Extractor, src []byte, url string) (a answer) {
	if e == nil || e.Text == nil {
		return answer{status: statusError, text: "isolate: no such wrapped extractor"}
	}
	defer func() {
		if v := recover(); v != nil {
			*p = parsed{} // the library may have changed it in part
			a = answer{status: statusPanic, text: fmt.Sprint(v)}
		}
	}()
	if e.Parser == nil {
		*p = parsed{}
		return reply(e.Text(src, url))
	}
	if p.parser == e.Parser && bytes.Equal(p.src, src) {
		a = reply(e.FromParsed(p.page, url))
		a.shared = p.spent
		return a
	}
	*p = parsed{} // release the old page before the new one is parsed
	began := time.Now()
	page, err := e.Parser.Parse(src)
	if err != nil {
		return reply("", err)
	}
	*p = parsed{e.Parser, src, page, time.Since(began)}
	return reply(e.FromParsed(page, url))
}

func reply(text string, err error) answer {
	if err != nil {
		return answer{status: statusError, text: err.Error()}
	}
	return answer{status: statusText, text: text}
}

// watch ends the process when its live heap exceeds limit. Garbage alone cannot exceed
// it, because the memory limit that Serve sets makes the collector run earlier.
func watch(limit int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		metrics.Read(sample)
		if sample[0].Value.Uint64() > uint64(limit) {
			os.Exit(exitMemory)
		}
	}
}
