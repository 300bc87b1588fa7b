package source

import (
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
)

// An archive must have a date for every record, so a date that is not known is written as
// the beginning of 1970. The page has none then.
func TestUnknownDate(t *testing.T) {
	known := time.Date(2013, 2, 17, 22, 15, 0, 0, time.UTC)
	for date, want := range map[time.Time]time.Time{known: known, time.Unix(0, 0).UTC(): {}, {}: {}} {
		var p Page
		p.take("crawl.warc", &warc.Record{Date: date}, &payload.Document{})
		if !p.Date.Equal(want) {
			t.Errorf("%v is %v, want %v", date, p.Date, want)
		}
	}
}
