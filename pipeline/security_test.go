package pipeline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// promise is a row of a table of SECURITY.md: a sentence and its tests.
	promise = regexp.MustCompile(`(?m)^\| ([^|]+\.) \| ([^|]+) \|$`)
	// proof is a test as SECURITY.md names it: its package and its function.
	proof = regexp.MustCompile("^`([a-z0-9/]+)` ((?:Test|Fuzz)[A-Za-z0-9_]+)$")
)

// TestSecurityNamesTests checks that every promise of SECURITY.md names tests that
// exist, or says that there is none yet.
func TestSecurityNamesTests(t *testing.T) {
	text, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	promises := promise.FindAllStringSubmatch(string(text), -1)
	if len(promises) < 30 {
		t.Fatalf("%d promises are found", len(promises))
	}
	tests := map[string]map[string]bool{} // by package
	for _, p := range promises {
		if p[2] == "none yet" {
			t.Logf("no test yet: %s", p[1])
			continue
		}
		for named := range strings.SplitSeq(p[2], ", ") {
			of := proof.FindStringSubmatch(named)
			if of == nil {
				t.Errorf("%q names no test: %s", named, p[1])
				continue
			}
			if tests[of[1]] == nil {
				tests[of[1]] = testsOf(t, filepath.Join("..", filepath.FromSlash(of[1])))
			}
			if !tests[of[1]][of[2]] {
				t.Errorf("package %s has no %s, which is to prove: %s", of[1], of[2], p[1])
			}
		}
	}
}

// testsOf are the names of the functions in the test files of a folder.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}
