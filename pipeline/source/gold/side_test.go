package gold

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

const sideLines = `{"url":"http://A.example:80/x#top","id":"1","text":"one"}

{"url":"https://b.example","id":"2","text":null}
{"url":"urn:winnow:p/3","text":""}
{"url":"https://b.example","id":"2","text":null}
`

func TestSideFile(t *testing.T) {
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(sideLines))
	z.Close()
	plain, err := ReadSideFile(strings.NewReader(sideLines), 0)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := ReadSideFile(&gz, 0)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Digest != packed.Digest || plain.Len() != 3 || packed.Len() != 3 {
		t.Errorf("%s %d, %s %d", plain.Digest, plain.Len(), packed.Digest, packed.Len())
	}
	for url, want := range map[string]string{
		"http://a.example/x": "one", "HTTP://a.example/x#foot": "one", "http://a.example:80/x": "one",
		"http://a.example:8080/x": "-", "http://a.example/x?y": "-", "http://a.example/X": "-",
		"https://b.example/": "null", "https://b.example:443": "null", "http://b.example/": "-",
		"urn:winnow:p/3": "", "": "-", "::": "-",
	} {
		got := "-"
		if g := plain.Lookup(url); g != nil && g.Text == nil {
			got = "null"
		} else if g != nil {
			got = *g.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func TestSideFileRefuses(t *testing.T) {
	for lines, want := range map[string]string{
		"{\"url\":\"u:a\",\"text\":\"\"}\n{\"text\":\"\"}": "line 2: no url",
		"\n\n<html>":                 "line 3: schemas: gold",
		"{\"url\":\"u:a\"}":          "no text field",
		"\x1f\x8bnot gzip after all": "gzip",
		strings.Repeat(" \n", 600):   "more than 1000 bytes",
		"{\"url\":\"http://a\",\"text\":\"\"}\n{\"url\":\"http://A/\",\"text\":\"x\"}": "line 2: url http://A/ has another gold in line 1",
	} {
		if _, err := ReadSideFile(strings.NewReader(lines), 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", lines, err, want)
		}
	}
}

func FuzzReadSideFile(f *testing.F) {
	f.Add([]byte(sideLines))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Add([]byte(`{"url":"http://[::1]:80/%zz","text":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadSideFile(bytes.NewReader(data), 1<<16)
		if err != nil {
			return
		}
		for key := range s.lines {
			g := s.Lookup(key)
			if g == nil || urlKey(g.URL) != key {
				t.Fatalf("%q is not found again", key)
			}
		}
	})
}
