package verify_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
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

// finished carries out a run over a copy of the example archive, and returns its output
// folder and the copy.
func finished(t *testing.T) (out, archive string) {
	t.Helper()
	dir := t.TempDir()
	out, archive = filepath.Join(dir, "out"), filepath.Join(dir, "crawl.warc.gz")
	data, err := os.ReadFile("../../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, data, 0o644); err != nil {
		t.Fatal(err)
	}
	x, err := algorithms.ChooseExtractors(suite.Extractors(), "plain,bte")
	if err != nil {
		t.Fatal(err)
	}
	s, err := algorithms.ChooseScorers(suite.Scorers(), "vec")
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
	return out, archive
}

func check(t *testing.T, out string, opt verify.Options) *verify.Result {
	t.Helper()
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	opt.Blobs, opt.Task = client, extract.New(extraction())
	r, err := verify.Run(t.Context(), store, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// replace changes a file in a folder.
func replace(t *testing.T, name string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, change(data), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A sound folder has no findings, whatever the sample. Each kind of damage is found, and
// is undone before the next.
func TestDamageIsFound(t *testing.T) {
	out, archive := finished(t)
	for sample, want := range map[int]int{0: 0, 2: 2, 1000: -1} {
		r := check(t, out, verify.Options{Build: build, Sample: sample, Seed: 5})
		if want < 0 {
			want = r.Items
		}
		if len(r.Findings) != 0 || len(r.Sample) != want || sample > 0 && (r.Items < 3 || r.Compared == 0) {
			t.Errorf("sample %d: %+v", sample, r)
		}
		if sample == 1000 && (r.Pages != 62 || r.Files < 4 || len(r.Tables) != 3 || !r.Finished) {
			t.Errorf("%+v", r)
		}
	}
	a, b := check(t, out, verify.Options{Build: build, Sample: 2, Seed: 8}), check(t, out, verify.Options{Build: build, Sample: 2, Seed: 8})
	if len(a.Sample) != 2 || a.Sample[0] != b.Sample[0] || a.Sample[1] != b.Sample[1] {
		t.Errorf("one seed chose %v and %v", a.Sample, b.Sample)
	}

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
		build      string
		kind       verify.Kind
		detail     string
	}{
		{"a byte of a part", one("documents"), flip, build, verify.Part, "its bytes were changed"},
		{"the end of a part", one("scores"), func(b []byte) []byte { return b[:len(b)-1] }, build, verify.Part, "was committed with"},
		{"a part is gone", one("texts"), nil, build, verify.Part, "it is missing"},
		{"a table is gone", in(schemas.PackagesFile), nil, build, verify.Table, "it is missing"},
		{"a table is no table", in(schemas.FailuresFile), func(b []byte) []byte { return b[:len(b)/2] }, build, verify.Table, "it cannot be read"},
		{"no marker", in(schemas.SuccessFile), nil, build, verify.Manifest, "it is missing, and the run is finished"},
		{"half a manifest", in(schemas.ManifestFile), func(b []byte) []byte { return b[:len(b)/2] }, build, verify.Manifest, "unexpected end"},
		{"another recipe", in(schemas.ManifestFile), edit(`"package_by": "file"`, `"package_by": "host"`), build, verify.Manifest, "the recipe was changed"},
		{"another version", in(schemas.SuccessFile), func(b []byte) []byte { return b }, "later", verify.Program, "version test"},
		{"a page was changed", archive, flip, build, verify.Input, "it was changed since the run"},
		{"the archive is gone", archive, nil, build, verify.Input, "it is gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was, err := os.ReadFile(c.file)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(c.file)
			if err != nil {
				t.Fatal(err)
			}
			if c.change == nil {
				err = os.Remove(c.file)
			} else if err = os.WriteFile(c.file, c.change(was), 0o644); err == nil && c.kind == verify.Input {
				err = os.Chtimes(c.file, time.Time{}, info.ModTime().Add(time.Hour))
			}
			if err != nil {
				t.Fatal(err)
			}
			r := check(t, out, verify.Options{Build: c.build, Sample: 1, Seed: 1})
			if len(r.Findings) != 1 || r.Findings[0].Kind != c.kind || !strings.Contains(r.Findings[0].Detail, c.detail) {
				t.Errorf("%+v", r.Findings)
			}
			if err := os.WriteFile(c.file, was, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(c.file, time.Time{}, info.ModTime()); err != nil {
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
		r := check(t, out, verify.Options{Build: build})
		if len(r.Findings) != 1 || r.Findings[0].Kind != verify.Stray || r.Findings[0].Object != "pages/part-99999.parquet" {
			t.Errorf("%+v", r.Findings)
		}
	})

	// The archive has other pages, and the time and size of the one that was read: what
	// only the rows can show.
	t.Run("other rows", func(t *testing.T) {
		info, err := os.Stat(archive)
		if err != nil {
			t.Fatal(err)
		}
		replace(t, archive, func(b []byte) []byte { return flip(b) })
		if err := os.Chtimes(archive, time.Time{}, info.ModTime()); err != nil {
			t.Fatal(err)
		}
		r := check(t, out, verify.Options{Build: build, Sample: 1000})
		if len(r.Findings) == 0 || r.Findings[0].Kind != verify.Rows {
			t.Fatalf("%+v", r.Findings)
		}
		replace(t, archive, func(b []byte) []byte { return flip(b) })
		if err := os.Chtimes(archive, time.Time{}, info.ModTime()); err != nil {
			t.Fatal(err)
		}
	})
	if r := check(t, out, verify.Options{Build: build, Sample: 1000}); len(r.Findings) != 0 {
		t.Errorf("after all was undone: %+v", r.Findings)
	}
}

// A check that is interrupted says so, and finds nothing.
func TestInterrupted(t *testing.T) {
	out, _ := finished(t)
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
