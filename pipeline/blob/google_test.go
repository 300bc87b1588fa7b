package blob_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

// uploads is a server of Google's protocol for uploads in sessions, as the
// documentation describes it. It loses parts and answers, which fake-gcs-server, the
// server of the other tests, never does.
type uploads struct {
	mu     sync.Mutex
	url    string
	data   []byte // what the session has received
	object []byte // once it is complete
	puts   int
	// fault may disturb request number n (from 1) that sends bytes: the server keeps
	// only the first keep of them, and answers with status, or not at all if status is
	// 0.
	fault func(n, bytes int) (keep, status int, faulty bool)
}

func (s *uploads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet { // the bucket is listed
		io.WriteString(w, "{}")
		return
	}
	if r.Method == http.MethodPost {
		w.Header().Set("Location", s.url+"/session")
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	span, total, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Content-Range"), "bytes "), "/")
	if span != "*" {
		var from, last int
		fmt.Sscanf(span, "%d-%d", &from, &last)
		if from > len(s.data) || last-from+1 != len(body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.puts++
		keep, status, faulty := len(body), 0, false
		if s.fault != nil {
			keep, status, faulty = s.fault(s.puts, len(body))
		}
		s.data = append(s.data[:from], body[:keep]...)
		s.complete(total)
		if faulty && status == 0 {
			panic(http.ErrAbortHandler)
		}
		if faulty {
			w.WriteHeader(status)
			return
		}
	}
	if s.complete(total); s.object != nil {
		io.WriteString(w, "{}")
		return
	}
	if len(s.data) > 0 {
		w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", len(s.data)-1))
	}
	w.WriteHeader(http.StatusPermanentRedirect)
}

func (s *uploads) complete(total string) {
	if n, err := strconv.Atoi(total); err == nil && n == len(s.data) {
		s.object = append([]byte{}, s.data...)
	}
}

func TestGoogleUploadGoesOnAfterFaults(t *testing.T) {
	const part = 5 << 20
	all := func(n int) int { return n }
	half := func(n int) int { return n / 2 }
	none := func(int) int { return 0 }
	tests := []struct {
		name   string
		size   int
		part   int // number of the disturbed part
		keep   func(int) int
		status int
	}{
		{"no fault", 2*part + 17, 0, nil, 0},
		{"nothing to upload", 0, 0, nil, 0},
		{"whole parts", 2 * part, 0, nil, 0},
		{"first part lost", 2*part + 17, 1, none, 0},
		{"half of a part lost", 2*part + 17, 2, half, 0},
		{"answer lost", 2*part + 17, 2, all, 0},
		{"answer to the last part lost", 2*part + 17, 3, all, 0},
		{"server busy", 2*part + 17, 2, none, http.StatusServiceUnavailable},
		{"server busy, half taken", 17, 1, half, http.StatusServiceUnavailable},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			s := new(uploads)
			if x.part > 0 {
				s.fault = func(n, bytes int) (int, int, bool) {
					if n == x.part {
						return x.keep(bytes), x.status, true
					}
					return bytes, 0, false
				}
			}
			server := httptest.NewServer(s)
			defer server.Close()
			s.url = server.URL
			t.Setenv("STORAGE_EMULATOR_HOST", server.URL)
			data := noise(x.size)
			store := openStore(t, newClient(t, impatient), "gs://crawl/out")
			if _, err := blob.WriteNew(t.Context(), store, "a", data); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(s.object, data) || s.object == nil {
				t.Errorf("the server has %d bytes (complete: %v), want %d", len(s.object), s.object != nil, len(data))
			}
		})
	}
}

// TestSettingsOfBuckets checks that settings that a store does not have are errors, and
// that a SAS token is sent only to the server of its own account.
func TestSettingsOfBuckets(t *testing.T) {
	t.Setenv("AZURE_STORAGE_ACCOUNT", "mine")
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "sig=secret")
	t.Setenv("AZURE_STORAGE_KEY", "")
	t.Setenv("STORAGE_EMULATOR_HOST", "127.0.0.1:1")
	for url, words := range map[string]string{
		"s3://crawl/out?regoin=eu-west-1":             `unknown setting "regoin"`,
		"s3://crawl/out?region=x&use_path_style=yess": "use_path_style=yess",
		"gs://crawl/out?region=eu-west-1":             `unknown setting "region"`,
		"azblob://crawl/out?region=eu-west-1":         `unknown setting "region"`,
		"azblob://crawl/out?protocol=ftp":             `protocol "ftp"`,
		"azblob://crawl/out?domain=evil.example":      "may not name another server",
		"azblob://crawl/out?storage_account=other":    "may not name another server",
	} {
		_, err := newClient(t, impatient).Store(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %q", url, err, words)
		}
	}
}
