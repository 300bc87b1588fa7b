package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The inspector shows what extractors of sites chose of a page: with the templates of the
// run they find the same as in the run, or are skipped for the same reason.
func TestInspectShowsExtractorsOfSites(t *testing.T) {
	out := ran(t, "--extractors", "plain,iwptd,sst", "--scorers", "vec", "../../examples/crawl.warc.gz")
	told := func(args ...string) string {
		t.Helper()
		var stdout, stderr strings.Builder
		if code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, stderr.String())
		}
		return stdout.String()
	}
	type key struct{ pkg, doc, extractor string }
	want := map[key]struct{ outcome, reason string }{}
	f1 := map[key]float64{}
	for line := range strings.Lines(told("report", "--table", "documents", "--format", "json", out)) {
		var row struct {
			Package, Extractor, Outcome, Reason string
			DocID                               string `json:"doc_id"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		want[key{row.Package, row.DocID, row.Extractor}] = struct{ outcome, reason string }{row.Outcome, row.Reason}
	}
	for line := range strings.Lines(told("report", "--table", "scores", "--format", "json", out)) {
		var row struct {
			Package, Extractor string
			DocID              string `json:"doc_id"`
			F1                 *float64
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.F1 != nil {
			f1[key{row.Package, row.DocID, row.Extractor}] = *row.F1
		}
	}
	applied := 0
	for _, name := range []string{"news/bees-depot", "wiki/front", "lights/front", "shop/spokeshave"} {
		pkg, doc, _ := strings.Cut(name, "/")
		if _, known := want[key{pkg, doc, "iwptd"}]; !known {
			continue
		}
		var page struct {
			Extractors []struct {
				Name, Outcome, Reason string
				F1                    *float64
			}
		}
		if err := json.Unmarshal([]byte(told("inspect", "--run", out, "--doc", name, "--format", "json")), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Extractors) != 3 {
			t.Errorf("%s: %d extractors, want 3", name, len(page.Extractors))
		}
		for _, e := range page.Extractors {
			k := key{pkg, doc, e.Name}
			if w := want[k]; e.Outcome != w.outcome || e.Reason != w.reason {
				t.Errorf("%s, %s: %s %s, in the run %s %s", name, e.Name, e.Outcome, e.Reason, w.outcome, w.reason)
			}
			if w, scored := f1[k]; scored && (e.F1 == nil || math.Abs(*e.F1-w) > 1e-8) {
				t.Errorf("%s, %s: F1 %v, in the run %v", name, e.Name, e.F1, w)
			}
			if e.Name != "plain" && e.Outcome == "ok" {
				applied++
			}
		}
	}
	if applied == 0 {
		t.Error("no extractor of sites answered")
	}
}
