package pipeline

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path that all of Winnow's imports begin with.
const module = "github.com/winnow/winnow/"

// policy says which of Winnow's own packages a package may import. It is
// policy: an import that breaks it is moved, the table is not edited to make a
// build pass. Imports point towards the ground. A pattern ending in /... is
// the folder and all below it. The first row that matches a package counts.
var policy = []struct {
	pkg     string
	imports []string
}{
	// Ground floor.
	{"schemas/value", nil},
	{"schemas", []string{"schemas/value"}},
	{"schemas/columnar", []string{"schemas"}},
	{"algorithms/html/...", []string{"algorithms/html/..."}},
	{"algorithms/page/...", []string{"algorithms/html", "algorithms/page/..."}},
	{"algorithms/internal/lcs", []string{"algorithms/internal/anchor"}},
	{"algorithms/internal/anchor", nil},
	{"algorithms/internal/tokens", nil},
	{"algorithms/internal/eight", nil},
	{"algorithms/internal/cpu", nil},
	{"algorithms/internal/testpages", nil}, // read by tests alone

	// First floor: the methods and what runs them.
	{"algorithms", []string{"algorithms/html", "algorithms/page"}},
	{"algorithms/feature/...", []string{"algorithms", "algorithms/html", "algorithms/page", "algorithms/feature/...", "algorithms/internal/eight"}},
	{"algorithms/extract/modelfile", nil},
	{"algorithms/extract/portable", nil},
	{"algorithms/extract/crf/...", []string{"algorithms", "algorithms/setting", "algorithms/html", "algorithms/page", "algorithms/extract/crf/...", "algorithms/extract/modelfile"}},
	{"algorithms/extract/web2text/...", []string{"algorithms", "algorithms/setting", "algorithms/html", "algorithms/page", "algorithms/feature/...", "algorithms/extract/web2text/...", "algorithms/extract/modelfile", "algorithms/extract/portable"}},
	{"algorithms/extract/winnow/...", []string{"algorithms", "algorithms/setting", "algorithms/html", "algorithms/page", "algorithms/feature/...", "algorithms/extract/winnow/...", "algorithms/internal/cpu"}},
	{"algorithms/extract/...", []string{"algorithms", "algorithms/setting", "algorithms/html", "algorithms/page", "algorithms/feature/..."}},
	{"algorithms/site/...", []string{"algorithms", "algorithms/setting", "algorithms/html", "algorithms/page", "algorithms/feature/...", "algorithms/site/internal/..."}},
	// A fact's columns and values are those of the rows of tables, which have them from here.
	{"algorithms/fact", []string{"algorithms", "algorithms/page", "schemas/value"}},
	{"algorithms/choose", []string{"algorithms", "algorithms/fact"}},
	{"algorithms/setting", []string{"algorithms", "algorithms/choose"}},
	{"algorithms/fact/...", []string{"algorithms", "algorithms/fact", "algorithms/html", "algorithms/page", "algorithms/feature/...", "algorithms/internal/eight", "algorithms/fact/internal/..."}},
	{"algorithms/score/...", []string{"algorithms", "algorithms/setting", "algorithms/html", "algorithms/page", "algorithms/page/markdown", "algorithms/feature/...", "algorithms/compare/...", "algorithms/internal/...", "algorithms/score/internal/..."}},
	{"algorithms/compare/...", []string{"algorithms", "algorithms/html", "algorithms/page", "algorithms/compare/...", "algorithms/internal/..."}},
	{"algorithms/driver/...", []string{"algorithms", "algorithms/fact", "algorithms/html", "algorithms/page"}},
	{"algorithms/suite/pagelevel", []string{"algorithms", "algorithms/extract/..."}},
	{"algorithms/suite", []string{"algorithms", "algorithms/suite/pagelevel", "algorithms/fact", "algorithms/extract/...", "algorithms/site/...", "algorithms/score/...", "algorithms/fact/..."}},
	{"algorithms/algotest", []string{"algorithms", "algorithms/fact", "algorithms/internal/testpages", "algorithms/html", "algorithms/page/...", "algorithms/feature/canon", "algorithms/feature/website"}},

	// Second floor: bytes, queue, stages.
	{"pipeline/warc/...", []string{"pipeline/warc/..."}},
	{"pipeline/source/payload/...", []string{"pipeline/source/payload/..."}},
	{"pipeline/retry", nil},
	{"pipeline/blob/...", []string{"pipeline/blob/...", "pipeline/retry"}},
	{"pipeline/queue/...", []string{"schemas", "pipeline/retry"}},
	{"pipeline/panics", nil},
	{"pipeline/extsort", nil},
	{"pipeline/manifest", []string{"schemas", "pipeline/blob"}},
	{"pipeline/source/gold/...", []string{"schemas", "pipeline/warc/write"}},
	{"pipeline/source/ccindex", []string{"pipeline/warc"}},
	// Rows of indexes that are tables are chosen by an expression.
	{"pipeline/source", []string{"schemas", "schemas/columnar", "pipeline/recipe/keep", "pipeline/warc", "pipeline/source/payload/...", "pipeline/blob", "pipeline/extsort", "pipeline/source/gold"}},
	{"pipeline/source/pack", []string{"schemas", "pipeline/source", "pipeline/blob", "pipeline/source/gold", "pipeline/warc", "pipeline/warc/check", "pipeline/warc/write"}},
	{"cmd/internal/doctor", []string{"pipeline/source/pack", "pipeline/warc", "pipeline/warc/write"}},
	{"pipeline/tables/conversion", []string{"schemas", "pipeline/warc", "pipeline/warc/write"}},
	{"pipeline/ingest/...", []string{"schemas", "schemas/columnar", "pipeline/extsort", "pipeline/source", "pipeline/source/pack", "pipeline/blob", "pipeline/manifest", "pipeline/queue", "pipeline/source/gold", "pipeline/tables"}},
	{"pipeline/extract/markup", []string{"algorithms/page", "algorithms/page/markdown"}},
	{"pipeline/recipe/keep", []string{"schemas", "algorithms/choose"}},
	{"pipeline/recipe", []string{"schemas", "algorithms", "algorithms/choose", "algorithms/fact", "algorithms/driver", "algorithms/html", "algorithms/page"}},
	{"pipeline/learn/robots", []string{"algorithms/fact", "algorithms/feature/website"}},
	{"pipeline/learn/template", []string{"schemas", "schemas/columnar", "algorithms", "algorithms/feature/website", "pipeline/blob", "pipeline/learn/robots"}},
	{"pipeline/worker", []string{"schemas", "pipeline/source", "pipeline/blob", "pipeline/panics", "pipeline/queue"}},
	// The tasks, and what they share. They import the contract of the worker and not
	// each other.
	{"pipeline/worker/shard", []string{"schemas", "schemas/columnar", "pipeline/blob", "pipeline/worker"}},
	{"pipeline/worker/records", []string{"schemas", "algorithms/feature/website", "pipeline/blob", "pipeline/source", "pipeline/warc", "pipeline/source/payload", "pipeline/source/gold", "pipeline/worker"}},
	{"pipeline/extract", []string{"schemas", "schemas/columnar", "algorithms", "algorithms/fact", "algorithms/driver", "algorithms/html", "algorithms/page", "algorithms/feature/website", "algorithms/compare/agreement", "algorithms/compare/complexity",
		"pipeline/source", "pipeline/warc", "pipeline/source/payload", "pipeline/blob", "pipeline/recipe/keep", "pipeline/extract/markup", "pipeline/extract/process", "pipeline/recipe", "pipeline/learn/robots", "pipeline/learn/template", "pipeline/worker/records", "pipeline/worker/shard", "pipeline/worker"}},
	{"pipeline/learn", []string{"schemas", "schemas/columnar", "algorithms", "algorithms/html", "algorithms/page", "algorithms/feature/website",
		"pipeline/source", "pipeline/warc", "pipeline/warc/write", "pipeline/source/payload", "pipeline/blob", "pipeline/recipe", "pipeline/learn/robots", "pipeline/learn/template", "pipeline/worker/records", "pipeline/worker/shard", "pipeline/worker"}},
	{"pipeline/manifest/account", []string{"schemas", "pipeline/warc"}},
	{"pipeline/stats", []string{"schemas", "algorithms", "algorithms/compare/agreement", "algorithms/feature/website", "pipeline/manifest/account", "pipeline/panics"}},
	{"pipeline/tables", []string{"schemas", "schemas/columnar", "pipeline/blob", "pipeline/tables/conversion", "pipeline/manifest", "pipeline/manifest/account", "pipeline/stats", "pipeline/panics"}},
	{"pipeline/commit/compact", []string{"pipeline/extsort", "schemas", "schemas/columnar", "algorithms/compare/agreement", "pipeline/warc", "pipeline/blob", "pipeline/manifest/account", "pipeline/stats", "pipeline/tables", "pipeline/tables/conversion", "pipeline/panics"}},
	{"pipeline/commit/...", []string{"schemas", "schemas/columnar", "algorithms", "pipeline/manifest/account", "pipeline/commit/compact", "pipeline/stats", "pipeline/tables", "pipeline/warc", "pipeline/blob", "pipeline/manifest", "pipeline/queue", "pipeline/panics", "pipeline/retry"}},
	{"cmd/internal/diff", []string{"schemas", "schemas/columnar", "algorithms", "pipeline/manifest/account", "pipeline/blob", "pipeline/extsort", "pipeline/tables"}},
	{"cmd/internal/failures", []string{"schemas", "schemas/columnar", "algorithms", "pipeline/manifest/account", "pipeline/blob", "pipeline/tables"}},
	{"cmd/internal/runs", []string{"schemas", "pipeline/manifest/account", "pipeline/blob", "pipeline/manifest"}},
	{"cmd/internal/verify", []string{"schemas", "schemas/columnar", "pipeline/manifest/account", "pipeline/blob", "pipeline/commit/compact", "pipeline/tables"}},
	{"pipeline/dedup", []string{"schemas", "schemas/columnar", "algorithms/fact/signature", "pipeline/blob", "pipeline/extsort", "pipeline/tables"}},
	{"pipeline/extract/process", []string{"algorithms", "algorithms/compare/align", "algorithms/driver", "algorithms/page"}},
	{"pipeline/report/...", []string{"schemas", "schemas/columnar", "algorithms", "algorithms/compare/agreement", "algorithms/feature/website", "pipeline/service", "pipeline/blob", "pipeline/manifest/account", "pipeline/stats", "pipeline/tables", "pipeline/tables/conversion", "pipeline/panics", "pipeline/report/..."}},
	{"pipeline/service/...", nil},
	{"cmd/internal/estimate", []string{"schemas", "pipeline/blob", "pipeline/extract/process", "pipeline/local", "pipeline/manifest", "pipeline/source"}},
	{"pipeline/local/...", []string{"schemas", "schemas/columnar", "algorithms", "pipeline/..."}},

	// Roof: the library and the programs.
	{".", []string{"algorithms/...", "pipeline/extract/markup", "pipeline/source/payload/charset"}},
	{"python/native", []string{"."}},
	{"cmd/...", []string{"..."}},
	{"examples/...", []string{"schemas", "pipeline/..."}},
	{"deploy/...", []string{"cmd/...", "deploy/rows", "deploy/monitor", "pipeline/service", "pipeline/warc/write"}},
}

