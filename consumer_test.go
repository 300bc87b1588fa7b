package winnow_test

import (
	"os"
	"os/exec"
	"path/filepath"
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

// TestConsumer builds a module that imports the library, from the module cache alone, and
// counts what it links and requires: fewer than 10 modules, itself among them, and less than 8 MiB with symbols.
func TestConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(own), "\ngo ")
	version, _, _ := strings.Cut(after, "\n")
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", consumer)
	write("go.mod", "module example.org/consumer\n\ngo "+version+"\n\nrequire github.com/winnow/winnow v0.0.0\n\nreplace github.com/winnow/winnow => "+root+"\n")
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("build", "-o", "consumer", ".")
	info, err := os.Stat(filepath.Join(dir, "consumer"))
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Count(run("version", "-m", "consumer"), "\n\tdep\t")
	required := 0
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		if line = strings.TrimPrefix(strings.TrimSpace(line), "require "); strings.Contains(line, " v") && !strings.Contains(line, "=>") {
			required++
		}
	}
	t.Logf("%d bytes, %d modules linked, %d required", info.Size(), linked, required)
	if info.Size() >= 8<<20 || linked == 0 || linked >= 10 || required >= 10 {
		t.Errorf("%d bytes, %d modules linked, %d required:\n%s", info.Size(), linked, required, run("version", "-m", "consumer"))
	}
	cmd := exec.Command(filepath.Join(dir, "consumer"))
	cmd.Stdin = strings.NewReader(news)
	if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "# The price of grain rises again\n") {
		t.Errorf("%v: %s", err, out)
	}
}
