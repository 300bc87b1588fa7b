package verify_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/verify"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/schemas"
)

const build = "test"

func extraction() extract.Options {
	return extract.Options{Extractors: suite.Extractors(), Scorers: suite.Scorers()}
}

// finished carries out a run over a copy of the example archive, which is gone afterwards,
// and returns its output folder.
func finished(t *testing.T) (out string) {
	t.Helper()
	dir := t.TempDir()
	out, archive := filepath.Join(dir, "out"), filepath.Join(dir, "crawl.warc.gz")
	data, err := os.ReadFile("../../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, data, 0o644); err != nil {
		t.Fatal(err)
	}
	x, err := choose.Extractors(suite.Extractors(), "plain,bte")
	if err != nil {
		t.Fatal(err)
	}
	s, err := choose.Scorers(suite.Scorers(), "vec")
	if err != nil {
		t.Fatal(err)
	}
	client := blob.New(blob.Options{})
	defer client.Close()
	plan := ingest.Options{Run: "r", Inputs: []string{archive}, Out: out, ItemBytes: 40 << 10, Recipe: schemas.Recipe{
		Version: schemas.Version, Build: build, PackageBy: schemas.ByFile, SiteBy: schemas.ByHost, Texts: schemas.TextsParquet, Spans: true}}
	plan.Recipe.Extractors, plan.Recipe.Scorers = recipe.Methods(x, s)
	if _, err := local.Run(t.Context(), local.Options{Blobs: client, Plan: plan, Extract: extraction()}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(archive); err != nil {
		t.Fatal(err)
	}
	return out
}

func check(t *testing.T, out, build string) *verify.Result {
	t.Helper()
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := verify.Run(t.Context(), store, verify.Options{Blobs: client, Build: build})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A sound folder has no findings, even without its input: nothing but the folder is read.
// Each kind of damage is found, and is undone before the next.
func TestDamageIsFound(t *testing.T) {
	out := finished(t)
	sound := func() {
		t.Helper()
		if r := check(t, out, build); len(r.Findings) != 0 || r.Files < 4 || len(r.Tables) != 4 || !r.Finished {
			t.Errorf("%+v", r)
		}
	}
	sound()

	in := func(name string) string { return filepath.Join(out, name) }
	one := func(folder string) string {
		files, err := filepath.Glob(in(folder + "/*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", folder, err)
		}
		return files[0]
	}
	flip := func(b []byte) []byte {
		b = bytes.Clone(b)
		b[len(b)/2] ^= 1
		return b
	}
	edit := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				t.Fatalf("no %q", old)
			}
			return bytes.Replace(b, []byte(old), []byte(new), 1)
		}
	}
	for _, c := range []struct {
		name, file string
		change     func([]byte) []byte // nil removes the file
		kind       verify.Kind
		detail     string
	}{
		{"a byte of a part", one("documents"), flip, verify.Part, "its bytes were changed"},
		{"the end of a part", one("scores"), func(b []byte) []byte { return b[:len(b)-1] }, verify.Part, "was committed with"},
		{"a part is gone", one("texts"), nil, verify.Part, "it is missing"},
		{"a table is gone", in(schemas.PackagesFile), nil, verify.Table, "it is missing"},
		{"a table is no table", in(schemas.FailuresFile), func(b []byte) []byte { return b[:len(b)/2] }, verify.Table, "it cannot be read"},
		{"no marker", in(schemas.SuccessFile), nil, verify.Manifest, "it is missing, and the run is finished"},
		{"half a manifest", in(schemas.ManifestFile), func(b []byte) []byte { return b[:len(b)/2] }, verify.Manifest, "unexpected end"},
		{"another recipe", in(schemas.ManifestFile), edit(`"package_by": "file"`, `"package_by": "host"`), verify.Manifest, "the recipe was changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was, err := os.ReadFile(c.file)
			if err != nil {
				t.Fatal(err)
			}
			if c.change == nil {
				err = os.Remove(c.file)
			} else {
				err = os.WriteFile(c.file, c.change(was), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			r := check(t, out, build)
			if len(r.Findings) != 1 || r.Findings[0].Kind != c.kind || !strings.Contains(r.Findings[0].Detail, c.detail) {
				t.Errorf("%+v", r.Findings)
			}
			if err := os.WriteFile(c.file, was, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}

	t.Run("a file among the parts", func(t *testing.T) {
		part := one("pages")
		data, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		stray := filepath.Join(filepath.Dir(part), "part-99999.parquet")
		if err := os.WriteFile(stray, data, 0o644); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(stray)
		r := check(t, out, build)
		if len(r.Findings) != 1 || r.Findings[0].Kind != verify.Stray || r.Findings[0].Object != "pages/part-99999.parquet" {
			t.Errorf("%+v", r.Findings)
		}
	})

	sound()
}

// A check that is interrupted says so, and finds nothing.
func TestInterrupted(t *testing.T) {
	out := finished(t)
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r, err := verify.Run(ctx, store, verify.Options{Blobs: client, Build: build}); err == nil || r != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
