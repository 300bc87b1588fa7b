package source

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// document is a page in a separate file, with its gold if it has any.
type document struct {
	html        []byte // bytes as they are stored; valid until the next document is read
	contentType string // as a server would declare it
	url         string
	gold        *schemas.Gold
}

// documents is a Source of pages that are separate files. Each document is decoded before
// the next one is read, so nothing is copied.
type documents struct {
	name string // name of the input
	next func() (document, error)

	decoder payload.Decoder
	now     document
	rec     warc.Record
	page    Page
	ready   bool // the next step is Ready
	failure schemas.Failure
	account Account
}

var _ Source = (*documents)(nil)

// Next implements Source. A *gold.DocumentError affects only its own document.
func (s *documents) Next() (step Step, err error) {
	if s.ready {
		s.ready = false
		return Ready, nil
	}
	s.now, err = s.next()
	var lost *gold.DocumentError
	switch {
	case errors.As(err, &lost):
		s.failure = schemas.Failure{File: lost.File, Offset: -1, Stage: "read", Reason: "document-bad", Severity: warc.Lost.String(), Detail: lost.Error()}
		return Failed, nil
	case err == io.EOF:
		return 0, err
	case err != nil:
		return 0, fmt.Errorf("read a document: %w", err)
	}
	s.rec = warc.Record{
		Address: warc.Address{Offset: -1}, Type: warc.TypeResource, TargetURI: schemas.Shorten(s.now.url, MaxURL),
		ContentType: s.now.contentType, Block: s.now.html, BlockSize: int64(len(s.now.html)),
	}
	return Candidate, nil
}

// Decode implements Source. The outcome is always a page, regardless of the content.
func (s *documents) Decode() (doc payload.Document, err error) {
	defer func() {
		if v := recover(); v != nil {
			doc, err = payload.Document{}, fmt.Errorf("%v\n%s", v, debug.Stack())
			s.decoder = payload.Decoder{Options: s.decoder.Options} // its state is unknown after a panic
		}
	}()
	_, charset, _ := strings.Cut(s.now.contentType, "charset=")
	doc = s.decoder.DecodeHTML(s.now.html, charset)
	s.page.take(s.name, &s.rec, &doc)
	s.page.Whole, s.page.Location, s.page.Gold = true, schemas.Location{}, s.now.gold
	s.ready = true
	return doc, nil
}

// Record implements Source.
func (s *documents) Record() *warc.Record { return &s.rec }

// Page implements Source.
func (s *documents) Page() *Page { return &s.page }

// Ahead implements Source. No document is read ahead.
func (s *documents) Ahead() string { return "" }

// Failure implements Source.
func (s *documents) Failure() *schemas.Failure { return &s.failure }

// Account implements Source.
func (s *documents) Account() Account { return s.account }
