package blob_test

import (
	"context"
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
)

// s3Server serves the S3 protocol over loopback and returns the settings of an
// S3 URL that reach it. Buckets are made when they are first named.
func s3Server(t *testing.T) (settings string) {
	t.Helper()
	server := httptest.NewUnstartedServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the fake's own complaints
	server.Start()
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	return "?" + url.Values{"region": {"eu-west-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()
}

func newClient(t *testing.T, o blob.Options) *blob.Client {
	t.Helper()
	c := blob.New(o)
	t.Cleanup(func() { c.Close() })
	return c
}

func openStore(t *testing.T, c *blob.Client, name string) blob.Store {
	t.Helper()
	s, err := c.Store(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLocalStore(t *testing.T) {
	c := newClient(t, blob.Options{})
	blobtest.TestStore(t, func(t *testing.T) blob.Store {
		return openStore(t, c, filepath.Join(t.TempDir(), "new", "out"))
	})
}

func TestBucketStore(t *testing.T) {
	settings := s3Server(t)
	c := newClient(t, blob.Options{})
	blobtest.TestStore(t, func(t *testing.T) blob.Store {
		return openStore(t, c, "s3://crawl/runs/"+strings.ReplaceAll(t.Name(), "/", "_")+settings)
	})
}

func TestMemoryStore(t *testing.T) {
	blobtest.TestStore(t, func(t *testing.T) blob.Store { return new(blobtest.Memory) })
}

func TestHealthyFaultyStore(t *testing.T) {
	blobtest.TestStore(t, func(t *testing.T) blob.Store { return blobtest.NewFaulty(new(blobtest.Memory), 0, false) })
}

func TestLocalStoreLeavesNothingOutside(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	s := openStore(t, newClient(t, blob.Options{}), out)
	if _, err := s.List(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("listing made the folder")
	}
	if _, err := blob.WriteAll(t.Context(), s, "a", nil); err != nil {
		t.Fatal(err)
	}
	// A link in the folder that leads out of it is not followed.
	secret := filepath.Join(dir, "secret")
	if err := os.Mkdir(secret, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(out, "link")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if _, err := blob.WriteAll(t.Context(), s, "link/x", []byte("x")); err == nil {
		t.Error("wrote through a link")
	}
	if left, _ := os.ReadDir(secret); len(left) != 0 {
		t.Errorf("left %v outside", left)
	}
}

func TestSweepRemovesUnfinishedFiles(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, newClient(t, blob.Options{}), dir)
	if _, err := blob.WriteAll(t.Context(), s, "kept", []byte("x")); err != nil {
		t.Fatal(err)
	}
	w, err := s.Create(context.Background(), "lost") // its process is killed here
	if err != nil {
		t.Fatal(err)
	}
	if err := s.(blob.Sweeper).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(); err == nil {
		t.Error("a swept file was committed")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "kept" {
		t.Errorf("left %v, %v; want kept alone", entries, err)
	}
}
