package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write today's output into README.md")

// shown is a block of the README that begins with a command, followed by what the
// command prints. A note such as "9 lines" says that the block shows only the first
// nine lines.
var shown = regexp.MustCompile("(?s)<!-- checked by TestReadme(?:: (\\d+) lines)? -->\n```console\n\\$ (?:go run ./cmd/)?winnow ([^\n]*)\n(.*?)```\n")

// volatile matches a line of a run's summary: package, extractor, documents, failures,
// and at the end the speed. It differs between two runs of the same command, and so do
// the column widths.
var volatile = regexp.MustCompile(`(?m)^(\S+ \S+ \d+ \d+.*|.*±.*) [0-9.]+ *$`)

// ratio matches the comparison of speeds in the first sentence of a summary, and broken a
// line of it that was broken, in a place that depends on the figures.
var (
	ratio  = regexp.MustCompile(`, at (the same speed|\S+ (times|of) its speed)`)
	broken = regexp.MustCompile(`\n  (\S)`)
)

// silent is a block of commands whose output is not shown.
var silent = regexp.MustCompile("(?s)<!-- run by TestReadme -->\n```sh\n(.*?)```\n")

// block is the beginning of any block of commands, after its comment if it has one.
var block = regexp.MustCompile("(?m)(?:^<!-- (.*) -->\n)?^```(?:console|sh)$")

// guides returns the pages of docs whose commands a reader follows. The tests of their own
// that two of them have run requests and Python.
func guides(t *testing.T) (names []string) {
	for _, folder := range []string{"start", "guide"} {
		pages, err := filepath.Glob("docs/" + folder + "/*.md")
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages in docs/%s: %v", folder, err)
		}
		for _, page := range pages {
			if base := filepath.Base(page); base != "http.md" && base != "python.md" {
				names = append(names, page)
			}
		}
	}
	return names
}

// TestReadme runs every command whose output the README or a guide shows and compares
// the output.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	for _, name := range append(guides(t), "README.md") {
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
	blocks := append(shown.FindAllSubmatchIndex(text, -1), silent.FindAllSubmatchIndex(text, -1)...)
	slices.SortFunc(blocks, func(a, b []int) int { return a[0] - b[0] })
	folders := make(map[string]string)
	var fresh bytes.Buffer
	at := 0
	for _, b := range blocks {
		if len(b) == 4 {
			for line := range strings.Lines(string(text[b[2]:b[3]])) {
				command, ours := strings.CutPrefix(line, "winnow ")
				if !ours {
					t.Errorf("%s: %q is not a command of winnow", name, line)
					continue
				}
				command, _, _ = strings.Cut(command, " #")
				output(t, words(command), "", folders)
			}
			continue
		}
		part := func(n int) string {
			if b[2*n] < 0 {
				return ""
			}
			return string(text[b[2*n]:b[2*n+1]])
		}
		want := part(3)
		got := ""
		for command := range strings.SplitSeq(part(2), " | winnow ") {
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

// TestCommandsOfGuidesRun checks that every block of commands in a guide is run by a test or
// says why it is not.
func TestCommandsOfGuidesRun(t *testing.T) {
	t.Chdir("../..")
	for _, name := range guides(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range block.FindAllSubmatch(text, -1) {
			if note := string(m[1]); !strings.HasPrefix(note, "checked by Test") && note != "run by TestReadme" && !strings.HasPrefix(note, "not run: ") {
				t.Errorf("%s: a block of commands has the comment %q", name, note)
			}
		}
		if regexp.MustCompile(`(?m)^    (winnow|go run) `).Match(text) {
			t.Errorf("%s: a command is in an indented block, which no test runs", name)
		}
	}
}

// TestReadmeFigures compares the figures on which the README rests with the page of measurements
// and with the model card, on whose pages of wcxb-dev the shipped model has this word F1.
func TestReadmeFigures(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	readme, measured, card := read("README.md"), read("eval/quality.md"), read("docs/models/winnow.md")
	promise := regexp.MustCompile(`Word F1 ([0-9.]+) where trafilatura has ([0-9.]+), at (\d+) times its speed`).FindStringSubmatch(readme)
	if promise == nil {
		t.Fatal("the README does not state word F1 and speed beside trafilatura")
	}
	row := func(extractor string) (f1 string, speed float64) {
		m := regexp.MustCompile("(?m)^\\| `" + extractor + "` \\|[^|]*\\| ([0-9.]+) .*").FindStringSubmatch(measured)
		if m == nil {
			t.Fatalf("eval/quality.md has no row for %s", extractor)
		}
		speed, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(strings.Split(m[0], "|")[7]), ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		return m[1], speed
	}
	_, ours := row("winnow")
	f1, theirs := row("trafilatura")
	if promise[2] != f1 {
		t.Errorf("the README has word F1 %s of trafilatura, eval/quality.md %s", promise[2], f1)
	}
	if times := strconv.Itoa(int(ours/theirs + .5)); promise[3] != times {
		t.Errorf("the README has %s times the speed of trafilatura, eval/quality.md %s", promise[3], times)
	}
	m := regexp.MustCompile(`(?m)^\| wcxb-dev \| 1356 \|[^|]*\|[^|]*\| (0\.\d+) \|`).FindStringSubmatch(card)
	if m == nil {
		t.Fatal("the model card has no word F1 of wcxb-dev")
	}
	if f, err := strconv.ParseFloat(m[1], 64); err != nil || strconv.FormatFloat(100*f, 'f', 1, 64) != promise[1] {
		t.Errorf("the README has word F1 %s of winnow, the model card %s", promise[1], m[1])
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
	s = ratio.ReplaceAllString(broken.ReplaceAllString(s, " $1"), "")
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
var runFolder = regexp.MustCompile(`(?m)winnow run .*--out (\S+)`)

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
