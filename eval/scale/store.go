package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

const bucket = "scale"

// objectStore is an S3 server in memory that counts what each program asks for. A program
// is known by its access key.
type objectStore struct {
	server  *httptest.Server
	backend *s3mem.Backend

	mu   sync.Mutex
	used map[string]*traffic // by access key
}

// traffic is what a program asked of the store.
type traffic struct {
	Gets    int64 `json:"gets"` // and HEADs
	Puts    int64 `json:"puts"` // and POSTs
	Deletes int64 `json:"deletes"`
	Lists   int64 `json:"lists"`
	Read    int64 `json:"bytes_read"`
	Written int64 `json:"bytes_written"`
}

func newObjectStore() (*objectStore, error) {
	s := &objectStore{backend: s3mem.New(), used: map[string]*traffic{}}
	if err := s.backend.CreateBucket(bucket); err != nil {
		return nil, err
	}
	inner := gofakes3.New(s.backend).Server()
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, answer := &countingBody{ReadCloser: r.Body}, &countingWriter{ResponseWriter: w}
		r.Body = body
		inner.ServeHTTP(answer, r)
		s.count(r, body.n, answer.n)
	}))
	return s, nil
}

func (s *objectStore) count(r *http.Request, written, read int64) {
	_, key, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	key, _, _ = strings.Cut(key, "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.used[key]
	if t == nil {
		t = new(traffic)
		s.used[key] = t
	}
	switch object := strings.Trim(r.URL.Path, "/") != bucket; {
	case !object:
		t.Lists++
	case r.Method == http.MethodDelete:
		t.Deletes++
	case r.Method == http.MethodPut || r.Method == http.MethodPost:
		t.Puts++
	default:
		t.Gets++
	}
	t.Read += read
	t.Written += written
}

// of returns what the program with an access key has asked for.
func (s *objectStore) of(key string) traffic {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.used[key]; t != nil {
		return *t
	}
	return traffic{}
}

type countingBody struct {
	io.ReadCloser
	n int64
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	return n, err
}

type countingWriter struct {
	http.ResponseWriter
	n int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.n += int64(n)
	return n, err
}

// env holds what a program needs to use the store under a name of its own.
func (s *objectStore) env(key string) []string {
	return []string{"AWS_ACCESS_KEY_ID=" + key, "AWS_SECRET_ACCESS_KEY=test", "AWS_REGION=eu-west-1", "AWS_EC2_METADATA_DISABLED=true"}
}

func (s *objectStore) url(prefix string) string {
	return "s3://" + bucket + "/" + prefix + "?" + url.Values{"endpoint": {s.server.URL}, "use_path_style": {"true"}}.Encode()
}

func (s *objectStore) put(name string, data []byte) error {
	_, err := s.backend.PutObject(bucket, name, map[string]string{}, bytes.NewReader(data), int64(len(data)), nil)
	return err
}

func (s *objectStore) get(name string) ([]byte, error) {
	o, err := s.backend.GetObject(bucket, name, nil)
	if err != nil {
		return nil, err
	}
	defer o.Contents.Close()
	return io.ReadAll(o.Contents)
}

func (s *objectStore) close() {
	s.server.CloseClientConnections()
	s.server.Close()
}
