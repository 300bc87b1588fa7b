package blob_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
)

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
	each(t, []string{"crawl"}, func(t *testing.T, at func(bucket, key string) string) {
		c := newClient(t, blob.Options{})
		blobtest.TestStore(t, func(t *testing.T) blob.Store {
			return openStore(t, c, at("crawl", "runs/"+strings.ReplaceAll(t.Name(), "/", "_")))
		})
	})
}

func TestMemoryStore(t *testing.T) {
	blobtest.TestStore(t, func(t *testing.T) blob.Store { return new(blobtest.Memory) })
}

func TestHealthyFaultyStore(t *testing.T) {
	blobtest.TestStore(t, func(t *testing.T) blob.Store { return blobtest.NewFaulty(new(blobtest.Memory), 0, false) })
}

// A file cannot be the folder of a store. It is refused when the store is opened, so that
// no caller takes it for an output folder that is damaged.
func TestFileIsNoStore(t *testing.T) {
	c := newClient(t, blob.Options{})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, "file://" + filepath.ToSlash(file), filepath.Join(file, "below")} {
		if _, err := c.Store(t.Context(), name); err == nil || !strings.Contains(err.Error(), name+": this is a file, or lies below one: give a folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
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
	// A link in the folder that leads out of it must not be followed.
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

func TestSweepRemovesUnfinishedFilesAndEmptyFolders(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, newClient(t, blob.Options{}), dir)
	if _, err := blob.WriteAll(t.Context(), s, "kept", []byte("x")); err != nil {
		t.Fatal(err)
	}
	w, err := s.Create(context.Background(), "lost") // as if the process was killed here
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shards/h/a/1", "shards/h/b/2", "shards/3", "other/4"} {
		if _, err := blob.WriteAll(t.Context(), s, name, nil); err != nil {
			t.Fatal(err)
		}
		if name == "shards/h/b/2" {
			continue
		}
		if err := s.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(dir, ".unfinished", "notes.txt") // a file that the store did not write
	if err := os.WriteFile(mine, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.(blob.Sweeper).Sweep(t.Context(), "shards", "missing"); err != nil {
		t.Fatal(err)
	}
	if left, err := fs.Glob(os.DirFS(dir), "shards/*/*"); err != nil || !slices.Equal(left, []string{"shards/h/b"}) {
		t.Errorf("left %v, %v; want the folder that holds a file", left, err)
	}
	if left, err := os.ReadDir(filepath.Dir(mine)); err != nil || len(left) != 1 || left[0].Name() != "notes.txt" {
		t.Errorf("left %v, %v; want the file of somebody else alone", left, err)
	}
	if err := errors.Join(os.Remove(mine), s.Delete(t.Context(), "shards/h/b/2")); err != nil {
		t.Fatal(err)
	}
	if err := s.(blob.Sweeper).Sweep(t.Context(), "shards", "other"); err != nil {
		t.Fatal(err)
	}
	if err := s.(blob.Sweeper).Sweep(t.Context(), "../x"); err == nil {
		t.Error("swept out of the folder")
	}
	if _, err := w.Commit(); err == nil {
		t.Error("a swept file was committed")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "kept" {
		t.Errorf("left %v, %v; want kept alone", entries, err)
	}
}
