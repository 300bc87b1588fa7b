package source

import (
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/source/payload/charset"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// MaxURL bounds the characters of a URL and of a record id. Hostile ones may be as long as a
// record may be.
const MaxURL = 8 << 10

// Page is one HTML document: where it comes from, how it was decoded, and its gold.
type Page struct {
	// HTML is UTF-8. If something may read it after the next call of Next, the caller sets
	// HTML to nil, and WARC does not use its buffer again.
	HTML []byte

	File     string // Options.Name
	Location schemas.Location
	Length   int64 // bytes of the record in the file; 0 if it shares a unit with others
	Whole    bool  // the page is a separate file, so Location is not set

	URL      string
	RecordID string
	Date     time.Time // zero if it is not known
	Status   int       // HTTP status of the response, 0 if there is none
	// Fields are those of the response that say something about the page.
	Fields []payload.Field
	// Index has the fields of the index line that led to the record, named as the columns of
	// Common Crawl's table.
	Index []payload.Field

	Flags         warc.Flags
	Decoded       payload.Flags
	Charset       string
	CharsetSource charset.Source
	Replaced      int // number of replacement characters inserted for invalid bytes

	Gold *schemas.Gold // nil if the input has none for the page
}

// take fills the page from a record and its decoded document. It does not copy HTML.
func (p *Page) take(file string, rec *warc.Record, doc *payload.Document) {
	*p = Page{
		HTML: doc.HTML,
		File: file, Location: schemas.Location{Offset: rec.Offset, Ordinal: rec.Ordinal}, Length: rec.Length,
		URL: rec.TargetURI, RecordID: rec.RecordID, Date: dateOf(rec), Status: doc.Status, Fields: doc.Fields,
		Flags: rec.Flags, Decoded: doc.Flags, Charset: doc.Charset, CharsetSource: doc.CharsetSource, Replaced: doc.Replaced,
	}
}

// dateOf returns the date of a record. Archives must have one, and the beginning of 1970 is
// what packed pages and other programs write if it is not known.
func dateOf(rec *warc.Record) time.Time {
	if rec.Date.Unix() == 0 {
		return time.Time{}
	}
	return rec.Date
}

// Name returns the name of the page's record in a file that is called file: this name, the
// offset and the ordinal. PageID returns its hash, see schemas.Page.
func (p *Page) Name(file string) string {
	return fmt.Sprintf("%s:%d:%d", file, p.Location.Offset, p.Location.Ordinal)
}

func (p *Page) PageID(file string) uint64 { return xxhash.Sum64String(p.Name(file)) }

// HashAddress returns the hash of the address of a page (schemas.Capture).
func HashAddress(url string) uint64 { return xxhash.Sum64String(url) }

// Dated returns the date of the page's record as RFC 3339 text, "" if it is not known.
func (p *Page) Dated() string {
	if p.Date.IsZero() {
		return ""
	}
	return p.Date.Format(time.RFC3339)
}

// Address returns the URL of the page. The record of a page that was packed without a URL
// names it by a URN; the URL is then taken from the gold, if the gold has one.
func (p *Page) Address() string {
	if p.Gold != nil && p.Gold.URL != "" && strings.HasPrefix(p.URL, "urn:") {
		return p.Gold.URL
	}
	return p.URL
}
