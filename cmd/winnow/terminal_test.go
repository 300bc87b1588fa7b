//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// onPTY runs the program with a terminal of the given width as its output, and returns
// what it wrote there.
func onPTY(t *testing.T, columns int, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "winnow", args...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, tty) // on Linux, reading ends with an error when the program has ended
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	return out.Bytes()
}

var control = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// longest returns the longest line that was written, whether it is still shown or not.
func longest(out []byte) string {
	long := ""
	for _, line := range regexp.MustCompile(`[\r\n]+`).Split(control.ReplaceAllString(string(out), ""), -1) {
		if utf8.RuneCountInString(line) > utf8.RuneCountInString(long) {
			long = line
		}
	}
	return long
}

// onScreen returns what a terminal shows at the end.
func onScreen(out []byte, columns int) string {
	screen := vt10x.New(vt10x.WithSize(columns, 24))
	_, _ = screen.Write(out)
	var lines []string
	for line := range strings.Lines(screen.String()) {
		lines = append(lines, strings.TrimRight(line, " \n\x00"))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Progress and summary on a terminal fit into it, and only the summary is left.
func TestRunOnATerminal(t *testing.T) {
	in, err := filepath.Abs("../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, columns := range []int{80, 40} {
		// The default has more scorers than fit.
		out := onPTY(t, columns, "run", "--out", "out", "--run", "r", "--extractors", "plain,bte,density,cetd-ds,winnow", in)
		progress, summary, _ := bytes.Cut(out, []byte("winnow has")) // its first sentence
		if line := longest(progress); utf8.RuneCountInString(line) > columns {
			t.Errorf("%d columns: progress has a line of %d: %q", columns, utf8.RuneCountInString(line), line)
		}
		if line := longest(summary); utf8.RuneCountInString(line) > 80 {
			t.Errorf("%d columns: the summary has a line of %d: %q", columns, utf8.RuneCountInString(line), line)
		}
		for _, want := range []string{"of 1 item", "pages/s"} {
			if !bytes.Contains(progress, []byte(want)) {
				t.Errorf("%d columns: no %q in the progress, which ends with %.600q", columns, want, progress[max(0, len(progress)-600):])
			}
		}
		if _, log, found := bytes.Cut(out, []byte("level=")); found {
			t.Errorf("%d columns: a log on a terminal: %.600q", columns, log)
		}
		screen := onScreen(out, columns)
		if strings.Contains(screen, "items") || !strings.HasSuffix(screen, "\ntables are in out\nthe report is out/report.html") {
			t.Errorf("%d columns: at the end the terminal shows\n%s", columns, screen)
		}
		if whole := regexp.MustCompile(`(?m)^\(all\) +winnow +62 +0( +0\.\d{3} ±0\.\d{3}){2} +[\d.]+$`); columns == 80 && !whole.MatchString(screen) {
			t.Errorf("the summary is not whole:\n%s", screen)
		}
		out = onPTY(t, columns, "run", "--quiet", "--out", "quiet", "--run", "r", "--extractors", "plain", "--scorers", "vec", in)
		if bytes.Contains(out, []byte("\x1b")) || !bytes.HasPrefix(out, []byte("plain has ")) {
			t.Errorf("%d columns: not quiet: %q", columns, out)
		}
		for _, folder := range []string{"out", "quiet"} {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
	}
}
