package pack

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold/goldtest"
)

// replace replaces inputs for a run with the output folder out.
func replace(t *testing.T, out string, inputs ...string) (replaced []string, refused []source.File) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	store, err := blobs.Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	p := Packer{Blobs: blobs, Store: store, Out: store.URL()}
	replaced, refused, err = p.Replace(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return replaced, refused
}

func put(t *testing.T, top string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Everything on this machine that is not an archive is packed. Archives are called like
// their packages, below folders that are called like those of the packages.
func TestReplace(t *testing.T) {
	top := filepath.Join(t.TempDir(), "up", "top")
	put(t, top, map[string]string{
		"in/a.warc": "x", "in/news/1.html": "<p>1", "in/news/1.txt": "1", "in/news/2.html": "<p>2", "in/news/2.json": `{"html_bytes":1}`,
		"in/p.html": "<p>p", "in/deep/q.html": "<p>q", "in/out/old.html": "x", "in/notes": "x",
		"in/s.tar": string(goldtest.Tarball(t, goldtest.Names(goldtest.Small), goldtest.Small, "small/")), "in/backup.tar": string(goldtest.Tarball(t, nil, nil, "")), "bad.tar": "noise", "none.tar": string(goldtest.Tarball(t, nil, nil, "")), "one.html": "<p>one",
	})
	in := func(name string) string { return filepath.Join(top, name) }
	out := in("in/out") // below an input, and not read as one
	replaced, refused := replace(t, out, in("in"), in("*.html"), in("bad.tar"), in("none.tar"), in("none"), "s3://b/x.warc", in("*.pdf"))
	var got []string
	for _, name := range replaced {
		if rel, ok := strings.CutPrefix(name, out+"/inputs/"); ok {
			_, name, _ = strings.Cut(rel, "/") // the first folder is a digest
		}
		got = append(got, strings.TrimPrefix(name, top+"/"))
	}
	want := []string{"in/a.warc", "top/in/news.warc.gz", "top/in/small.warc.gz", "up/top/in.warc.gz", "none", "s3://b/x.warc", "*.pdf", "001/up/top.warc.gz"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if len(refused) != 3 {
		t.Fatalf("%+v", refused)
	}
	for i, want := range []string{"top/in/news/2.html document-bad html_bytes says 1", "top/bad.tar unreadable unexpected EOF", "top/none.tar unreadable no ID.html in it"} {
		f := &refused[i]
		words := strings.SplitN(want, " ", 3)
		if f.Err != nil {
			f.Detail = f.Err.Error()
		}
		if !strings.HasSuffix(f.URL, words[0]) || f.Refused != words[1] || !strings.Contains(f.Detail, words[2]) || (f.Err != nil) != (i >= 1) {
			t.Errorf("%+v, want %s", f, want)
		}
	}
}

// An archive that is complete is used again, and its refused documents are known. One that
// is not complete, or whose package has changed, is written.
func TestArchivesAreUsedAgain(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "p"), t.TempDir()
	put(t, dir, map[string]string{"1.html": "<p>1", "1.txt": "1", "2.html": "x", "2.json": "{"})
	first, refused := replace(t, out, dir)
	if len(first) != 1 || len(refused) != 1 {
		t.Fatal(first, refused)
	}
	long := time.Unix(1, 0)
	written := func(want bool, again []string) {
		t.Helper()
		info, err := os.Stat(again[0])
		if err != nil || info.ModTime().Equal(long) == want {
			t.Errorf("%s: %v, written %v", again, err, !want)
		}
		if err := os.Chtimes(first[0], long, long); err != nil {
			t.Fatal(err)
		}
	}
	written(true, first)
	again, lost := replace(t, out, dir)
	if !slices.Equal(again, first) || len(lost) != 1 || lost[0].Detail != refused[0].Detail {
		t.Errorf("%q %+v, want %q %+v", again, lost, first, refused)
	}
	written(false, again)
	results, err := filepath.Glob(filepath.Join(out, "inputs", "*.json"))
	if err != nil || len(results) != 1 {
		t.Fatal(results, err)
	}
	if err := os.Remove(results[0]); err != nil { // as if the program had ended before
		t.Fatal(err)
	}
	again, _ = replace(t, out, dir)
	written(true, again)
	put(t, dir, map[string]string{"3.html": "<p>3"})
	if again, _ = replace(t, out, dir); slices.Equal(again, first) {
		t.Errorf("the archive of %q is used for another content", first)
	}
}
