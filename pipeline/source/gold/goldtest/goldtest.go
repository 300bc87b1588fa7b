// Package goldtest has a gold package with every kind of document, for the tests of what
// reads packages.
//
// This package is internal to Winnow and may change in any release.
package goldtest

import (
	"archive/tar"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Small is a package with every kind of document.
var Small = map[string]string{
	"package.json":  `{"name":"small","title":"Two\nlines","documents":6,"license":"ours","notes":["plain"]}`,
	"1.html":        "<p>One</p>",
	"1.txt":         "One",
	"1.json":        `{"id":"1","url":"http://a.example/a b","page_type":"news","language":"en","title":"T","with":["One"],"without":["Home"],"spa":true}`,
	"10.html":       "<p>Ten</p>",
	"10.txt":        "",
	"2.html":        "\xe4\xf6", // not UTF-8; the package does not decode pages
	"2.txt":         "\uFEFFZwei\r\nDrei\rVier \xff",
	"2.gold.html":   "<b>\xffZwei</b>",
	"lost.html":     "<p>Lost</p>",
	"lost.txt":      "",
	"lost.json":     `{"gold_missing":true}`,
	"part.html":     "<p>Part</p>",
	"part.json":     `{"with":["Part"],"without":["Home"]}`,
	"nogold.html":   "",
	"orphan.txt":    "no page",
	"README":        "not a document",
	"2.gold.html.x": "neither",
}

// Folder writes the files of a package into a new folder and returns its path.
func Folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Tarball packs files in the given order, so that tests can detect a reader that
// relies on the files being sorted by name.
func Tarball(t testing.TB, names []string, files map[string]string, prefix string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		h := &tar.Header{Name: prefix + name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[name])
	}
	w.Close()
	return b.Bytes()
}

// Names returns the names of files, sorted.
func Names(files map[string]string) []string {
	return slices.Sorted(maps.Keys(files))
}
