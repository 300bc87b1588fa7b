package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// Line is a page of a batch.
type Line struct {
	ID   json.RawMessage `json:"id"` // any value; the answer has the same
	URL  string          `json:"url"`
	HTML *string         `json:"html"`
}

// LineAnswer is the answer to a line of a batch: the fields of Answer, or those of Problem.
type LineAnswer struct {
	Line int             `json:"line"` // from 1, blank lines included
	ID   json.RawMessage `json:"id,omitempty"`
	*Answer
	*Problem
}

// batch extracts the pages in the lines of a body, each a JSON object, and writes a line for
// each in the same order, while further lines are read. An error of a line is its answer.
func (s *Server) batch(w http.ResponseWriter, r *http.Request) error {
	q, err := parseQuery(r)
	if err != nil {
		return err
	}
	if q.url != "" {
		return failed(http.StatusBadRequest, "the url of a page in a batch stands in its line")
	}
	control := http.NewResponseController(w)
	if err := control.EnableFullDuplex(); err != nil && r.ProtoMajor == 1 {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")

	// One answer for each line, in order. The capacity bounds the lines in memory.
	answers := make(chan chan LineAnswer, s.options.Pages)
	stop := make(chan struct{}) // closed when the client does not read any more
	var working sync.WaitGroup
	working.Go(func() {
		defer close(answers)
		s.readLines(control, r, stop, func(number int, text []byte, problem error) bool {
			answer := make(chan LineAnswer, 1)
			select {
			case answers <- answer:
			case <-stop:
				return false
			}
			working.Go(func() { answer <- s.line(r, q, number, text, problem) })
			return true
		})
	})
	encoder := json.NewEncoder(w)
	gone := false
	for answer := range answers {
		a := <-answer
		if gone {
			continue
		}
		_ = control.SetWriteDeadline(time.Now().Add(s.options.Time))
		if err := errors.Join(encoder.Encode(a), control.Flush()); err != nil {
			gone = true
			close(stop)
			_ = control.SetReadDeadline(time.Now()) // ends a read that waits
		}
	}
	working.Wait()
	return nil
}

// line returns the answer to a line.
func (s *Server) line(r *http.Request, q *wanted, number int, text []byte, problem error) LineAnswer {
	var l Line
	a := LineAnswer{Line: number}
	err := problem
	if err == nil {
		if jerr := json.Unmarshal(text, &l); jerr != nil {
			err = failed(http.StatusBadRequest, "not an object with html and, optional, url and id: %w", jerr)
		} else if l.HTML == nil {
			err = failed(http.StatusBadRequest, "the line has no html")
		} else if int64(len(*l.HTML)) > s.options.MaxPage {
			err = s.tooLarge()
		}
	}
	a.ID = l.ID
	if err == nil {
		a.Answer, err = s.extract(r.Context(), q, []byte(*l.HTML), "text/html; charset=utf-8", l.URL, q.form)
	}
	if err != nil {
		a.Answer, a.Problem = nil, &Problem{Status: statusOf(err), Error: err.Error()}
	}
	return a
}

// readLines calls each for every line that is not blank, until it returns false. When the
// server begins to end or the body cannot be read, the last call has an error that says so.
func (s *Server) readLines(control *http.ResponseController, r *http.Request, stop <-chan struct{}, each func(number int, text []byte, problem error) bool) {
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-s.ending.Done():
			_ = control.SetReadDeadline(time.Now())
		case <-ended:
		}
	}()
	lines := bufio.NewReaderSize(r.Body, 64<<10)
	for number := 1; ; number++ {
		_ = control.SetReadDeadline(time.Now().Add(s.options.Time))
		if s.ending.Err() != nil {
			each(number, nil, failed(http.StatusServiceUnavailable, "%w: send this line and those after it again", errEnding))
			return
		}
		text, long, err := s.readLine(lines)
		if err != nil && err != io.EOF {
			select {
			case <-stop:
				return
			default:
			}
			switch {
			case s.ending.Err() != nil:
				err = failed(http.StatusServiceUnavailable, "%w: send this line and those after it again", errEnding)
			case errors.Is(err, os.ErrDeadlineExceeded):
				err = failed(http.StatusRequestTimeout, "the line did not arrive within %v", s.options.Time)
			default:
				err = failed(http.StatusBadRequest, "the body could not be read: %w", err)
			}
			each(number, nil, err)
			return
		}
		var problem error
		if long {
			problem = s.tooLarge()
		}
		if (long || len(bytes.TrimSpace(text)) > 0) && !each(number, text, problem) || err == io.EOF {
			return
		}
	}
}

// readLine returns the next line, with io.EOF if it is the last one. A line that is too long
// for a page is read to its end and left out.
func (s *Server) readLine(lines *bufio.Reader) (text []byte, long bool, err error) {
	limit := int(2*s.options.MaxPage) + 64<<10 // JSON writes line feeds and quotes as two bytes
	for {
		part, err := lines.ReadSlice('\n')
		if !long {
			text = append(text, part...)
		}
		if len(text) > limit {
			text, long = nil, true
		}
		if err != bufio.ErrBufferFull {
			return text, long, err
		}
	}
}
