package source

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// A folder is always searched by the same rule, and the files that are not read are
// reported with a reason. Find searches folders of buckets, in which HTML files are not
// read.
func TestWhatAFolderLeavesAside(t *testing.T) {
	a := newArchive(t)
	a.page()
	dir := put(t, map[string]string{"a.warc.gz": a.buf.String(), "a.cdxj": "x", "b.cdx.gz": "x", "a.warc.wet.gz": "x", "deep/a.wat": "x", "index.htm": "x",
		"b.warc.xz": "\xfd7zXZ\x00", "notes.txt": "x", ".hidden/x": "x", "empty.warc": "", "empty2.warc": "", "deep/c.wacz": string(zipped(t, nil, [2]string{"archive/c.warc.gz", a.buf.String()}))})
	named := func(name string) string { return filepath.Join(dir, name) + ")" }
	want := []string{
		"HTML files, which are read from a disk only: pack them (winnow pack) (" + named("index.htm"),
		"WET or WAT files, which hold extracted text or metadata and no HTML pages (2, the first is " + named("a.warc.wet.gz"),
		"files compressed by xz, which are not read: decompress them (xz -d) (" + named("b.warc.xz"),
		"files that are not called like crawl archives (" + named("notes.txt"),
		"indexes: give one as INPUT to read only the records that it names (2, the first is " + named("a.cdxj"),
		"read, though they may hold no pages: files without a byte (2, the first is file://",
	}
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	var notes []string
	note := func(s string) { notes = append(notes, s) }
	files, err := Find(t.Context(), blobs, []string{dir}, FindOptions{Note: note})
	if err != nil || len(files) != 4 || !strings.HasSuffix(files[1].URL, "c.wacz#archive/c.warc.gz") {
		t.Errorf("%+v, %v", files, err)
	}
	check := func(want []string) {
		t.Helper()
		if !slices.EqualFunc(notes, want, strings.Contains) {
			t.Errorf("%q, want %q", notes, want)
		}
		notes = nil
	}
	check(want)
	inputs := &Inputs{Blobs: blobs, Note: note}
	if got := read(t, inputs, dir); !slices.Equal(got, []string{"<p>page 1", "<p>page 1", "x gold index"}) {
		t.Errorf("%q", got)
	}
	check(want[1:5])
	if files, _ := Find(t.Context(), blobs, []string{filepath.Join(dir, "b.warc.xz")}, FindOptions{}); len(files) != 1 || !strings.Contains(files[0].Err.Error(), "xz -d") {
		t.Errorf("xz: %+v", files)
	}
}

// Conversion records of HTML are pages only if Options.Conversions is set.
func TestConversionsOfHTML(t *testing.T) {
	a := newArchive(t)
	a.page()
	a.record(write.Record{Type: "conversion", ContentType: "text/html; charset=utf-8", Block: []byte("<p>made of it")})
	a.record(write.Record{Type: "conversion", ContentType: "text/plain", Block: []byte("text")})
	a.record(write.Record{Type: "conversion", ContentType: "Application/XHTML+xml", Block: []byte("<html xmlns='http://www.w3.org/1999/xhtml'><p>and this</html>")})
	dir := put(t, map[string]string{"a.warc.gz": a.buf.String()})
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	for want, opt := range map[int]Options{1: {}, 3: {Conversions: true}} {
		if got := read(t, &Inputs{Blobs: blobs, Options: opt}, filepath.Join(dir, "a.warc.gz")); len(got) != want {
			t.Errorf("%d pages, want %d: %q", len(got), want, got)
		}
	}
}