// soleImporters says who alone may import a library outside of tests.
var soleImporters = map[string]string{
	"github.com/nats-io/nats.go":     "pipeline/queue",
	"github.com/apache/arrow/go/v15": "schemas/columnar",
	"github.com/slyrz/warc":          "pipeline/warc",
	"github.com/cenkalti/backoff/v5": "pipeline/retry",
}

// pure packages compute; they see no files, network, clock, log or randomness.
// The driver (context, clock) and the harness (files) are excused.
var pure = []struct {
	below   string
	excused []string
	banned  []string
}{
	{
		below:   "algorithms",
		excused: []string{"algorithms/driver/...", "algorithms/algotest", "algorithms/html/internal/...", "algorithms/internal/testpages"},
		banned:  []string{"os", "net", "net/http", "context", "log", "log/slog", "time", "math/rand", "math/rand/v2", "sync", "os/exec"},
	},
	// The bootstrap draws from a generator that is seeded by what it measures.
	{below: "pipeline/stats", banned: []string{"os", "net", "net/http", "context", "log", "log/slog", "time", "math/rand", "os/exec"}},
	{below: "pipeline/manifest/account", banned: []string{"os", "net", "net/http", "context", "log", "log/slog", "time", "math/rand", "math/rand/v2", "sync", "os/exec"}},
}

