package winnow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact/language"
	"github.com/winnow/winnow/algorithms/fact/metadata"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite/pagelevel"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/source/payload/charset"
)

// Comments says what happens to readers' comments.
type Comments string

const (
	CommentsAuto    Comments = "auto"    // left out, except on pages that are discussions
	CommentsInclude Comments = "include" // part of the text
	CommentsExclude Comments = "exclude" // left out
)

// Options say what is extracted, and within which bounds. The zero Options are the defaults.
type Options struct {
	// URL is the address of the page. It makes links absolute, and some extractors and the
	// date of the page read it. The url of Extractor.Extract takes its place.
	URL string
	// ContentType is the Content-Type field of the HTTP response, such as "text/html;
	// charset=shift_jis". Empty means HTML in the charset that the page itself shows.
	ContentType string
	// Comments is of the extractor "winnow"; default CommentsAuto.
	Comments Comments
	// NoLinks leaves out the addresses of links and images in Markdown and HTML. The text of
	// links stays.
	NoLinks bool

	// Extractor is the name of the extractor, one of Extractors; default "winnow".
	Extractor string
	// Settings are those of the extractor, by name: see algorithms/README.md.
	Settings map[string]string
	// Own is an extractor of your own, which runs instead of the one that Extractor names.
	Own *algorithms.Extractor

	Limits Limits
}

// Limits bound what a page may cost. A page beyond a limit is cut there, and Result.Cut is
// true. Zeros are the defaults.
type Limits struct {
	Bytes int // size of the page, before its charset is decoded; default 16 MiB
	Nodes int // nodes of its tree; default 1,048,576
	Text  int // bytes of text in its source; default 4 MiB
	// Time is how long an extractor may run until Extract returns ErrTime. Winnow's own
	// extractors limit their work by counting, so the default is no clock. With a limit,
	// each page takes a goroutine and a copy of the page; one that never returns keeps both.
	Time time.Duration
}

// Errors of Extract. Others are those of the reader, or name a defect of the extractor.
var (
	// ErrNotHTML means that the content type is not HTML, or that the bytes are those of
	// another format, such as an image or a compressed file.
	ErrNotHTML = errors.New("winnow: not an HTML page")
	// ErrTooLarge means that the page exceeds what the extractor takes, after all Limits.
	ErrTooLarge = errors.New("winnow: the page is too large for the extractor")
	ErrTime     = errors.New("winnow: the time of the page is over")
)

// Extractors returns the names of all extractors that Options.Extractor may name.
func Extractors() []string {
	var names []string
	for _, e := range pagelevel.Extractors() {
		names = append(names, e.Name)
	}
	return names
}

