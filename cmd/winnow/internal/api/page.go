package api

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow/winnow"
	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

// Answer is what a page gives as JSON. Fields about which the page says nothing are left out.
type Answer struct {
	URL         string  `json:"url,omitempty"`
	Title       string  `json:"title,omitempty"`
	Author      string  `json:"author,omitempty"`
	Site        string  `json:"site,omitempty"`
	Description string  `json:"description,omitempty"`
	Language    string  `json:"language,omitempty"`
	Published   string  `json:"published,omitempty"` // RFC 3339
	Modified    string  `json:"modified,omitempty"`
	Confidence  float64 `json:"confidence,omitempty"`
	Cut         bool    `json:"cut,omitempty"`
	Text        string  `json:"text"` // written in the form that was asked for
}

// Problem is an error as JSON.
type Problem struct {
	Status int    `json:"status"`
	Error  string `json:"error"`
}

// form is how the main content is written.
type form string

const (
	formText     form = "text"
	formMarkdown form = "markdown"
	formHTML     form = "html"
)

// wanted is what the query of a request asks for.
type wanted struct {
	method method
	url    string
	form   form // form of the text in JSON
}

// parseQuery reads the query of a request. A parameter that does not exist is an error,
// because a misspelt one would be ignored silently.
func parseQuery(r *http.Request) (*wanted, error) {
	q := &wanted{form: formText, method: method{extractor: "winnow"}}
	query := r.URL.Query()
	for name, values := range query {
		v := values[0]
		switch {
		case len(values) > 1:
			return nil, failed(http.StatusBadRequest, "%.20q is in the query %d times", name, len(values))
		case name == "url":
			q.url = v
		case name == "extractor":
			q.method.extractor = v
		case name == "comments" && (v == "auto" || v == "include" || v == "exclude"):
			q.method.comments = winnow.Comments(v)
		case name == "links" && (v == "on" || v == "off"):
			q.method.noLinks = v == "off"
		case name == "format" && (v == "text" || v == "markdown" || v == "html"):
			q.form = form(v)
		default:
			return nil, failed(http.StatusBadRequest, "%.20s=%.20q in the query: want url, extractor, comments=auto|include|exclude, links=on|off or format=text|markdown|html", name, v)
		}
	}
	return q, nil
}

// untold are the types that clients such as curl send if the user does not state one.
var untold = []string{"application/octet-stream", "application/x-www-form-urlencoded"}

// extract extracts a page. The context ends the wait for a turn.
func (s *Server) extract(ctx context.Context, q *wanted, html []byte, contentType, url string, f form) (a *Answer, err error) {
	defer func() {
		outcome := "ok"
		switch {
		case err != nil:
			outcome = strconv.Itoa(statusOf(err))
		case a.Text == "":
			outcome = "empty"
		}
		s.metrics.pages.WithLabelValues(outcome).Inc()
	}()
	media, _ := charset.ParseMediaType([]byte(contentType))
	if !media.Unknown() && !media.HTML() && !slices.Contains(untold, media.Name) {
		return nil, failed(http.StatusUnsupportedMediaType, "%.40q is not HTML", media.Name)
	}
	if charset.IsBinary(html) { // before a decoder makes text of it
		return nil, failed(http.StatusUnsupportedMediaType, "%w", winnow.ErrNotHTML)
	}
	w, err := s.pool.take(ctx, q.method)
	if err != nil {
		return nil, err
	}
	healthy := false
	defer func() { s.pool.release(w, healthy) }()
	began := time.Now()
	a, err = w.extract(html, media.Charset, url, f)
	s.metrics.duration.Observe(time.Since(began).Seconds())
	s.metrics.bytes.Add(float64(len(html)))
	healthy = err == nil
	switch {
	case errors.Is(err, winnow.ErrNotHTML):
		return nil, failed(http.StatusUnsupportedMediaType, "%w", err)
	case errors.Is(err, winnow.ErrTooLarge):
		return nil, failed(http.StatusRequestEntityTooLarge, "%w", err)
	case errors.Is(err, winnow.ErrTime):
		return nil, failed(http.StatusServiceUnavailable, "%w: it may take %v", err, s.options.Time)
	}
	return a, err
}

func (w *worker) extract(html []byte, label, url string, f form) (*Answer, error) {
	r, err := w.extractor.Extract(w.decoder.Decode(html, label).HTML, url)
	if err != nil {
		return nil, err
	}
	a := &Answer{URL: url, Title: r.Title, Author: r.Author, Site: r.Site, Description: r.Description, Language: r.Language,
		Published: date(r.Published), Modified: date(r.Modified), Confidence: math.Round(r.Confidence*1e4) / 1e4, Cut: r.Cut}
	switch f {
	case formMarkdown:
		a.Text = r.Markdown()
	case formHTML:
		a.Text = r.HTML()
	default:
		a.Text = r.Text
	}
	return a, nil
}

func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// offers are the media types of an answer, the one that is taken without a wish first.
var offers = []string{"text/plain", "text/markdown", "text/html", "application/json"}

// accepted returns the offer that a client prefers by its Accept fields, or "" if it takes
// none (RFC 9110, 12.5.1).
func accepted(fields []string) string {
	if len(fields) == 0 {
		return offers[0]
	}
	best, bestQuality := "", 0.0
	for _, offer := range offers {
		quality, specific := 0.0, -1
		for _, want := range strings.Split(strings.Join(fields, ","), ",") {
			name, params, _ := strings.Cut(want, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			rank := map[string]int{"*/*": 0, offer[:strings.IndexByte(offer, '/')] + "/*": 1, offer: 2}
			r, matches := rank[name]
			if !matches || r < specific {
				continue
			}
			specific, quality = r, 1
			for p := range strings.SplitSeq(params, ";") {
				if v, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); is {
					quality, _ = strconv.ParseFloat(v, 64)
				}
			}
		}
		if quality > bestQuality {
			best, bestQuality = offer, quality
		}
	}
	return best
}

// endsInNewline returns a text as a file has it.
func endsInNewline(text string) []byte {
	if text == "" {
		return nil
	}
	return append(bytes.TrimRight([]byte(text), "\n"), '\n')
}
