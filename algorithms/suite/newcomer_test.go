package suite

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddingAnExtractor adds an extractor to a copy of the source as the README says: a
// folder, an import and a line in the list. It then runs the README's commands, with those
// tests that look at lists of extractors. Nothing else may have to be changed.
func TestAddingAnExtractor(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a copy of all extractors")
	}
	root := t.TempDir()
	for _, file := range []string{"go.mod", "go.sum", "algorithms", "pipeline", "schemas"} {
		copyTree(t, filepath.Join("../..", file), filepath.Join(root, file))
	}
	// The extractor is plain with another name.
	const from, to = "algorithms/extract/plain", "algorithms/extract/newcomer"
	copyTree(t, filepath.Join(root, from), filepath.Join(root, to))
	write := func(file, old, text string) {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.ReplaceAll(string(data), old, text)
		if changed == string(data) {
			t.Fatalf("%s lacks %q", file, old)
		}
		if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"doc.go", "plain.go", "plain_test.go"} {
		write(filepath.Join(root, to, file), "package plain", "package newcomer")
	}
	write(filepath.Join(root, to, "plain.go"), `"plain"`, `"newcomer"`)
	cases, err := filepath.Glob(filepath.Join(root, to, "testdata", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, file := range cases {
		write(file, "-- plain --", "-- newcomer --")
	}
	list := filepath.Join(root, "algorithms/suite/pagelevel/pagelevel.go")
	const last = "\t\tweb2text.Extractor,\n"
	write(list, last, last+"\t\tnewcomer.Extractor,\n")
	const path = "\t\"github.com/winnow/winnow/algorithms/extract/plain\"\n"
	write(list, path, path+strings.Replace(path, "plain", "newcomer", 1))

	for _, args := range []string{
		"./algorithms/extract/newcomer -update",
		"./algorithms/suite -run Catalogue -update",
		"./algorithms/extract/newcomer",
		"./algorithms/suite -run Suite|Catalogue|Ensembles|With|TestEveryExtractor/^newcomer$",
		"./pipeline -run Imports",
	} {
		// With -trimpath, the packages that did not change are those of the last call's copy.
		cmd := exec.Command("go", append([]string{"test", "-short", "-trimpath", "-vet=off"}, strings.Fields(args)...)...)
		cmd.Dir = root
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go test %s: %v\n%s", args, err, text)
		}
	}
	catalogue, err := os.ReadFile(filepath.Join(root, "algorithms/README.md"))
	if err != nil || !strings.Contains(string(catalogue), "| `newcomer` |") {
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
