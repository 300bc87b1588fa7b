package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
)

// post extracts the page in the body of a request.
func (s *Server) post(w http.ResponseWriter, r *http.Request) error {
	q, media, err := s.prepare(r)
	if err != nil {
		return err
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.options.Time))
	html, contentType, err := s.body(w, r)
	if err != nil {
		return err
	}
	return s.answer(w, r, q, html, contentType, q.url, media)
}

// get extracts a page of a web server.
func (s *Server) get(w http.ResponseWriter, r *http.Request) error {
	if !s.options.Fetch {
		return failed(http.StatusForbidden, "this server fetches no pages (winnow api --fetch does): send the page with POST")
	}
	q, media, err := s.prepare(r)
	switch {
	case err != nil:
		return err
	case q.url == "":
		return failed(http.StatusBadRequest, "the query has no url")
	}
	got, err := blob.Fetch(r.Context(), q.url, blob.FetchOptions{MaxBytes: s.options.MaxPage, Time: s.options.Time, AllowPrivate: s.options.AllowPrivate})
	switch {
	case errors.Is(err, blob.ErrPrivate):
		return failed(http.StatusForbidden, "%w", err)
	case err != nil:
		return failed(http.StatusBadGateway, "%w", err)
	case got.Cut:
		return s.tooLarge()
	}
	return s.answer(w, r, q, got.Body, got.ContentType, got.URL, media)
}

// prepare checks what can be checked of a request without its body.
func (s *Server) prepare(r *http.Request) (*wanted, string, error) {
	q, err := parseQuery(r)
	if err != nil {
		return nil, "", err
	}
	media := accepted(r.Header.Values("Accept"))
	if media == "" {
		return nil, "", failed(http.StatusNotAcceptable, "the answer may be %q: Accept wants none of these", offers)
	}
	return q, media, nil
}

func (s *Server) tooLarge() error {
	return failed(http.StatusRequestEntityTooLarge, "the page is larger than %d bytes (winnow api --max-page)", s.options.MaxPage)
}

// body reads the page in a request, which is its body or the part "page" of a form.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (html []byte, contentType string, err error) {
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return nil, "", failed(http.StatusUnsupportedMediaType, "Content-Encoding %.20q: send the page without compression", e)
	}
	const formBytes = 64 << 10 // boundaries and headers of a form
	r.Body = http.MaxBytesReader(w, r.Body, s.options.MaxPage+formBytes)
	contentType = r.Header.Get("Content-Type")
	var from io.Reader = r.Body
	if form, err := r.MultipartReader(); err == nil {
		part, err := findPage(form)
		if err != nil {
			return nil, "", s.bodyError(err)
		}
		from, contentType = part, part.Header.Get("Content-Type")
	} else if !errors.Is(err, http.ErrNotMultipart) {
		return nil, "", failed(http.StatusBadRequest, "%w", err)
	}
	var page bytes.Buffer
	const believed = 1 << 20 // bytes reserved at most because a client announced them
	page.Grow(int(min(max(r.ContentLength, 0), believed)) + bytes.MinRead)
	if _, err := page.ReadFrom(io.LimitReader(from, s.options.MaxPage+1)); err != nil {
		return nil, "", s.bodyError(err)
	}
	if int64(page.Len()) > s.options.MaxPage {
		return nil, "", s.tooLarge()
	}
	return page.Bytes(), contentType, nil
}

// bodyError returns the error of a body that could not be read.
func (s *Server) bodyError(err error) error {
	var long *http.MaxBytesError
	var f *failure
	switch {
	case errors.As(err, &f):
		return err
	case errors.As(err, &long):
		return s.tooLarge()
	}
	return failed(http.StatusBadRequest, "the body could not be read within %v: %w", s.options.Time, err)
}

// findPage returns the part of a form that has the page.
func findPage(form *multipart.Reader) (*multipart.Part, error) {
	for {
		part, err := form.NextPart()
		switch {
		case err == io.EOF:
			return nil, failed(http.StatusBadRequest, `the form has no part "page"`)
		case err != nil:
			return nil, err
		case part.FormName() == "page":
			return part, nil
		}
	}
}

// answer extracts a page and writes the answer in the media type that was chosen.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, q *wanted, html []byte, contentType, url, media string) error {
	f := map[string]form{"text/plain": formText, "text/markdown": formMarkdown, "text/html": formHTML, "application/json": q.form}[media]
	a, err := s.extract(r.Context(), q, html, contentType, url, f)
	if err != nil {
		return err
	}
	body := endsInNewline(a.Text)
	if media == "application/json" {
		if body, err = json.Marshal(a); err != nil {
			return err
		}
		body = append(body, '\n')
	}
	h := w.Header()
	h.Set("Content-Type", media+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Vary", "Accept")
	h.Set("X-Content-Type-Options", "nosniff")
	// The page is a stranger's: nothing of it may run or load in a browser.
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if a.Cut {
		h.Set("Winnow-Cut", "true")
	}
	w.Write(body) // an error means that the client has gone
	return nil
}
