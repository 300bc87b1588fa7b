package answers

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const lines = `{"id":"17","text":"Grain\nand chaff","model":"m"}
{"id":18,"text":""}

{"id":"dev/19","url":"http://example.org/a","text":"of dev"}
{"url":"http://example.org/b","text":"by address"}
{"id":"20","text":"without a line end"}`

func write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func open(t *testing.T, name string) *Recording {
	t.Helper()
	r, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Answers are found by package and document, by document, and by URL, whatever the form of the
// recording is.
func TestLookup(t *testing.T) {
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write([]byte(lines))
	g.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	z.Write([]byte(lines))
	z.Close()
	folder := t.TempDir()
	for name, text := range map[string]string{"17.txt": "Grain\nand chaff", "18.txt": "", "dev/19.txt": "of dev", "20.txt": "without a line end"} {
		os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o777)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for form, name := range map[string]string{
		"plain": write(t, "a.jsonl", lines), "gzip": write(t, "a.jsonl.gz", gz.String()), "zstd": write(t, "a.jsonl.zst", zst.String()), "folder": folder,
	} {
		r := open(t, name)
		for _, c := range []struct {
			pkg, document, url, want string
			found                    bool
		}{
			{"dev", "17", "", "Grain\nand chaff", true},
			{"", "17", "", "Grain\nand chaff", true},
			{"dev", "18", "http://example.org/b", "", true},
			{"dev", "19", "", "of dev", true},
			{"final", "19", "", "", false},
			{"final", "19", "http://example.org/a", "", false}, // this line is about a document
			{"dev", "20", "", "without a line end", true},
			{"dev", "21", "", "", false},
			{"", "", "", "", false},
			{"dev", "../../etc/passwd", "", "", false},
			{"", "", "http://example.org/b", "by address", form != "folder"},
		} {
			want := c.want
			if !c.found {
				want = ""
			}
			if text, found, err := r.Lookup(c.pkg, c.document, c.url); text != want || found != c.found || err != nil {
				t.Errorf("%s: %+v: %q, %v, %v", form, c, text, found, err)
			}
		}
	}
}

// What is not an answer is an error with its line.
func TestBadLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"id":"17"}`:                  "line 2: no text",
		`{"text":"grain"}`:             "line 2: neither id nor url",
		`{"id":["17"],"text":"grain"}`: "line 2: the id [\"17\"] is neither a text nor a number",
		`{"id":"1","text":"other"}`:    "line 2: a second answer",
		`{"id":1,"text":"other"}`:      "line 2: a second answer",
		`grain`:                        "line 2: invalid character",
		`{"id":"17","text":"` + strings.Repeat("x", maxLine) + `"}`: "line 2: it is longer than",
	} {
		if _, err := Open(write(t, "a.jsonl", `{"id":"1","text":"grain"}`+"\n"+line+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", line, err, want)
		}
	}
	if _, err := Open(write(t, "a.jsonl.gz", "\x1f\x8bgrain")); err == nil {
		t.Error("a broken gzip file is opened")
	}
}

// Another content is another digest, and so is another name of a file in a folder.
func TestDigest(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{write(t, "a", "grain"), write(t, "a", "chaff"), filepath.Dir(write(t, "a.txt", "grain")), filepath.Dir(write(t, "b.txt", "grain"))} {
		d, err := Digest(name)
		if err != nil || seen[d] != "" {
			t.Errorf("%s: %s %v, as %s", name, d, err, seen[d])
		}
		seen[d] = name
	}
	same, err := Digest(write(t, "b", "grain"))
	if err != nil || seen[same] == "" {
		t.Errorf("%s, %v", same, err)
	}
}
