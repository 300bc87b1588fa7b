package blob_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

func TestPart(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "whole#1")
	if err := os.WriteFile(name, []byte("0123456789"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, blob.Options{})
	whole, err := c.Stat(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	part, err := whole.Part("a folder/x#y", 2, 5)
	if err != nil || part.URL != whole.URL+"#a%20folder/x%23y" || part.Size != 5 {
		t.Fatalf("%+v, %v", part, err)
	}
	inner, err := part.Part("z", 1, 3)
	if err != nil || inner.URL != part.URL+"/z" {
		t.Fatalf("%+v, %v", inner, err)
	}
	for o, want := range map[blob.Object]string{whole: "0123456789", part: "23456", inner: "345"} {
		src, err := c.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		src.Expect(o.Size)
		if got, err := readAll(src); string(got) != want || err != nil || src.Size() != o.Size {
			t.Errorf("%s: %q, %v, want %q", o.URL, got, err, want)
		}
		two := make([]byte, 2)
		if n, err := src.ReadAt(two, o.Size-1); n != 1 || err != io.EOF {
			t.Errorf("%s: at its end: %d, %v", o.URL, n, err)
		}
		if n, err := src.ReadAt(two, o.Size); n != 0 || err != io.EOF {
			t.Errorf("%s: behind its end: %d, %v", o.URL, n, err)
		}
		if _, err := src.ReadAt(two, -1); err == nil {
			t.Errorf("%s: negative offset", o.URL)
		}
		src.Close()
	}
	for _, bad := range [][2]int64{{-1, 1}, {0, 11}, {10, 1}, {1 << 62, 1 << 62}, {0, -1}} {
		if o, err := whole.Part("x", bad[0], bad[1]); err == nil {
			t.Errorf("%v: %+v", bad, o)
		}
	}
	if err := os.WriteFile(name, []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Open(t.Context(), part); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("the whole has changed: %v", err)
	}
}
