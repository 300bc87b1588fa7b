package blob_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
)

// tree makes files below a new folder and returns it. Their content is their name.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wanted are the files of folders that these tests want.
func wanted(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, ".warc") || strings.Contains(name, ".arc")
}

func TestExpandLocal(t *testing.T) {
	dir := tree(t, "a.warc.gz", "b.WARC", "c.html", "odd name?.warc", "sub/d.warc.zst", "sub/deep/e.warc.bz2",
		".hidden/f.warc", "sub/.g.warc", "x[1].warc.gz", "sub/x2.warc.gz", "other/page.html", "more/h.ARC", "more/i.arc.gz", "more/j.warc.lz4")
	c := newClient(t, blob.Options{})
	f := func(input string, want ...string) {
		t.Helper()
		objs, err := c.Expand(t.Context(), []string{filepath.Join(dir, input)}, blob.ExpandOptions{Wanted: wanted})
		var got []string
		for _, o := range objs {
			src, err := c.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			content, err := readAll(src)
			if src.Close(); err != nil {
				t.Fatal(err)
			}
			if got = append(got, string(content)); o.Size != int64(len(content)) || !o.Ranges || !strings.HasPrefix(o.URL, "file:///") {
				t.Errorf("%s: %+v", content, o)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", input, got, err, want)
		}
	}
	f("a.warc.gz", "a.warc.gz")
	f("c.html", "c.html") // a file that is named counts, whatever it is
	f("odd name?.warc", "odd name?.warc")
	f("x[1].warc.gz", "x[1].warc.gz")
	f("", "a.warc.gz", "b.WARC", "more/h.ARC", "more/i.arc.gz", "more/j.warc.lz4", "odd name?.warc", "sub/d.warc.zst", "sub/deep/e.warc.bz2", "sub/x2.warc.gz", "x[1].warc.gz")
	f("*.warc.gz", "a.warc.gz", "x[1].warc.gz")
	f("sub/**/*.warc.*", "sub/d.warc.zst", "sub/deep/e.warc.bz2", "sub/x2.warc.gz")
	f("**/[de].warc.*", "sub/d.warc.zst", "sub/deep/e.warc.bz2")
	f("[!a-w]*.gz", "x[1].warc.gz")
	f("{a.*,sub/d*}", "a.warc.gz", "sub/d.warc.zst")
	f("*/*.warc.???", "more/j.warc.lz4", "sub/d.warc.zst")

	both := []string{dir, filepath.Join(dir, "a.warc.gz"), dir + "/./sub"}
	objs, err := c.Expand(t.Context(), both, blob.ExpandOptions{Wanted: wanted})
	if err != nil || len(objs) != 10 || !slices.IsSortedFunc(objs, func(a, b blob.Object) int { return strings.Compare(a.URL, b.URL) }) {
		t.Errorf("overlapping inputs: %d objects, %v; want 10, sorted", len(objs), err)
	}
	for _, input := range []string{"", "none.warc", "other", "*.arc", "none/*.warc", "sub/[", "ftp://x/y", "http:///y", "file://host/x"} {
		name := input
		if !strings.Contains(name, "://") && name != "" {
			name = filepath.Join(dir, name)
		}
		if objs, err := c.Expand(t.Context(), []string{name}, blob.ExpandOptions{Wanted: wanted}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v, %v; want an error that names it", input, objs, err)
		}
	}
}

func TestExpandList(t *testing.T) {
	dir := tree(t, "crawl/a.warc", "crawl/b.warc", "crawl/c d.warc")
	text := "# a crawl\n\ncrawl/a.warc\r\n  crawl/c d.warc  \n" + filepath.Join(dir, "crawl", "b.warc") + "\ncrawl/a.warc"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	lists := t.TempDir()
	for path, content := range map[string]string{
		filepath.Join(dir, "near.paths"):      text,
		filepath.Join(lists, "far.paths.gz"):  packed.String(),
		filepath.Join(lists, "broken.paths"):  "crawl/a.warc\ncrawl/none.warc\n",
		filepath.Join(lists, "cut.paths.gz"):  packed.String()[:packed.Len()-20],
		filepath.Join(lists, "empty.paths"):   "# nothing\n",
		filepath.Join(lists, "endless.paths"): strings.Repeat("x", 100_000),
	} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := newClient(t, impatient)
	f := func(input, base string) {
		t.Helper()
		objs, err := c.Expand(t.Context(), []string{input}, blob.ExpandOptions{Base: base})
		if err != nil || len(objs) != 3 {
			t.Errorf("%s, base %q: %d objects, %v; want 3", input, base, len(objs), err)
		}
	}
	f(filepath.Join(dir, "near.paths"), "")
	f(filepath.Join(lists, "far.paths.gz"), dir)
	f(filepath.Join(lists, "far.paths.gz"), "file://"+dir+"/")
	if _, err := c.Expand(t.Context(), []string{filepath.Join(lists, "broken.paths")}, blob.ExpandOptions{Base: dir}); !errors.Is(err, blob.ErrNotFound) || !strings.Contains(err.Error(), "none.warc") {
		t.Errorf("a list with a missing file: %v", err)
	}
	for _, name := range []string{"cut.paths.gz", "empty.paths", "endless.paths"} {
		if objs, err := c.Expand(t.Context(), []string{filepath.Join(lists, name)}, blob.ExpandOptions{Base: dir}); err == nil {
			t.Errorf("%s: %d objects and no error", name, len(objs))
		}
	}

	// Names that are paths on a web server, as Common Crawl's lists have them.
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	web := strings.ReplaceAll(text, filepath.Join(dir, "crawl", "b.warc"), server.URL+"/crawl/b.warc")
	if err := os.WriteFile(filepath.Join(dir, "web.paths"), []byte(web), 0o666); err != nil {
		t.Fatal(err)
	}
	f(filepath.Join(dir, "web.paths"), server.URL)
	f(server.URL+"/web.paths", "")
	objs, err := c.Expand(t.Context(), []string{server.URL + "/crawl/c%20d.warc"}, blob.ExpandOptions{})
	if err != nil || len(objs) != 1 || objs[0].URL != server.URL+"/crawl/c%20d.warc" {
		t.Errorf("one URL: %v, %v", objs, err)
	}
}

func TestExpandAndReadBucket(t *testing.T) {
	each(t, []string{"crawl"}, expandAndRead)
}

func expandAndRead(t *testing.T, at func(bucket, key string) string) {
	c := newClient(t, impatient)
	s := openStore(t, c, at("crawl", "in"))
	data := noise(3 << 20)
	for _, name := range []string{"a.warc.gz", "sub/b c.warc", "sub/deep/d.warc.zst", "sub/page.html"} {
		if _, err := blob.WriteAll(t.Context(), s, name, data); err != nil {
			t.Fatal(err)
		}
	}
	f := func(input string, want int) []blob.Object {
		t.Helper()
		objs, err := c.Expand(t.Context(), []string{at("crawl", input)}, blob.ExpandOptions{Wanted: wanted})
		if err != nil || len(objs) != want {
			t.Fatalf("%s: %v, %v; want %d", input, objs, err, want)
		}
		return objs
	}
	f("in/", 3)
	f("in", 3)
	f("in/sub", 2)
	f("in/sub/*.warc", 1)
	f("in/**/*.warc*", 3)
	f("in/sub/page.html", 1)
	listed, named := f("in/sub/b*", 1)[0], f("in/sub/b c.warc", 1)[0]
	if listed != named || listed.Identity == "" {
		t.Errorf("listing tells %+v, stat %+v", listed, named)
	}
	src, err := c.Open(t.Context(), listed)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if got, err := readAll(src); err != nil || !bytes.Equal(got, data) {
		t.Errorf("got %d bytes, %v; want %d", len(got), err, len(data))
	}
	if _, err := blob.WriteAll(t.Context(), s, "sub/b c.warc", noise(3<<20 + 1)[1:]); err != nil {
		t.Fatal(err)
	}
	if _, err := src.ReadAt(make([]byte, 10), 0); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("read of a replaced object: %v, want %v", err, blob.ErrChanged)
	}
	if _, err := c.Expand(t.Context(), []string{at("crawl", "none/")}, blob.ExpandOptions{}); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("empty prefix: %v, want %v", err, blob.ErrNotFound)
	}
}

