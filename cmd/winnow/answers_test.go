package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// TestRealAnswers records the answers of an extractor that is not Winnow's, all text of a page as
// another HTML parser sees it, and scores the recording: word F1, precision and recall are those
// of the recorded answers of BeautifulSoup, which are all text, too, to the package cleanportaleval
// (Bevendorff and others 2023).
func TestRealAnswers(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED does not name a folder with gold packages")
	}
	dir := t.TempDir()
	program, archive, recording, out := filepath.Join(dir, "winnow"), filepath.Join(dir, "pages.warc.gz"), filepath.Join(dir, "floor.jsonl"), filepath.Join(dir, "out")
	call := func(name string, args ...string) []byte {
		cmd := exec.Command(name, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		answer, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
		}
		return answer
	}
	call("go", "build", "-o", program, ".")
	call(program, "pack", filepath.Join(shared, "packages", "cleanportaleval.tar.xz"), "-o", archive)

	call("tar", "-C", dir, "-xJf", filepath.Join(shared, "packages", "cleanportaleval.tar.xz"))
	names, err := filepath.Glob(filepath.Join(dir, "cleanportaleval", "*.html"))
	if err != nil || len(names) != 71 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	file, err := os.Create(recording)
	if err != nil {
		t.Fatal(err)
	}
	for lines, i := json.NewEncoder(file), 0; i < len(names); i++ {
		line := map[string]string{"id": strings.TrimSuffix(filepath.Base(names[i]), ".html"), "text": wholeText(t, names[i])}
		if err := lines.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	call(program, "run", "--quiet", "--extractors", "floor", "--answers", "floor="+recording, "--scorers", "wcxb-word-f1", "--out", out, archive)
	rows, err := csv.NewReader(bytes.NewReader(call(program, "report", "--format", "csv", "--table", "packages", out))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for column, want := range map[string]string{"scored": "71", "mean_f1": "0.576", "mean_precision": "0.429", "mean_recall": "0.972"} {
		got := rows[1][slices.Index(rows[0], column)]
		if f, err := strconv.ParseFloat(got, 64); err == nil && column != "scored" {
			got = fmt.Sprintf("%.3f", f)
		}
		if got != want {
			t.Errorf("%s is %s, published is %s", column, got, want)
		}
	}
}

// wholeText returns the text of a page without scripts and styles.
func wholeText(t *testing.T, name string) string {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoded, err := charset.NewReader(file, "")
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(decoded)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && !slices.Contains([]string{"script", "style", "noscript", "template"}, n.Parent.Data) {
			text.WriteString(n.Data + "\n")
		}
	}
	return text.String()
}
