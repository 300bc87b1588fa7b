package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Input that a run could not read is never ignored: the exit code, the summary and the
// log report it, by file and number of bytes.
func TestLossesAreTold(t *testing.T) {
	whole, err := os.ReadFile("../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flipped := bytes.Clone(whole)
	for i := 38590; i <= 41977; i++ {
		flipped[i] ^= 0x5a
	}
	good := put("good.warc.gz", whole)
	bad := put("flipped.warc.gz", flipped)
	cut := put("cut.warc.gz", whole[:150_000])
	padded := put("padded.warc.gz", append(bytes.Clone(whole), make([]byte, 512)...))
	both := put("both.warc.gz", append(bytes.Clone(flipped), make([]byte, 512)...))
	lineEnds := put("line-ends.warc", []byte("\r\n\r\n"))
	none := filepath.Join(dir, "none.warc.gz")
	page := put("page.warc.gz", []byte("<html>no archive</html>"))

	f := func(code int, lines []string, words string, args ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		args = append([]string{"run", "--extractors", "plain", "--scorers", "none", "--out", t.TempDir()}, args...)
		if got := run(t.Context(), args, nil, &stdout, &stderr); got != code {
			t.Errorf("%q: exit code %d, want %d\n%s", args, got, code, stderr.String())
		}
		if n := strings.Count(stdout.String(), "lost: "); n != len(lines) {
			t.Errorf("%q: %d files are lost, want %d\n%s", args, n, len(lines), stdout.String())
		}
		text := strings.Join(strings.Fields(stdout.String()), " ") // long lines are wrapped
		for _, l := range lines {
			if !strings.Contains(text, l) {
				t.Errorf("%q: no %q in\n%s", args, l, stdout.String())
			}
		}
		if n := strings.Count(stderr.String(), "level=WARN msg=\"input was lost\""); n != len(lines) {
			t.Errorf("%q: %d warnings, want %d\n%s", args, n, len(lines), stderr.String())
		}
		if !strings.Contains(stderr.String(), words) {
			t.Errorf("%q: no %q in\n%s", args, words, stderr.String())
		}
	}
	f(0, nil, "", good, padded, lineEnds) // padding is no data
	f(3, []string{"lost: 3438 bytes of file://" + both + " (gap, unit-corrupt)"}, "finished: 3438 bytes of 1 file were lost", both)
	f(3, []string{"lost: 3438 bytes of file://" + bad + " (gap, unit-corrupt)"}, "finished: 3438 bytes of 1 file were lost", good, bad)
	f(3, []string{"lost: 522 bytes of file://" + cut + " (truncated, unit-truncated)"}, "finished: 522 bytes of 1 file were lost", cut)
	f(3, []string{"lost: 23 bytes of file://" + page + " (not-warc)", "lost: an unknown number of bytes of file://" + none + " (missing)"}, "finished: 23 bytes of 2 files were lost",
		"--keep-going", good, none, page)
	f(3, []string{"lost: an unknown number of bytes of file://" + none + " (missing)"}, "finished: an unknown number of bytes of 1 file was lost", "--keep-going", good, none)
	f(1, nil, "2 of 3 input files are missing or cannot be read:", good, none, page)

	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"extract", "--extractors", "plain", cut}, nil, &stdout, &stderr); code != 3 || !strings.Contains(stderr.String(), "unit-truncated") {
		t.Errorf("extract: exit code %d\n%s", code, stderr.String())
	}
}
