package main

import (
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow/winnow/deploy/rows"
)

// The buckets that the overlays name.
const (
	crawls = "winnow-crawls"
	tables = "winnow-tables"
)

// objectStore is an S3 server in memory that pods can reach.
type objectStore struct {
	address string
	server  *http.Server
	backend *s3mem.Backend
}

// newObjectStore starts a server at an address of this machine.
func newObjectStore(host string) (*objectStore, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, err
	}
	s := &objectStore{address: listener.Addr().String(), backend: s3mem.New()}
	s.server = &http.Server{Handler: gofakes3.New(s.backend).Server(), ErrorLog: log.New(io.Discard, "", 0)}
	go s.server.Serve(listener) //nolint:errcheck // it ends with close
	return s, errors.Join(s.backend.CreateBucket(crawls), s.backend.CreateBucket(tables))
}

func (s *objectStore) close() error { return s.server.Close() }

// settings are the query of the URLs of objects.
func (s *objectStore) settings() string {
	return "?" + url.Values{"region": {"eu-central-1"}, "endpoint": {"http://" + s.address}, "use_path_style": {"true"}}.Encode()
}

func (s *objectStore) url(bucket, key string) string {
	return "s3://" + bucket + "/" + key + s.settings()
}

func (s *objectStore) put(bucket, key string, data []byte) error {
	_, err := s.backend.PutObject(bucket, key, map[string]string{}, strings.NewReader(string(data)), int64(len(data)), nil)
	return err
}

// output is where a run writes its tables.
type output interface {
	// has reports whether there is a file whose name matches a pattern of path.Match.
	has(pattern string) bool
	// read reads the tables of a finished run.
	read() (rows.Tables, error)
}

// folder is an output folder on the node's disk.
type folder string

func (f folder) has(pattern string) bool {
	found, _ := filepath.Glob(filepath.Join(string(f), pattern))
	return len(found) > 0
}

func (f folder) read() (rows.Tables, error) {
	all, _, err := rows.Read(string(f))
	return all, err
}

// remoteFolder is an output folder in the bucket of tables.
type remoteFolder struct {
	store *objectStore
	name  string
	copy  string // a folder for what read reads
}

// list calls a function with the name of each object.
func (f remoteFolder) list(each func(name, key string) error) error {
	list, err := f.store.backend.ListBucket(tables, &gofakes3.Prefix{HasPrefix: true, Prefix: f.name + "/"}, gofakes3.ListBucketPage{})
	if err != nil {
		return err
	}
	for _, o := range list.Contents {
		if err := each(strings.TrimPrefix(o.Key, f.name+"/"), o.Key); err != nil {
			return err
		}
	}
	return nil
}

func (f remoteFolder) has(pattern string) bool {
	return f.list(func(name, _ string) error {
		if is, _ := path.Match(pattern, name); is {
			return fs.SkipAll
		}
		return nil
	}) != nil
}

func (f remoteFolder) read() (rows.Tables, error) {
	if err := os.RemoveAll(f.copy); err != nil {
		return nil, err
	}
	err := f.list(func(name, key string) error {
		o, err := f.store.backend.GetObject(tables, key, nil)
		if err != nil {
			return err
		}
		defer o.Contents.Close()
		data, err := io.ReadAll(o.Contents)
		if err != nil {
			return err
		}
		file := filepath.Join(f.copy, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o666)
	})
	if err != nil {
		return nil, err
	}
	return folder(f.copy).read()
}
