package isolate

import (
	"bufio"
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
	debug.SetMemoryLimit(limit * 3 / 4) // collect harder before giving up
	runtime.GOMAXPROCS(2)               // one for the library, one for the collector and the watch
	go watch(limit)
	return serve(os.Stdin, os.Stdout, extractors)
}

func serve(in io.Reader, out io.Writer, extractors []*algorithms.Extractor) int {
	byName := make(map[string]*algorithms.Extractor, len(extractors))
	for _, e := range extractors {
		byName[e.Name] = e
	}
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	for {
		name, url, src, err := readRequest(r)
		if err == io.EOF {
			return 0
		}
		if err != nil {
			return 1
		}
		status, text := answer(byName[name], src, url)
		if writeAnswer(w, status, text) != nil || w.Flush() != nil {
			return 1
		}
	}
}

func answer(e *algorithms.Extractor, src []byte, url string) (status byte, text string) {
	if e == nil || e.Text == nil {
		return statusError, "isolate: no such wrapped extractor"
	}
	defer func() {
		if v := recover(); v != nil {
			status, text = statusPanic, fmt.Sprint(v)
		}
	}()
	text, err := e.Text(src, url)
	if err != nil {
		return statusError, err.Error()
	}
	return statusText, text
}

// watch ends the process when its live heap passes limit. Garbage alone cannot
// get there: the memory limit set above makes the collector run before.
func watch(limit int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		metrics.Read(sample)
		if sample[0].Value.Uint64() > uint64(limit) {
			os.Exit(exitMemory)
		}
	}
}
