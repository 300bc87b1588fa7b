package source

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
)

// A URL leads to a page, whose encoding the server may declare, or to an archive, which is
// recognised by its bytes.
func TestWebPage(t *testing.T) {
	a := newArchive(t)
	a.page()
	mux := http.NewServeMux()
	serve := func(path, contentType, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			http.ServeContent(w, r, "", time.Unix(1, 0), strings.NewReader(body))
		})
	}
	serve("/page", "text/html; charset=koi8-r", "<p>\xcb")
	serve("/archive", "application/octet-stream", a.buf.String())
	serve("/image", "text/html", "\x89PNG\x0d\x0a\x1a\x0a")
	s := httptest.NewServer(mux)
	defer s.Close()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	in := &Inputs{Blobs: blobs, Fetch: blob.FetchOptions{AllowPrivate: true, MaxBytes: 1000}}
	for path, want := range map[string]string{"/page": "<p>к", "/archive": "<p>page 1", "/image": "error: " + s.URL + "/image: it is not a page but image/png"} {
		if got := read(t, in, s.URL+path); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	in.Fetch.MaxBytes = 2
	if got := read(t, in, s.URL+"/page"); len(got) != 1 || !strings.Contains(got[0], "the page has more than 2 bytes (--max-page)") {
		t.Errorf("%q", got)
	}
	in.Fetch = blob.FetchOptions{}
	if got := read(t, in, s.URL+"/page"); len(got) != 1 || !strings.Contains(got[0], "--allow-private") {
		t.Errorf("%q", got)
	}
}
