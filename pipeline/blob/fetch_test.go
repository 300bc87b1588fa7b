package blob_test

import (
	"compress/gzip"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
)

// A page is fetched within bounds: its size, its time, its redirects and their schemes, and
// the addresses of servers.
func TestFetch(t *testing.T) {
	ended := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write([]byte(strings.Repeat("a", 1000)))
		z.Close()
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page?x=1", http.StatusFound) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	defer close(ended)
	allowed := blob.FetchOptions{AllowPrivate: true}
	got, err := blob.Fetch(t.Context(), s.URL+"/moved", allowed)
	if err != nil || len(got.Body) != 1000 || got.Cut || got.URL != s.URL+"/page?x=1" || got.ContentType != "text/html; charset=iso-8859-1" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = blob.Fetch(t.Context(), s.URL+"/page", blob.FetchOptions{AllowPrivate: true, MaxBytes: 999})
	if err != nil || len(got.Body) != 999 || !got.Cut {
		t.Errorf("a page that is too large: %+v, %v", got, err)
	}
	for _, c := range []struct {
		url, want string
		opt       blob.FetchOptions
	}{
		{s.URL + "/none", "the server answers 404 Not Found", allowed},
		{s.URL + "/loop", "more than 10", allowed},
		{s.URL + "/file", "by http or https only", allowed},
		{s.URL + "/slow", "no complete answer within 50ms", blob.FetchOptions{AllowPrivate: true, Time: 50 * time.Millisecond}},
		{"ftp://h.example/x", "by http or https only", allowed},
		{"http://u:secret@h.example/%zz", "not a valid URL", allowed},
		{s.URL + "/page", "only this machine or its network can reach", blob.FetchOptions{}},
		{"http://169.254.169.254/latest/meta-data", "only this machine or its network can reach", blob.FetchOptions{}},
		{"http://[::1]:80/", "only this machine or its network can reach", blob.FetchOptions{}},
	} {
		got, err := blob.Fetch(t.Context(), c.url, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v, want %s", c.url, got, err, c.want)
		}
		if errors.Is(err, blob.ErrPrivate) != (c.opt == blob.FetchOptions{}) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}