func TestLocalSourceNoticesChange(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.warc")
	write := func(n int, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, make([]byte, n), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Unix(1_700_000_000, 0)
	write(8<<20, then)
	c := newClient(t, blob.Options{})
	obj, err := c.Stat(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(){
		"longer":  func() { write(9<<20, then) },
		"shorter": func() { write(7<<20, then) },
		"newer":   func() { write(8<<20, then.Add(time.Nanosecond*1000)) },
	} {
		write(8<<20, then)
		src, err := c.Open(t.Context(), obj)
		if err != nil {
			t.Fatal(err)
		}
		if err := src.Check(); err != nil {
			t.Fatal(err)
		}
		change()
		if _, err := readAll(src); !errors.Is(err, blob.ErrChanged) {
			t.Errorf("%s while it is read: %v, want %v", name, err, blob.ErrChanged)
		}
		if err := src.Check(); !errors.Is(err, blob.ErrChanged) {
			t.Errorf("%s, checked: %v, want %v", name, err, blob.ErrChanged)
		}
		src.Close()
		if _, err := c.Open(t.Context(), obj); !errors.Is(err, blob.ErrChanged) {
			t.Errorf("%s, opened: %v, want %v", name, err, blob.ErrChanged)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Open(t.Context(), obj); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("removed: %v, want %v", err, blob.ErrNotFound)
	}
}
