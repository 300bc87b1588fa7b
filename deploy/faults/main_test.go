package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// A trial over the example crawl, with real programs and a real broker, kills processes.
func TestTrial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs and runs them")
	}
	var out, words bytes.Buffer
	code := run(t.Context(), []string{"--trials", "1", "--faults", "kill", "--copies", "1",
		"--crawl", "../../examples/crawl.warc.gz", "--format", "json", "--work", t.TempDir()}, &out, &words)
	if code != 0 {
		t.Fatalf("exit code %d:\n%s%s", code, out.String(), words.String())
	}
	d := json.NewDecoder(&out)
	var r result
	if err := d.Decode(&r); err != nil || !r.passed() || r.Rows < 800 {
		t.Errorf("%+v %v", r, err)
	}
	var end struct{ Summary summary }
	if err := d.Decode(&end); err != nil || end.Summary.Passed != 1 || len(end.Summary.Faults) == 0 {
		t.Errorf("summary: %+v %v", end, err)
	}
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--faults fire":   "unknown fault",
		"--trials 0":      "at least 1",
		"--format xml":    "--format is text or json",
		"--trials 1 more": "no further arguments",
		"--nosuch":        "not defined",
	} {
		var out, words bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &out, &words); code != 2 || !strings.Contains(words.String(), want) {
			t.Errorf("%s: exit code %d: %s", args, code, words.String())
		}
	}
}

func TestSummaryCountsWhatHappened(t *testing.T) {
	var s summary
	s.add(&result{Nodes: 3, Sync: true, Events: []event{{Kind: wipe}, {Kind: kill}, {Kind: kill}}})
	s.add(&result{Nodes: 1, Events: []event{{Kind: kill}}, Problems: []string{"x"}})
	var b bytes.Buffer
	text{&b}.summary(&s)
	want := "\n  fault  trials  faults  failed\n   kill       2       3       1\n   wipe       1       1       0\n\n  brokers  sync_interval  trials  failed\n        1             2m       1       1\n        3         always       1       0\n2 trials, 1 passed (0 of them left messages or shards that nothing reads), 1 failed\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
