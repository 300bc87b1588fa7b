package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow/winnow/cmd/internal/estimate"
	"github.com/winnow/winnow/schemas"
)

// TestPlanIsThatOfTheRun plans runs and carries them out. Files, items and bytes must be
// the same, and pages and rows too if the sample has the whole input.
func TestPlanIsThatOfTheRun(t *testing.T) {
	crawl, err := filepath.Abs("../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(crawl)
	if err != nil {
		t.Fatal(err)
	}
	in := t.TempDir()
	for _, name := range []string{"one.warc.gz", "two.warc.gz", "three.warc.gz"} {
		if err := os.WriteFile(filepath.Join(in, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) []byte {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), args, nil, &stdout, &stderr); code != 0 {
			t.Fatalf("winnow %q: exit code %d\n%s", args, code, &stderr)
		}
		return stdout.Bytes()
	}
	program := filepath.Join(t.TempDir(), "grain.sh")
	if err := os.WriteFile(program, []byte(`echo '{"protocol":1,"name":"grain"}'
n=0; while read -r line; do n=$((n+1)); echo "{\"id\":$n,\"text\":\"Grain\"}"; done
`), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, flags := range map[string][]string{
		"pages":    {"--extractors", "plain,bte", "--scorers", "vec,str", "--texts", "jsonl"},
		"items":    {"--extractors", "plain", "--scorers", "none", "--item-size", "20KiB", "--workers", "3"},
		"sites":    {"--extractors", "iwptd,plain", "--scorers", "vec"},
		"sample":   {"--extractors", "plain", "--scorers", "none", "--item-size", "50KiB"},
		"programs": {"--extractors", "grain", "--extractor-command", "grain=sh " + program, "--scorers", "none", "--facts", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			planFlags := append([]string{"plan", "--format", "json"}, flags...)
			if name == "sample" {
				planFlags = append(planFlags, "--sample", "100KiB")
			}
			var planned struct {
				schemas.Run
				Estimate *estimate.Estimate `json:"estimate"`
			}
			if err := json.Unmarshal(command(append(planFlags, in)...), &planned); err != nil {
				t.Fatal(err)
			}
			out := t.TempDir()
			command(append(append([]string{"run", "--run", "r", "--out", out}, flags...), in)...)
			data, err := os.ReadFile(filepath.Join(out, schemas.ManifestFile))
			if err != nil {
				t.Fatal(err)
			}
			var m schemas.Manifest
			if err := json.Unmarshal(data, &m); err != nil {
				t.Fatal(err)
			}
			if planned.Sealed != m.Run.Sealed {
				t.Errorf("planned %+v, run %+v", planned.Sealed, m.Run.Sealed)
			}
			for i, f := range planned.Files {
				if f != m.Run.Files[i] {
					t.Errorf("file %d: planned %+v, run %+v", i, f, m.Run.Files[i])
				}
			}
			e := planned.Estimate
			if e == nil || e.CoreHours <= 0 || e.MemoryBytes < 1<<20 || e.OutputBytes <= 0 {
				t.Fatalf("%+v", e)
			}
			if (e.ChildBytes > 0) != (name == "programs") {
				t.Errorf("%d bytes of child processes", e.ChildBytes)
			}
			if name == "sample" {
				if e.Sample.Bytes > 200<<10 || e.Sample.Ranges < 3 || e.Pages < m.Totals.Pages/2 || e.Pages > 2*m.Totals.Pages {
					t.Errorf("%d pages by the sample %+v, and the run has %d", e.Pages, e.Sample, m.Totals.Pages)
				}
				return
			}
			rows := map[schemas.Table]int64{}
			for _, table := range e.Tables {
				rows[table.Name] = table.Rows
			}
			want := map[schemas.Table]int64{}
			for i := range m.Parts {
				for _, f := range m.Parts[i].Files {
					if f.Rows > 0 {
						want[f.Table] += f.Rows
					}
				}
			}
			if e.Pages != m.Totals.Pages || !maps.Equal(rows, want) {
				t.Errorf("planned %d pages, rows %v; run %d, %v", e.Pages, rows, m.Totals.Pages, want)
			}
		})
	}
}
