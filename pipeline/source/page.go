package source

import (
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// MaxURL bounds the bytes of a URL and of a record id; hostile ones are as long as a
// record may be.
const MaxURL = 8 << 10

// Page is one HTML document: where it comes from, how it was decoded, and its gold.
type Page struct {
	// HTML is UTF-8. A caller that leaves it to something that may read it after the next
	// call of Next sets it to nil, and WARC does not use its buffer again.
	HTML []byte

	File     string // Options.Name
	Location schemas.Location
	Length   int64 // bytes of the record in the file; 0 if it shares a unit with others
	Whole    bool  // the page is a file of its own, so Location says nothing

	URL      string
	RecordID string
	Date     time.Time // zero if it is not known
	Status   int       // of the HTTP response, 0 if there is none

	Flags         warc.Flags
	Decoded       payload.Flags
	Charset       string
	CharsetSource payload.CharsetSource
	Replaced      int // replacement characters put in for what is no text

	Gold *schemas.Gold // nil if none came with it
}

// take fills the page from a record and what was decoded of it. HTML stays where the
// decoder left it.
func (p *Page) take(file string, rec *warc.Record, doc *payload.Document) {
	*p = Page{
		HTML: doc.HTML,
		File: file, Location: schemas.Location{Offset: rec.Offset, Ordinal: rec.Ordinal}, Length: rec.Length,
		URL: rec.TargetURI, RecordID: rec.RecordID, Date: rec.Date, Status: doc.Status,
		Flags: rec.Flags, Decoded: doc.Flags, Charset: doc.Charset, CharsetSource: doc.CharsetSource, Replaced: doc.Replaced,
	}
}

// Address is the URL of the page. A page that was packed without one has a record that
// names it by a URN, and perhaps gold that knows it.
func (p *Page) Address() string {
	if p.Gold != nil && p.Gold.URL != "" && strings.HasPrefix(p.URL, "urn:") {
		return p.Gold.URL
	}
	return p.URL
}

// clip makes a text from a crawl fit for a row of a table.
func clip(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
