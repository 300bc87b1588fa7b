package source

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

// put writes files into a new folder.
func put(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inputs creates a folder with one input of every kind.
func inputs(t *testing.T) string {
	a := newArchive(t)
	a.gold(a.page(), goldBlock)
	a.page()
	packed := a.buf.String()
	return put(t, map[string]string{
		"page.html": "<p>page", "no-end": "<p>page", "about.html": packed, "empty": "",
		"crawl.warc.gz": packed, "crawl": packed, "list.paths": "crawl.warc.gz\n", "cut.warc.gz": packed[:len(packed)-6],
		"package/a.html": "<p>one", "package/a.txt": "one", "package/b.html": "<p>two", "package/b.json": `{"html_bytes":1}`,
		"crawls/a.warc.gz": packed, "crawls/b.warc.gz": packed,
	})
}

func TestFormatOf(t *testing.T) {
	dir := inputs(t)
	for name, want := range map[string]string{
		"page.html": "page", "no-end": "page", "about.html": "page", "empty": "archive",
		"crawl.warc.gz": "archive", "crawl": "archive", "list.paths": "archive", "crawls": "folder", "crawls/*.gz": "archive",
		"package": "folder",
	} {
		if f, err := FormatOf(filepath.Join(dir, name)); err != nil || f.Name() != want {
			t.Errorf("%s: %+v, %v, want %s", name, f, err, want)
		}
	}
	for name, want := range map[string]string{"-": "standard input", "https://h.example/x": "web page", "https://h.example/": "web page", "http://h.example/a.HTML?x=1": "web page", "https://h.example/x.warc.gz?a": "archive", "https://h.example/x.paths.gz": "archive", "s3://b/*.html": "archive"} {
		if f, err := FormatOf(name); err != nil || f.Name() != want {
			t.Errorf("%s: %+v, %v, want %s", name, f, err, want)
		}
	}
	if _, err := FormatOf(filepath.Join(dir, "none.html")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// read returns the pages and failures of an input as short strings.
func read(t *testing.T, in *Inputs, name string) (got []string) {
	t.Helper()
	f, err := FormatOf(name)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range in.Pages(t.Context(), name, f) {
		var lost *Failure
		switch {
		case errors.As(err, &lost):
			got = append(got, "lost: "+lost.Reason)
		case err != nil:
			return append(got, "error: "+err.Error())
		case p.Gold != nil:
			got = append(got, string(p.HTML)+" gold "+p.Gold.ID)
		default:
			got = append(got, string(p.HTML))
		}
	}
	return got
}

func TestInputs(t *testing.T) {
	dir := inputs(t)
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	in := &Inputs{Blobs: blobs}
	both := []string{"<p>page 1 gold d", "<p>page 3"}
	for name, want := range map[string][]string{
		"page.html": {"<p>page"}, "no-end": {"<p>page"}, "empty": nil,
		"crawl.warc.gz": both, "crawl": both, "list.paths": both, "crawls": slices.Concat(both, both),
		"cut.warc.gz": {"<p>page 1 gold d", "<p>page 3", "lost: unit-truncated"},
		"package":     {"<p>one gold a", "lost: document-bad"},
	} {
		if got := read(t, in, filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "crawl"))
	if err != nil {
		t.Fatal(err)
	}
	in.Stdin = strings.NewReader(string(text))
	if got := read(t, in, "-"); !slices.Equal(got, both) {
		t.Errorf("an archive on standard input: %q", got)
	}
	in.Stdin, in.Charset = strings.NewReader("<p>caf\xe9"), "windows-1252"
	if got := read(t, in, "-"); !slices.Equal(got, []string{"<p>café"}) {
		t.Errorf("a page on standard input: %q", got)
	}
	in.Stdin = io.LimitReader(blanks{}, maxPage+1)
	if got := read(t, in, "-"); len(got) != 1 || !strings.Contains(got[0], "bytes that a page may have") {
		t.Errorf("too much on standard input: %.200q", got)
	}
}

// blanks is a reader of an endless sequence of blanks.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// Every implementation of Source reports its documents in the same steps.
func TestDocumentsAreCandidates(t *testing.T) {
	src := NewHTML("f.html", []byte("<p>caf\xe9"), "http://h.example/", "latin1")
	if step, err := src.Next(); step != Candidate || err != nil || src.Record().TargetURI != "http://h.example/" {
		t.Fatal(step, err, src.Record())
	}
	if _, err := src.Decode(); err != nil {
		t.Fatal(err)
	}
	if step, err := src.Next(); step != Ready || err != nil {
		t.Fatal(step, err)
	}
	if p := src.Page(); string(p.HTML) != "<p>café" || !p.Whole || p.File != "f.html" || p.URL != "http://h.example/" || p.Charset != "windows-1252" {
		t.Errorf("%+v", p)
	}
	if _, err := src.Next(); err != io.EOF {
		t.Error(err)
	}
	src = NewHTML("f.html", []byte("<p>left out"), "", "")
	for _, want := range []error{nil, io.EOF} {
		if _, err := src.Next(); err != want {
			t.Errorf("a page that is left out: %v, want %v", err, want)
		}
	}
}
