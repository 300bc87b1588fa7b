package request

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// Runs that are begun at the same time do not take each other for the same run.
func TestDefaultIDsAreUniqueAndSortByTime(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	seen := map[string]bool{}
	for range 100 {
		var r Run
		r.Fill(now)
		if err := schemas.RunID(r.ID).Check(); err != nil {
			t.Fatal(err)
		}
		if seen[r.ID] || !strings.HasPrefix(r.ID, "20260504-030201-") || len(r.ID) != 22 || r.Out != "winnow-"+r.ID {
			t.Fatalf("run %s, output in %s", r.ID, r.Out)
		}
		seen[r.ID] = true
	}
	var later Run
	later.Fill(now.Add(time.Second))
	for id := range seen {
		if id >= later.ID {
			t.Errorf("%s does not sort before %s", id, later.ID)
		}
	}
}

// A flag of names and values takes several of them, by the command line and by the
// environment, and refuses what it does not know. What was once a flag names its successor.
func TestSettings(t *testing.T) {
	for _, x := range []struct {
		args   []string
		env    map[string]string
		limits schemas.Limits
		mimes  []string
		fails  string
	}{
		{limits: schemas.Limits{BlockBytes: 64 << 20, PayloadBytes: 16 << 20, PageNodes: 1 << 20, PageText: 4 << 20, PageTime: 30 * time.Second, MethodTime: 5 * time.Minute, TextsFile: 256 << 20, ScoreBytes: 2 << 20, EarlierPages: 16 << 20}},
		{args: []string{"--limit", "payload=1MiB,text=2MiB", "--limit=page-time=1s"}, env: map[string]string{"WINNOW_SELECT": "mime=text/html,text/*\nmime=image/png\n"},
			limits: schemas.Limits{BlockBytes: 64 << 20, PayloadBytes: 1 << 20, PageNodes: 1 << 20, PageText: 2 << 20, PageTime: time.Second, MethodTime: 5 * time.Minute, TextsFile: 256 << 20, ScoreBytes: 2 << 20, EarlierPages: 16 << 20},
			mimes:  []string{"text/html", "text/*", "image/png"}},
		{env: map[string]string{"WINNOW_LIMIT": "nodes=5,scored=1KiB\nmethod-time=1m"},
			limits: schemas.Limits{BlockBytes: 64 << 20, PayloadBytes: 16 << 20, PageNodes: 5, PageText: 4 << 20, PageTime: 30 * time.Second, MethodTime: time.Minute, TextsFile: 256 << 20, ScoreBytes: 1 << 10, EarlierPages: 16 << 20}},
		{env: map[string]string{"WINNOW_LIMIT": "nodes=5 text=4"}, fails: `WINNOW_LIMIT: --limit nodes=5 text=4: want a whole number`},
		{env: map[string]string{"WINNOW_MAX_NODES": "5"}, fails: "WINNOW_MAX_NODES: --max-nodes is now --limit nodes=NUMBER"},
		{env: map[string]string{"WINNOW_SELECT_MIME": "text/html"}, fails: "WINNOW_SELECT_MIME: --select-mime is now --select mime=VALUE"},
		{env: map[string]string{"WINNOW_SELECT": "mime="}, fails: `WINNOW_SELECT: --select "mime=": want NAME=VALUE`},
	} {
		var r Run
		flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
		r.Register(flags)
		if err := flags.Parse(x.args); err != nil {
			t.Fatal(err)
		}
		err := service.FromEnvironment(flags, func(name string) (string, bool) { v, ok := x.env[name]; return v, ok })
		if x.fails != "" {
			if err == nil || !strings.Contains(err.Error(), x.fails) {
				t.Errorf("%v: %v", x.env, err)
			}
			continue
		}
		if err != nil || r.Limits != x.limits || !slices.Equal(r.Selecting.MIMEs, x.mimes) {
			t.Errorf("%v %v: %+v, %v, %v", x.args, x.env, r.Limits, r.Selecting.MIMEs, err)
		}
	}
}

// --for sets the flags of its preset, except for those that are given, and counts alone
// as given: a run that goes on with recorded settings refuses it by its name.
func TestFor(t *testing.T) {
	parsed := func(args ...string) *Run {
		var r Run
		flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
		r.Register(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		r.Fill(time.Now())
		return &r
	}
	for _, p := range presets {
		r := parsed("--for", p.name)
		if _, err := r.Options(t.Context(), nil, nil); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if !slices.Equal(r.Recipe(), []string{"--for"}) {
			t.Errorf("%s: given %v", p.name, r.Recipe())
		}
	}
	r := parsed("--for=llm", "--facts", "quality", "--texts=warc")
	if r.Facts != "quality" || r.Texts != "warc" || r.Extractors != "winnow" || r.Scorers != "none" || !r.RespectOptOut || r.Limits.TextsFile != 1<<30 {
		t.Errorf("%+v", r)
	}
	if got := r.StandsFor(); got != "--extractors winnow --scorers none --respect-optout --limit texts-file=1GiB" {
		t.Errorf("it stands for %s", got)
	}
	if r := parsed(); r.StandsFor() != "" || r.Texts != "none" {
		t.Errorf("without it: %+v", r)
	}
}

// TestRobots: robots that are named decide the phases, the facts and the filter, and what needs
// them is refused without them.
func TestRobots(t *testing.T) {
	options := func(args ...string) (*schemas.Recipe, error) {
		var r Run
		flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
		r.Register(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		r.Fill(time.Now())
		o, err := r.Options(t.Context(), nil, nil)
		return &o.Recipe, err
	}
	r, err := options("--robots", "GPTBot,*", "--facts", "none", "--respect-optout")
	if err != nil || r.Learn == nil || !slices.Equal(r.Learn.Agents, []string{"*", "gptbot"}) || !strings.HasSuffix(r.Keep, `and (robots_disallows == "")`) ||
		!slices.ContainsFunc(r.Facts, func(f schemas.Fact) bool { return f.Name == "robots" }) {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := options("--facts", "all", "--respect-optout"); err != nil || r.Learn != nil || strings.Contains(r.Keep, "robots_disallows") {
		t.Errorf("without robots: %+v, %v", r, err)
	}
	for _, args := range [][]string{{"--facts", "robots"}, {"--keep", `robots_allows != ""`}, {"--robots", "a b"}} {
		if _, err := options(args...); err == nil || !strings.Contains(err.Error(), "--robots") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
