package payload

import (
	"slices"
	"strings"
	"testing"
)

// TestFieldsOfThePage checks that the fields of a response that speak of the page are
// passed on in order, joined where they are folded, bounded, and not kept for the next.
func TestFieldsOfThePage(t *testing.T) {
	var d Decoder
	fields := func(head string) []Field {
		t.Helper()
		doc := d.Decode(Message{Kind: Response, Block: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + "\r\n<p>page</p>")})
		if doc.Outcome != Page {
			t.Fatalf("%q: %s", head, doc.Reason)
		}
		return doc.Fields
	}
	got := fields("X-Robots-Tag: noindex,\r\n  nofollow\r\nServer: x\r\nTDM-Reservation: 1\r\nx-robots-tag: otherbot: noarchive\r\nX-Archive-Orig-Link: a\r\nContent-Usage: train-ai=n\r\nContent-Signal: search=yes\r\n")
	want := []Field{{"x-robots-tag", "noindex, nofollow"}, {"tdm-reservation", "1"}, {"x-robots-tag", "otherbot: noarchive"}, {"content-usage", "train-ai=n"}, {"content-signal", "search=yes"}}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := fields("Server: x\r\n"); len(got) != 0 {
		t.Errorf("a response without such fields has %q", got)
	}
	got = fields(strings.Repeat("Link: "+strings.Repeat("x", maxKeptBytes+1)+"\r\n", maxKept+1)[:200<<10] + "\r\n")
	if len(got) == 0 || len(got) > maxKept || len(got[0].Value) != maxKeptBytes {
		t.Errorf("%d fields, the first of %d bytes", len(got), len(got[0].Value))
	}
}
