package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// objectStore is an S3 server that fails when asked.
type objectStore struct {
	server  *httptest.Server
	backend *s3mem.Backend

	mu   sync.Mutex // guards the fields below
	mode string     // how it fails; "" if it does not
	rng  *rand.Rand
}

const bucketName = "tables"

func newObjectStore(seed uint64) (*objectStore, error) {
	s := &objectStore{backend: s3mem.New(), rng: rand.New(rand.NewPCG(seed, 3))}
	if err := s.backend.CreateBucket(bucketName); err != nil {
		return nil, err
	}
	inner := gofakes3.New(s.backend).Server()
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.fail(w, r) {
			inner.ServeHTTP(w, r)
		}
	}))
	return s, nil
}

// env holds what the programs need to use the store.
func (s *objectStore) env() []string {
	return []string{"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_REGION=eu-west-1", "AWS_EC2_METADATA_DISABLED=true"}
}

func (s *objectStore) url(prefix string) string {
	return "s3://" + bucketName + "/" + prefix + "?" + url.Values{"endpoint": {s.server.URL}, "use_path_style": {"true"}}.Encode()
}

func (s *objectStore) set(mode string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode = mode
}

// fail answers two of three requests in the current mode, and leaves the others to the
// store.
func (s *objectStore) fail(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	mode, hit := s.mode, s.rng.IntN(3) > 0
	s.mu.Unlock()
	if mode == "" || !hit {
		return false
	}
	answer := func(status int, code string) bool {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>%s</Code><Message>a fault of this test</Message></Error>`, code)
		return true
	}
	switch mode {
	case "503":
		return answer(http.StatusServiceUnavailable, "SlowDown")
	case "429":
		return answer(http.StatusTooManyRequests, "TooManyRequests")
	case "500":
		return answer(http.StatusInternalServerError, "InternalError")
	case "403":
		return answer(http.StatusForbidden, "AccessDenied")
	case "reset":
		panic(http.ErrAbortHandler) // the server closes the connection without an answer
	}
	select { // stall
	case <-r.Context().Done():
	case <-time.After(time.Second):
	}
	return false
}

// download writes all objects below a prefix to a folder.
func (s *objectStore) download(prefix, dir string) error {
	list, err := s.backend.ListBucket(bucketName, nil, gofakes3.ListBucketPage{})
	if err != nil {
		return err
	}
	for _, o := range list.Contents {
		name, err := filepath.Rel(prefix, o.Key)
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		if err := s.downloadOne(o.Key, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func (s *objectStore) downloadOne(key, file string) error {
	o, err := s.backend.GetObject(bucketName, key, nil)
	if err != nil {
		return err
	}
	defer o.Contents.Close()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	data, err := io.ReadAll(o.Contents)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

func (s *objectStore) close() {
	s.server.CloseClientConnections()
	s.server.Close()
}