// Extract returns the main content of the page that r holds. To extract many pages, use New.
func Extract(r io.Reader, opt Options) (*Result, error) {
	e, err := New(opt)
	if err != nil {
		return nil, err
	}
	src, err := io.ReadAll(io.LimitReader(r, int64(e.opt.Limits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("winnow: read the page: %w", err)
	}
	return e.Extract(src, opt.URL)
}

// Extractor extracts one page after another in the same memory. It belongs to one goroutine
// at a time.
type Extractor struct {
	opt     Options
	media   charset.MediaType
	driver  *driver.Driver
	decoder charset.Decoder
	copied  []byte // the page, if there is a limit of time
	writer  *markup.Writer
	pages   uint64 // number of the present page
}

// New returns an Extractor. The error says which option is wrong.
func New(opt Options) (*Extractor, error) {
	if opt.Limits.Bytes <= 0 {
		opt.Limits.Bytes = 16 << 20
	}
	e := &Extractor{opt: opt, media: charset.MediaType{Name: "text/html"}}
	if opt.ContentType != "" {
		e.media, _ = charset.ParseMediaType([]byte(opt.ContentType))
	}
	method, err := choose(opt)
	if err != nil {
		return nil, err
	}
	config := driver.Config{
		Extractors: []*algorithms.Extractor{method},
		Page:       page.Options{Bounds: html.Bounds{MaxNodes: opt.Limits.Nodes, MaxText: opt.Limits.Text}},
		MethodTime: opt.Limits.Time, TextTime: opt.Limits.Time,
	}
	if opt.Limits.Time <= 0 {
		config.MethodTime = -1
	}
	config.Facts = append(config.Facts, metadata.Fact, language.Fact)
	if e.driver, err = driver.New(config); err != nil {
		return nil, fmt.Errorf("winnow: %w", err)
	}
	return e, nil
}

// standard is the extractor that has the best results on pages of all kinds.
const standard = "winnow"

// choose returns the extractor that the options name.
func choose(opt Options) (*algorithms.Extractor, error) {
	if opt.Extractor == "" {
		opt.Extractor = standard
	}
	if opt.Own != nil {
		if opt.Own.Learn != nil || opt.Own.Oracle {
			return nil, fmt.Errorf("winnow: extractor %s needs more than one page", opt.Own.Name)
		}
		return opt.Own, nil
	}
	list := pagelevel.Extractors()
	i := slices.IndexFunc(list, func(e *algorithms.Extractor) bool { return e.Name == opt.Extractor })
	if i < 0 {
		return nil, fmt.Errorf("winnow: no extractor %q; there are: %q", opt.Extractor, Extractors())
	}
	settings := map[string]string{}
	for name, value := range opt.Settings {
		settings[name] = value
	}
	if opt.Comments != "" {
		settings["comments"] = string(opt.Comments)
	}
	switch {
	case len(settings) == 0:
		return list[i], nil
	case list[i].With == nil:
		return nil, fmt.Errorf("winnow: extractor %s has no settings", opt.Extractor)
	}
	changed, err := list[i].With(settings)
	if err != nil {
		return nil, fmt.Errorf("winnow: %w", err)
	}
	return changed, nil
}

// Extract returns the main content of a page. html is in any charset, and must not change
// until the methods of the Result have been called. A page with nothing in it has an empty
// Text and no error.
func (e *Extractor) Extract(html []byte, url string) (*Result, error) {
	e.pages++
	if url == "" {
		url = e.opt.URL
	}
	if !e.media.Unknown() && !e.media.HTML() {
		return nil, ErrNotHTML
	}
	cut := len(html) > e.opt.Limits.Bytes
	html = html[:min(len(html), e.opt.Limits.Bytes)]
	if charset.IsBinary(html) {
		return nil, ErrNotHTML
	}
	if e.opt.Limits.Time > 0 {
		e.copied = append(e.copied[:0], html...)
		html = e.copied
	}
	text := e.decoder.Decode(html, e.media.Charset)
	r, err := e.driver.Page(context.Background(), driver.Input{HTML: text.HTML, URL: url})
	if r != nil && r.Stuck || errors.Is(err, driver.ErrTime) { // a goroutine may read the page for ever
		e.copied, e.decoder = nil, charset.Decoder{}
	}
	switch {
	case errors.Is(err, driver.ErrTime):
		return nil, ErrTime
	case err != nil:
		return nil, fmt.Errorf("winnow: %w", err)
	}
	x := &r.Extractions[0]
	switch {
	case x.Reason == algorithms.ReasonTimeout:
		return nil, ErrTime
	case x.Reason == algorithms.ReasonTooLarge:
		return nil, ErrTooLarge
	case x.Outcome == algorithms.Failed || x.Outcome == algorithms.Skipped:
		return nil, fmt.Errorf("winnow: extractor %s: %s: %s", x.Extractor.Name, x.Reason, x.Detail)
	}
	result := &Result{Text: string(x.Text), Confidence: float64(x.Confidence), Cut: cut || r.Page.Cut != 0,
		extractor: e, number: e.pages, url: url, page: r.Page, selection: &x.Selection, probabilities: x.Probabilities}
	for i, c := range metadata.Fact.Page.Columns {
		result.set(c.Name, r.Facts[i].Text)
	}
	result.Language = x.Facts[0].Text
	return result, nil
}
