package winnow_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// consumer is a program that imports the library alone.
const consumer = `package main

import (
	"fmt"
	"os"

	"github.com/winnow/winnow"
)

func main() {
	result, err := winnow.Extract(os.Stdin, winnow.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Print(result.Markdown(), result.HTML(), len(result.Blocks()))
}
`

// shown is a file around the lines of Go that a document shows.
const shown = `package shown

import (
	"fmt"
	"net/http"

	"github.com/winnow/winnow"
)

var _ = fmt.Println

func document%d(response *http.Response) error {
	%s
	_, _ = result, err
	return nil
}
`

// TestConsumer builds a module that imports the library and requires what the library links, from
// the module cache alone. It must link fewer than 10 modules, the library among them, and the
// program must be smaller than 8 MB with its symbols. The lines of Go in the README and in the
// guide to the library compile there, too.
func TestConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	gomod := "module example.org/consumer\n\nrequire github.com/winnow/winnow v0.0.0\n\nreplace github.com/winnow/winnow => " + root + "\n"
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}go {{.GoVersion}}{{else}}require {{.Path}} {{.Version}}{{end}}{{end}}", ".")
	lines, err := list.Output()
	if err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	required := slices.Compact(slices.Sorted(strings.Lines(string(lines))))
	gomod += strings.Join(required, "")
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", consumer)
	write("go.mod", gomod)
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("build", "-o", "consumer", ".")
	if err := os.Mkdir(filepath.Join(dir, "shown"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"README.md", "docs/guide/library.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, lines, found := strings.Cut(string(text), "```go\n")
		lines, rest, _ := strings.Cut(lines, "```\n")
		if !found || strings.Contains(rest, "```go\n") {
			t.Errorf("%s does not have one block of Go", name)
		}
		write(fmt.Sprintf("shown/%d.go", i), fmt.Sprintf(shown, i, lines))
	}
	run("build", "./shown")
	info, err := os.Stat(filepath.Join(dir, "consumer"))
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Count(run("version", "-m", "consumer"), "\n\tdep\t")
	t.Logf("%d bytes, %d modules linked", info.Size(), linked)
	if info.Size() >= 8_000_000 || linked == 0 || linked >= 10 {
		t.Errorf("%d bytes, %d modules linked:\n%s", info.Size(), linked, run("version", "-m", "consumer"))
	}
	cmd := exec.Command(filepath.Join(dir, "consumer"))
	cmd.Stdin = strings.NewReader(news)
	if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "# The price of grain rises again\n") {
		t.Errorf("%v: %s", err, out)
	}
}
