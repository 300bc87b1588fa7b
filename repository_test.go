package winnow_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestWhatIsNotStableSaysSo checks that a package that others could import, and that is not one
// of those that they may rely on, says so in its comment.
func TestWhatIsNotStableSaysSo(t *testing.T) {
	const sentence = "This package is internal to Winnow and may change in any release."
	stable := []string{".", "algorithms", "algorithms/page", "algorithms/html"} // doc.go, "What is stable"
	comments := map[string]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if name != "." && (err == nil || entry.Name() == "testdata" || entry.Name() == "internal" || strings.HasPrefix(entry.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		if file.Name.Name != "main" {
			comments[filepath.ToSlash(filepath.Dir(name))] += file.Doc.Text()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stable {
		if comments[name] == "" {
			t.Errorf("package %s has no comment", name)
		}
	}
	for name, comment := range comments {
		if strings.Contains(comment, sentence) == slices.Contains(stable, name) {
			t.Errorf("package %s: if and only if it is not stable, its comment must have the sentence %q", name, sentence)
		}
	}
	if len(comments) < 100 {
		t.Errorf("only %d packages", len(comments))
	}
}

// TestIssueTemplates checks that the heads of the issue templates are what GitHub reads.
func TestIssueTemplates(t *testing.T) {
	files, err := filepath.Glob(".github/ISSUE_TEMPLATE/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no issue templates: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts := bytes.SplitN(text, []byte("---\n"), 3)
		if len(parts) != 3 || len(parts[0]) > 0 {
			t.Errorf("%s does not begin with a head between lines of ---", name)
			continue
		}
		var head struct{ Name, About string }
		if err := yaml.UnmarshalStrict(parts[1], &head); err != nil || head.Name == "" || head.About == "" {
			t.Errorf("%s: its head has the name %q and is about %q: %v", name, head.Name, head.About, err)
		}
	}
}
