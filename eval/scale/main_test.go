package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTablesAreThoseOfTheFigures checks that eval/scale.md has the tables that the figures
// give.
func TestTablesAreThoseOfTheFigures(t *testing.T) {
	f, err := load("figures.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../scale.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.into(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if want != string(text) {
		t.Error("eval/scale.md is stale: go -C eval run ./scale")
	}
}

// TestTrials measures two small runs and checks that what was counted is what such runs
// must do.
func TestTrials(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds programs and runs them, and reads their memory from /proc")
	}
	dir := t.TempDir()
	figuresFile, page := filepath.Join(dir, "figures.json"), filepath.Join(dir, "scale.md")
	var words bytes.Buffer
	code := run(t.Context(), []string{"--files", "7", "--mixed", "2", "--work", filepath.Join(dir, "work"), "--figures", figuresFile, "--page", page}, &words)
	if code != 1 || !strings.Contains(words.String(), "open "+page) {
		t.Fatalf("exit code %d: %s", code, &words)
	}
	f, err := load(figuresFile)
	if err != nil || len(f) != 2 {
		t.Fatalf("%d results, %v", len(f), err)
	}
	for _, want := range []struct {
		kind                kind
		files, items, pages int64
	}{{filesKind, 7, 7, 7}, {mixedKind, 2, 2, 200}} {
		r := f.of(want.kind)[0]
		if r.Files != want.files || r.Items != want.items || r.Pages != want.pages || r.Manifest.Parts != 1 {
			t.Errorf("%s: %+v", want.kind, r)
		}
		w, a := r.Requests["worker"], r.Requests["aggregate"]
		// Each item gives a shard of pages, documents and texts, which the aggregator
		// deletes when its part is committed.
		if w.Puts != 3*want.items || w.Read < r.Input || a.Deletes < 3*want.items || r.Requests["ingest"].Gets < want.files {
			t.Errorf("%s: requests %+v", want.kind, r.Requests)
		}
		for _, name := range append(programs[:len(programs):len(programs)], "broker") {
			if s := r.Processes[name]; s.CPU <= 0 || s.Memory < 1<<20 {
				t.Errorf("%s: %s took %+v", want.kind, name, s)
			}
		}
		if r.Messages < 2*want.items || r.Stored <= 0 || r.Output <= 0 || r.Manifest.Bytes <= r.Manifest.PartBytes {
			t.Errorf("%s: %+v", want.kind, r)
		}
	}
}

// known returns figures of a world in which every cost is known.
func known() figures {
	of := func(k kind, files, items, pages int64) *result {
		i, p := float64(items), float64(pages)
		r := &result{Kind: k, Files: files, Items: items, Pages: pages, Input: pages * 1000, Output: pages * 50, Seconds: 1,
			Processes: map[string]spent{}, Requests: map[string]traffic{}}
		real := 1.0
		if k == crawlKind {
			real = 10
		}
		r.Processes["ingest"] = spent{CPU: 1 + i/1000}
		r.Processes["worker"] = spent{CPU: 2 + i/100 + real*p/10_000}
		r.Processes["aggregate"] = spent{CPU: 3 + i/200 + real*p/100_000}
		r.Processes["broker"] = spent{CPU: i / 2000}
		for _, name := range programs {
			r.Requests[name] = traffic{Gets: items, Puts: 3 * items, Deletes: 2 * items}
		}
		r.Messages, r.Traffic, r.Stored = 10*items, 4000*items, 1300*items
		r.Manifest = manifest{Bytes: 3000 + 500*items, PartBytes: 300 * items, FileBytes: 200 * files, Parts: 1}
		return r
	}
	return figures{of(crawlKind, 4, 4, 4000), of(filesKind, 100, 100, 100), of(filesKind, 1000, 1000, 1000),
		of(mixedKind, 30, 30, 3000), of(pagesKind, 1, 1, 1000), of(pagesKind, 10, 10, 100_000)}
}

