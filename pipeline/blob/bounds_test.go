package blob_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

// TestNamesInAListStayWhereTheyBelong checks that a list may only name files below
// --base and at the list's own origin, and no files of the machine that reads it or of
// its buckets.
func TestNamesInAListStayWhereTheyBelong(t *testing.T) {
	dir := tree(t, "in/a.warc", "secret.warc", "in/sub/b.warc")
	other := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer other.Close()
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	list := func(place, name string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "in", "l.paths"), []byte("# a comment\n\n"+name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return place + "/l.paths"
	}
	c := newClient(t, impatient)
	in, web := filepath.Join(dir, "in"), server.URL+"/in"
	secret := filepath.Join(dir, "secret.warc")
	for _, x := range []struct {
		place, name, base string
		ok                bool
	}{
		{in, "a.warc", "", true},
		{in, filepath.Join(in, "sub", "b.warc"), "", true},
		{in, "sub/../a.warc", "", true},
		{in, "../secret.warc", "", false},
		{in, secret, "", false},
		{in, "file://" + secret, "", false},
		{in, secret, dir, true},
		{in, web + "/a.warc", "", false},
		{in, web + "/a.warc", server.URL, true},
		{in, "a.warc", web, true},
		{in, "../secret.warc", web, false},
		{in, "s3://bucket/a.warc", web, false},

		{web, "a.warc", "", true},
		{web, server.URL + "/secret.warc", "", true}, // the list's own server
		{web, secret, "", false},
		{web, "file://" + secret, "", false},
		{web, "s3://bucket/a.warc", "", false},
		{web, other.URL + "/in/a.warc", "", false},
		{web, other.URL + "/in/a.warc", other.URL + "/in", true},
		{web, other.URL + "/secret.warc", other.URL + "/in", false},
		{web, other.URL + "/in/%2e%2e/secret.warc", other.URL + "/in", false},
		{web, "a.warc", in, true}, // the user has set this base for the list
		{web, "../secret.warc", in, false},
	} {
		objs, err := c.Expand(t.Context(), []string{list(x.place, x.name)}, blob.ExpandOptions{Base: x.base})
		switch {
		case x.ok && (err != nil || len(objs) != 1):
			t.Errorf("%s in a list of %s, base %q: %v, %v", x.name, x.place, x.base, objs, err)
		case !x.ok && (err == nil || !strings.Contains(err.Error(), "--list-may-leave") || !strings.Contains(err.Error(), "line 3")):
			t.Errorf("%s in a list of %s, base %q: %v, %v", x.name, x.place, x.base, objs, err)
		}
	}
	for _, name := range []string{secret, other.URL + "/secret.warc"} {
		if objs, err := c.Expand(t.Context(), []string{list(web, name)}, blob.ExpandOptions{ListMayLeave: true}); err != nil || len(objs) != 1 {
			t.Errorf("%s with --list-may-leave: %v, %v", name, objs, err)
		}
	}
}

// TestNamesInAListKeepTheBucket checks that a name with other settings counts as
// another bucket, because the settings of a bucket say which server it is on. No server
// receives a request.
func TestNamesInAListKeepTheBucket(t *testing.T) {
	each(t, []string{"crawl"}, func(t *testing.T, at func(bucket, key string) string) {
		c := newClient(t, impatient)
		s := openStore(t, c, at("crawl", ""))
		put := func(name, content string) {
			t.Helper()
			if _, err := blob.WriteAll(t.Context(), s, name, []byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		put("in/a.warc", "a")
		bare, _, _ := strings.Cut(at("crawl", "in/a.warc"), "?")
		for name, ok := range map[string]bool{
			"in/a.warc":                            true,
			at("crawl", "in/a.warc"):               true,
			at("private", "in/a.warc"):             false,
			bare + "?endpoint=http://evil.example": false,
			"/etc/passwd":                          false,
			"../x":                                 false,
		} {
			put("l.paths", name)
			objs, err := c.Expand(t.Context(), []string{at("crawl", "l.paths")}, blob.ExpandOptions{})
			if ok != (err == nil) || !ok && !strings.Contains(err.Error(), "--list-may-leave") {
				t.Errorf("%s: %v, %v", name, objs, err)
			}
		}
	})
}

// TestEveryMissingNameIsTold checks that the error names all missing objects, and that
// the others are returned.
func TestEveryMissingNameIsTold(t *testing.T) {
	dir := tree(t, "a.warc", "sub/b.warc")
	if err := os.Symlink(filepath.Join(dir, "nowhere.warc"), filepath.Join(dir, "sub", "dangling.warc")); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "l.paths")
	if err := os.WriteFile(list, []byte("z.warc\nsub/b.warc\ny.warc\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	c := newClient(t, impatient)
	for range 3 {
		objs, err := c.Expand(t.Context(), []string{filepath.Join(dir, "none.warc"), filepath.Join(dir, "a.warc"), filepath.Join(dir, "sub"), list,
			server.URL + "/gone.warc", filepath.Join(dir, "*.arc")}, blob.ExpandOptions{})
		var missing *blob.MissingError
		if !errors.As(err, &missing) || !errors.Is(err, blob.ErrNotFound) || len(objs) != 2 {
			t.Fatalf("%v, %v", objs, err)
		}
		var got []string
		for _, m := range missing.Missing {
			got = append(got, m.URL[strings.LastIndexByte(m.URL, '/')+1:])
		}
		if want := "none.warc dangling.warc z.warc y.warc gone.warc %2A.arc"; strings.Join(got, " ") != want {
			t.Errorf("missing: %q, want %q", got, want)
		}
		for _, name := range []string{"none.warc", "dangling.warc", "z.warc", "y.warc", "gone.warc", "*.arc"} {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("no %s in\n%v", name, err)
			}
		}
	}
}

// TestFilesThatOnlySecretsTellApart checks that two files are refused if their URLs
// differ only in parts that are not stored, because the tables could not distinguish
// them.
func TestFilesThatOnlySecretsTellApart(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+r.URL.Query().Get("token")+`"`)
		w.Header().Set("Content-Range", "bytes 0-0/9")
		w.WriteHeader(http.StatusPartialContent)
	}))
	defer server.Close()
	c := newClient(t, impatient)
	one, two := server.URL+"/a.warc?token=one", server.URL+"/a.warc?token=two"
	if objs, err := c.Expand(t.Context(), []string{one, two}, blob.ExpandOptions{}); err == nil || strings.Contains(err.Error(), "token") {
		t.Errorf("%v, %v", objs, err)
	}
	if objs, err := c.Expand(t.Context(), []string{one, one}, blob.ExpandOptions{}); err != nil || len(objs) != 1 {
		t.Errorf("%v, %v", objs, err)
	}
}
