package main

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// Texts from other sources cannot send control characters to the terminal. The test
// covers the status line of a server, names in a list, and names of files.
func TestWordsOfOthersAreClean(t *testing.T) {
	const evil = "\x1b]0;owned\a\x1b[2J\u202egpj.exe\u2066"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					conn.Write([]byte("HTTP/1.1 404 " + evil + "\r\nContent-Length: 0\r\n\r\n"))
				}
			}()
		}
	}()
	dir := t.TempDir()
	put := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	out := filepath.Join(dir, "out")
	for _, x := range []struct {
		words string
		args  []string
	}{
		{"404", []string{"run", "--out", out, "http://" + l.Addr().String() + "/a.warc"}},
		{"404", []string{"extract", "http://" + l.Addr().String() + "/a.warc"}},
		{"owned", []string{"run", "--out", out, put("a.paths", "gone"+evil+".warc\n")}},
		{"owned", []string{"run", "--out", out, put("b.paths", "s3://bucket/"+evil+".warc\n")}},
		{"owned", []string{"run", "--out", out, put(strings.ReplaceAll(evil, "\a", "")+".warc", "no archive")}},
		{"owned", []string{"run", "--extractors", evil, "--out", out, dir}},
		{"owned", []string{"extract", put(strings.ReplaceAll(evil, "\a", "")+".warc.gz", "no archive")}},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), x.args, nil, &stdout, &stderr); code == 0 {
			t.Errorf("%q: exit code 0", x.args)
		}
		if !strings.Contains(stderr.String(), x.words) {
			t.Errorf("%q: no %q in %q", x.args, x.words, stderr.String())
		}
		if i := strings.IndexFunc(stderr.String(), func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}); i >= 0 {
			t.Errorf("%q: a control character at %d of %q", x.args, i, stderr.String())
		}
	}
}