// TestModelFindsKnownCosts checks the model against a world in which every cost is known.
func TestModelFindsKnownCosts(t *testing.T) {
	m, err := build(known())
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*math.Max(1, want) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	near("worker, fixed", m.cpu["worker"].Fixed, 2)
	near("worker, item", m.cpu["worker"].Item, .01)
	near("worker, page", m.cpu["worker"].Page, 1e-4)
	near("worker, byte of real pages", m.workerByte, 1e-6)
	near("aggregator, item", m.cpu["aggregate"].Item, .005)
	near("aggregator, real page", m.mergePage, 1e-4)
	near("broker, fixed", m.cpu["broker"].Fixed, 0)
	near("messages", m.messages.at(7, 1e6), 70)
	near("manifest", m.manifest.at(1000, 0), 503_000)
	c := crawl{Files: 100, Items: 1000, Pages: 1e6, Bytes: 1e9}
	n := m.need(c)
	near("ingest", n.Ingest, 1.1)
	near("workers", n.Workers, 1000+10)
	near("aggregator", n.Aggregator, 3+5+100)
	near("broker's work", n.Broker, .5)
	near("GETs", n.Gets, 100+1000+1000)
	near("PUTs", n.Puts, 3*2100)
	near("output", n.Output, 50e6)
	near("run.json", n.Manifest, 3000+100*200+1000*300)
	near("money for requests", n.price().Requests, 2100*getPrice+6300*putPrice)
	near("money for cores", n.price().Cores, (1.1+1010+108+.5)/3600*coreHour)
	for workers, want := range map[int]string{1: "workers 1", 9: "workers 1", 10: "aggregator 2", 101: "aggregator 11"} {
		s := n.with(workers)
		if got := s.Limit + " " + figure(float64(s.Aggregators)); got != want {
			t.Errorf("%d workers: %s, want %s", workers, got, want)
		}
	}
	near("hours of the aggregator's limit", n.with(1000).Hours, (108+1.1)/3600)
	if _, err := build(known()[:4]); err != errFew {
		t.Errorf("a model of too few figures: %v", err)
	}
}

// TestNewFiguresReplaceOld checks that a trial of the same kind and size takes the place
// of an earlier one.
func TestNewFiguresReplaceOld(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.json")
	for _, r := range append(known(), &result{Kind: mixedKind, Pages: 3000, Seconds: 7}) {
		if err := add(file, r); err != nil {
			t.Fatal(err)
		}
	}
	f, err := load(file)
	if err != nil || len(f) != 6 || f.of(mixedKind)[0].Seconds != 7 {
		t.Errorf("%d results, %v", len(f), err)
	}
	data, err := json.Marshal(f.of(pagesKind))
	if err != nil || !strings.Contains(string(data), `"pages":100000`) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestTables(t *testing.T) {
	var out strings.Builder
	text, err := known().into("before\n<!-- scale messages -->\nold\n<!-- end -->\nafter\n")
	if err != nil {
		t.Fatal(err)
	}
	out.WriteString(text)
	for _, want := range []string{"before\n<!-- scale messages -->\n\n| run | pages | items |", "|---|---:|",
		"\n| one page a file | 1,000 | 1,000 | 10,000 | 10 | 4,000 | 4,000 | 1,300 | 1,300 |\n", "\n<!-- end -->\nafter\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s\nlacks %q", out.String(), want)
		}
	}
	for _, bad := range []string{"<!-- scale nosuch -->\n<!-- end -->", "<!-- scale cpu -->\n"} {
		if _, err := known().into(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	for v, want := range map[float64]string{0: "0", .001234: "0.00123", 12.345: "12.3", 234.5: "234", 1234567: "1,234,567"} {
		if got := figure(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--pages 0":    "want numbers",
		"--files 1,x":  "want numbers",
		"--copies 0":   "at least 1",
		"surplus":      "no further arguments",
		"--nosuchflag": "not defined",
	} {
		var words bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &words); code != 2 || !strings.Contains(words.String(), want) {
			t.Errorf("%s: exit code %d: %s", args, code, &words)
		}
	}
}
