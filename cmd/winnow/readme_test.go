package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
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

// volatile matches a line of a run's summary: package, extractor, documents, failures,
// and at the end the speed. It differs between two runs of the same command, and so do
// the column widths.
var volatile = regexp.MustCompile(`(?m)^(\S+ \S+ \d+ \d+.*|.*±.*) [0-9.]+ *$`)

// TestReadme runs every command whose output the README or a tutorial shows and compares
// the output.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	names, err := filepath.Glob("docs/tutorials/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no tutorials: %v", err)
	}
	for _, name := range append(names, "README.md") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) { checkDocument(t, name) })
	}
}

// checkDocument runs the commands of one document in their order. Folders that a command
// writes (--out) are there for the commands after it.
func checkDocument(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	blocks := shown.FindAllSubmatchIndex(text, -1)
	if len(blocks) < 2 {
		t.Fatalf("%d checked blocks", len(blocks))
	}
	folders := make(map[string]string)
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
			got = output(t, words(command), got, folders)
		}
		if n, err := strconv.Atoi(part(1)); err == nil {
			got = head(got, n)
		}
		if !*update && steady(got) != steady(want) {
			t.Errorf("%s is stale (go test ./cmd/winnow -run Readme -update): winnow %s\n%s", name, part(2), got)
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
		if err := os.WriteFile(name, fresh.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// words splits a command at blanks, but not between single quotes.
func words(command string) (list []string) {
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// output runs a command. Files that it writes go to temporary folders: folders has them
// by the names that the document gives them.
func output(t *testing.T, args []string, stdin string, folders map[string]string) string {
	t.Helper()
	for i := 1; i < len(args); i++ {
		if args[i-1] == "--out" && folders[args[i]] == "" {
			folders[args[i]] = t.TempDir() + "/out"
		}
	}
	for i, arg := range args {
		if real := folders[arg]; real != "" {
			args[i] = real
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr); code != 0 {
		t.Fatalf("winnow %s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
	}
	out := stdout.String()
	for promised, real := range folders {
		out = strings.ReplaceAll(out, real, promised)
	}
	return out
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

// runFolder matches the folder of a run that a document shows.
var runFolder = regexp.MustCompile(`(?m)winnow run .* --out (\S+)`)

// TestReadmeRunsHaveFoldersOfTheirOwn checks that the commands of the README work one
// after the other: a run refuses the folder of another one.
func TestReadmeRunsHaveFoldersOfTheirOwn(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range runFolder.FindAllSubmatch(text, -1) {
		if folder := string(m[1]); seen[folder] {
			t.Errorf("two runs write to %s", folder)
		} else {
			seen[folder] = true
		}
	}
	if len(seen) < 2 {
		t.Errorf("the README shows %d runs", len(seen))
	}
}
