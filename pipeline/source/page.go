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

// retained is the largest page buffer that is kept for the next page.
const retained = 4 << 20

// Page is one HTML document: where it comes from, how it was decoded, and its gold.
type Page struct {
	HTML []byte // UTF-8

	File     string // Options.Name
	Location schemas.Place
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

// take fills the page from a record and what was decoded of it. HTML is copied into the
// page's own buffer: the reader and the decoder use theirs again.
func (p *Page) take(file string, rec *warc.Record, doc *payload.Document) {
	if cap(p.HTML) > retained {
		p.HTML = nil
	}
	*p = Page{
		HTML: append(p.HTML[:0], doc.HTML...),
		File: file, Location: schemas.Place{Offset: rec.Offset, Ordinal: rec.Ordinal}, Length: rec.Length,
		URL: rec.TargetURI, RecordID: rec.RecordID, Date: rec.Date, Status: doc.Status,
		Flags: rec.Flags, Decoded: doc.Flags, Charset: doc.Charset, CharsetSource: doc.CharsetSource, Replaced: doc.Replaced,
	}
}

// clip makes a text from a crawl fit for a row of a table.
func clip(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
