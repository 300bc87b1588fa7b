package pipeline

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// The modules that only tests import have a block of their own in go.mod, so
// that everyone sees what the programs are made of; and every module in it is
// imported by some test.
func TestModulesOfTestsStandApart(t *testing.T) {
	const file = "../go.mod"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	ofTests := map[string]bool{} // by direct requirement
	for _, statement := range mod.Syntax.Stmt {
		block, ok := statement.(*modfile.LineBlock)
		if !ok {
			continue
		}
		apart := len(block.Before) > 0 && strings.Contains(block.Before[0].Token, "Imported by tests alone")
		for _, r := range mod.Require {
			if r.Syntax.Start.Line > block.Start.Line && r.Syntax.Start.Line < block.RParen.Pos.Line && !r.Indirect {
				ofTests[r.Mod.Path] = apart
			}
		}
	}
	programs, tests := importedModules(t, ofTests)
	apart := 0
	for m, is := range ofTests {
		switch {
		case programs[m] && is:
			t.Errorf("go.mod: %s stands with the modules of tests, but a program imports it", m)
		case !programs[m] && !is:
			t.Errorf("go.mod: only tests import %s: move it to their block", m)
		case is && !tests[m]:
			t.Errorf("go.mod: no test imports %s", m)
		}
		if is {
			apart++
		}
	}
	if apart == 0 || apart == len(ofTests) {
		t.Errorf("go.mod has %d modules of tests among %d", apart, len(ofTests))
	}
}

// importedModules finds the modules that the files of programs import, and those
// that the files of tests do. The packages algotest are of tests.
func importedModules(t *testing.T, modules map[string]bool) (programs, tests map[string]bool) {
	programs, tests = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); file != ".." && (strings.HasPrefix(name, ".") || name == "testdata" || isModule(file)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		of := programs
		if strings.HasSuffix(file, "_test.go") || filepath.Base(filepath.Dir(file)) == "algotest" {
			of = tests
		}
		for _, spec := range parsed.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil {
				of[moduleOf(imported, modules)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return programs, tests
}

// moduleOf is the longest of the modules that a package may be of.
func moduleOf(pkg string, modules map[string]bool) string {
	for p := pkg; p != "." && p != "/"; p = filepath.Dir(p) {
		if _, ok := modules[p]; ok {
			return p
		}
	}
	return ""
}

// heavy packages once made up half of each program, or nine tenths of its start: clients of
// clouds by gRPC with its load balancing and telemetry, the query engine of Arrow, and a date
// parser with tables of all languages, and extraction libraries. None of them does anything for Winnow.
var heavy = []string{
	"github.com/markusmobius", "github.com/go-shiori", "codeberg.org/readeck", // libraries of the module peers
	"google.golang.org/grpc", "go.opentelemetry.io", "github.com/envoyproxy", "github.com/cncf/xds",
	"cloud.google.com/go/storage", "gocloud.dev",
	"github.com/apache/arrow/go/v15/arrow/flight", "github.com/apache/arrow/go/v15/arrow/compute",
}

func TestProgramsCarryWhatTheyUse(t *testing.T) {
	packages := dependencies(t, "cmd/...")
	for _, module := range heavy {
		for _, pkg := range below(packages, module) {
			t.Errorf("a program depends on %s: `go list -deps` and `go mod why` tell by which way", pkg)
		}
	}
}

// TestModuleHasNoReplacement: go install with a version refuses a module whose go.mod has one.
func TestModuleHasNoReplacement(t *testing.T) {
	for _, file := range []string{"../go.mod", "../peers/go.mod"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := modfile.Parse(file, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(mod.Replace)+len(mod.Exclude) > 0 {
			t.Errorf("%s replaces or excludes modules", file)
		}
	}
}

// dependencies returns the packages that a program, given by its folder, consists of.
func dependencies(t *testing.T, program string) []string {
	list := exec.Command("go", "list", "-deps", "./"+program)
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// below returns the packages of a module or folder.
func below(packages []string, module string) []string {
	var of []string
	for _, pkg := range packages {
		if pkg == module || strings.HasPrefix(pkg, module+"/") {
			of = append(of, pkg)
		}
	}
	return of
}
