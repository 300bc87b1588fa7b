// Command python measures the Python package beside the Go library and beside extractors of
// other people that Python has, on the pages of a folder:
//
//	go -C eval run ./python --pages /data/wcxb-dev
//
// The contenders take turns at a few pages at a time, and the best of the rounds of each counts,
// so that what else the machine does counts for none. It builds the wheel. readability-lxml and
// trafilatura are measured if they are installed.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/winnow/winnow"
)

func main() {
	log.SetFlags(0)
	folder := flag.String("pages", "", "folder of pages ID.html")
	every := flag.Int("every", 1, "measure every nth page alone")
	turn := flag.Int("turn", 512, "pages of a contender's turn; with few, one of two threads waits for the other at the end of each turn")
	rounds := flag.Int("rounds", 5, "rounds")
	python := flag.String("python", "python3", "the interpreter")
	only := flag.String("contenders", strings.Join(contenders, ","), "what Python measures")
	flag.Parse()
	if err := measure(*folder, *every, *turn, *rounds, *python, strings.Split(*only, ",")); err != nil {
		log.Fatal(err)
	}
}

// contenders are the functions of contenders.py.
var contenders = []string{"winnow", "winnow_threads", "readability", "trafilatura"}

// contender is a process of Python that goes over some pages when it is asked.
type contender struct {
	name    string
	in      io.Writer
	out     *bufio.Reader
	seconds float64
}

// over returns the seconds that pages from to until take.
func (c *contender) over(from, until int) (float64, error) {
	fmt.Fprintln(c.in, from, until)
	line, err := c.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.name, err)
	}
	return strconv.ParseFloat(strings.TrimSpace(line), 64)
}

func measure(folder string, every, turn, rounds int, python string, names []string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no pages ID.html in %q (%v)", folder, err)
	}
	var pages [][]byte
	for i := 0; i < len(files); i += every {
		page, err := os.ReadFile(files[i])
		if err != nil {
			return err
		}
		pages = append(pages, page)
	}
	var list []*contender
	for _, name := range names {
		cmd := exec.Command(python, "python/contenders.py", name, folder, strconv.Itoa(every))
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		c := &contender{name: name, in: in, out: bufio.NewReader(out)}
		if line, err := c.out.ReadString('\n'); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		} else if line = strings.TrimSpace(line); line != "ready" {
			fmt.Printf("%s: %s\n", name, line)
			continue
		}
		list = append(list, c)
	}
	e, err := winnow.New(winnow.Options{})
	if err != nil {
		return err
	}
	var library float64
	for from := 0; from < len(pages); from += turn {
		until := min(from+turn, len(pages))
		least := make([]float64, len(list)+1) // of the rounds; the library is the last
		for round := range rounds {
			for i, c := range list {
				if round > 0 && least[i] > 10*least[len(list)] {
					continue // another round would say the same
				}
				took, err := c.over(from, until)
				if err != nil {
					return err
				}
				least[i] = shorter(round, least[i], took)
			}
			took, err := overPages(e, pages[from:until])
			if err != nil {
				return err
			}
			least[len(list)] = shorter(round, least[len(list)], took)
		}
		for i, c := range list {
			c.seconds += least[i]
		}
		library += least[len(list)]
	}
	fmt.Printf("%-16s %8s %s\n", "", "ms/page", "speed by the library's")
	for _, c := range append([]*contender{{name: "Go library", seconds: library}}, list...) {
		fmt.Printf("%-16s %8.2f %.2f\n", c.name, 1e3*c.seconds/float64(len(pages)), library/c.seconds)
	}
	return nil
}

func shorter(round int, least, took float64) float64 {
	if round == 0 {
		return took
	}
	return min(least, took)
}

// overPages returns the seconds that the library takes.
func overPages(e *winnow.Extractor, pages [][]byte) (float64, error) {
	began := time.Now()
	for _, page := range pages {
		if _, err := e.Extract(page, ""); err != nil {
			return 0, err
		}
	}
	return time.Since(began).Seconds(), nil
}
