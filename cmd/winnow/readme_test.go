package main

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write today's output into README.md")

// shown is a block of the README that begins with a command, followed by what the
// command prints. A note such as "9 lines" says that the block shows only the first
// nine lines.
var shown = regexp.MustCompile("(?s)<!-- checked by TestReadme(?:: (\\d+) lines)? -->\n```console\n\\$ go run ./cmd/winnow ([^\n]*)\n(.*?)```\n")

// volatile matches the speed at the end of a line of figures. It differs between two
// runs of the same command, and so do the column widths.
var volatile = regexp.MustCompile(`(?m)^(.*±.*) [0-9.]+ *$`)

// TestReadme runs every command whose output the README shows and compares the output.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shown.FindAllSubmatchIndex(text, -1)
	if len(blocks) < 4 {
		t.Fatalf("%d checked blocks", len(blocks))
	}
	var fresh bytes.Buffer
	at := 0
	for _, b := range blocks {
		part := func(n int) string {
			if b[2*n] < 0 {
				return ""
			}
			return string(text[b[2*n]:b[2*n+1]])
		}
		want := part(3)
		got := ""
		for command := range strings.SplitSeq(part(2), " | go run ./cmd/winnow ") {
			got = output(t, strings.Fields(command), got)
		}
		if n, err := strconv.Atoi(part(1)); err == nil {
			got = head(got, n)
		}
		if !*update && steady(got) != steady(want) {
			t.Errorf("README.md is stale (go test ./cmd/winnow -run Readme -update): winnow %s\n%s", part(2), got)
		}
		if steady(got) == steady(want) {
			got = want // the README may show figures of another machine
		}
		fresh.Write(text[at:b[6]])
		fresh.WriteString(got)
		at = b[7]
	}
	fresh.Write(text[at:])
	if *update && !bytes.Equal(fresh.Bytes(), text) {
		if err := os.WriteFile("README.md", fresh.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// output runs a command of the README. Files that the command writes go to a temporary
// folder.
func output(t *testing.T, args []string, stdin string) string {
	t.Helper()
	promised, real := "", ""
	for i := 1; i < len(args); i++ {
		if args[i-1] == "--out" {
			promised, real = args[i], t.TempDir()+"/out"
			args[i] = real
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr); code != 0 {
		t.Fatalf("winnow %s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
	}
	if real == "" {
		return stdout.String()
	}
	return strings.ReplaceAll(stdout.String(), real, promised)
}

// steady returns the output without the parts that differ between runs.
func steady(s string) string {
	return volatile.ReplaceAllString(regexp.MustCompile(` +`).ReplaceAllString(s, " "), "$1 N")
}

// head returns the first n lines. It does not say how many more lines there are, so
// that a catalogue may grow.
func head(s string, n int) string {
	lines := strings.SplitAfter(s, "\n")
	if len(lines) <= n {
		return s
	}
	return strings.Join(lines[:n], "") + "…\n"
}