func TestImportsPointToTheGround(t *testing.T) {
	root := ".."
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); file != root && (strings.HasPrefix(name, ".") || name == "testdata" || isModule(file)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		checkFile(t, filepath.ToSlash(rel), file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isModule reports whether a folder is a module of its own, to which the import policy does
// not apply: the measurements in eval, and what replaces a module of another project.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func checkFile(t *testing.T, pkg, file string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	if parsed.Name.Name == "main" && strings.Contains(pkg, "/internal/") {
		return // generators are run by hand
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		own, isOwn := strings.CutPrefix(imported, module)
		if isOwn && matches("algorithms/...", pkg) && matches("pipeline/...", own) {
			t.Errorf("%s imports %s: algorithms know nothing of the pipeline, in their tests neither", file, own)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue // no other line of the policy is about tests
		}
		if isOwn {
			checkOwn(t, pkg, own, file)
			continue
		}
		for library, only := range soleImporters {
			if (imported == library || strings.HasPrefix(imported, library+"/")) && !matches(only+"/...", pkg) {
				t.Errorf("%s imports %s, which only %s may", file, imported, only)
			}
		}
		for _, p := range pure {
			if matches(p.below+"/...", pkg) && !matchesAny(p.excused, pkg) && slices.Contains(p.banned, imported) {
				t.Errorf("%s imports %s: below %s there are no files, network, clock, log or unseeded randomness", file, imported, p.below)
			}
		}
	}
}

func checkOwn(t *testing.T, pkg, imported, file string) {
	for _, row := range policy {
		if matches(row.pkg, pkg) {
			if !matchesAny(row.imports, imported) {
				t.Errorf("%s: package %s must not import %s", file, pkg, imported)
			}
			return
		}
	}
	t.Errorf("%s: package %s is in no row of the policy: which room is it?", file, pkg)
}

func matchesAny(patterns []string, pkg string) bool {
	for _, p := range patterns {
		if matches(p, pkg) {
			return true
		}
	}
	return false
}

func matches(pattern, pkg string) bool {
	if pattern == "..." {
		return true
	}
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == below || strings.HasPrefix(pkg, below+"/")
	}
	return path.Clean(pattern) == pkg
}
