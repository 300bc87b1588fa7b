package suite

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddingAnExtractor adds an extractor to a copy of the source by the commands of
// docs/guide/add-an-extractor.md. Nothing else may have to be changed. In place of all tests
// it runs those that look at lists of extractors.
func TestAddingAnExtractor(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a copy of all extractors")
	}
	guide, err := os.ReadFile("../../docs/guide/add-an-extractor.md")
	if err != nil {
		t.Fatal(err)
	}
	_, commands, _ := strings.Cut(string(guide), "```sh\n")
	commands, _, _ = strings.Cut(commands, "```")
	if !strings.Contains(commands, "go run ./internal/newextractor my-method") || !strings.HasSuffix(commands, "\ngo test ./...\n") {
		t.Fatalf("the commands of the guide are\n%s", commands)
	}
	commands = strings.Replace(commands, "go test ./...\n", `go test ./algorithms/extract/mymethod
go test ./algorithms/suite -run Suite|Catalogue|Ensembles|With|TestEveryExtractor/^my-method$
go test ./pipeline -run Imports
`, 1)
	root := t.TempDir()
	for _, file := range []string{"go.mod", "go.sum", "algorithms", "internal", "pipeline", "schemas"} {
		copyTree(t, filepath.Join("../..", file), filepath.Join(root, file))
	}
	for command := range strings.Lines(commands) {
		command, _, _ = strings.Cut(command, "#")
		cmd := exec.Command("go", strings.Fields(command)[1:]...)
		cmd.Dir = root
		// With -trimpath, the packages that did not change are those of the last call's copy.
		cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath "+os.Getenv("GOFLAGS"))
		if cmd.Args[1] == "test" {
			cmd.Args = append(cmd.Args, "-short", "-vet=off")
		}
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, text)
		}
	}
	catalogue, err := os.ReadFile(filepath.Join(root, "algorithms/README.md"))
	if err != nil || !strings.Contains(string(catalogue), "| `my-method` | page | experimental |") {
		t.Errorf("the catalogue lacks the new extractor: %v", err)
	}
}

// copyTree copies a file, or a folder and all below it.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(name, from)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o777)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}
