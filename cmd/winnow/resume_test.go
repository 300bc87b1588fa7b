package main

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/schemas"
)

// begin records a run as one that was killed leaves it, and returns its options.
func begin(t *testing.T, blobs *blob.Client, flags *pflag.FlagSet, args ...string) *runOptions {
	t.Helper()
	o := new(runOptions)
	o.request.Register(flags)
	o.broker.Register(flags, "")
	flags.IntVar(&o.workers, "workers", 0, "")
	flags.StringVar(&o.store, "store", "", "")
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	plan, err := o.request.Options(t.Context(), blobs, []string{"../../examples/crawl.warc.gz"})
	if err != nil {
		t.Fatal(err)
	}
	store, err := blobs.Store(t.Context(), plan.Out)
	if err != nil {
		t.Fatal(err)
	}
	plan.Out, plan.Store = store.URL(), store
	r, err := ingest.Plan(t.Context(), blobs, plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifest.Create(t.Context(), store, &schemas.Manifest{Version: schemas.Version, Run: *r, Started: r.Created}); err != nil {
		t.Fatal(err)
	}
	return o
}

// The command that is printed when a run is interrupted is complete: it needs no other
// flags, and goes on with the inputs and the settings that the run has recorded.
func TestHintGoesOn(t *testing.T) {
	dir := t.TempDir()
	out, broker := filepath.Join(dir, "out"), filepath.Join(dir, "broker")
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	o := begin(t, blobs, flags, "--run", "r", "--out", out, "--extractors", "bte", "--scorers", "vec", "--texts", "jsonl", "--item-size", "64KiB", "--keep-going", "--workers", "2", "--store", broker)
	hint := o.goOn(t.Context(), blobs, flags)
	if want := "to go on: winnow run --run r --out " + out + " --workers=2 --store=" + broker; hint != want {
		t.Fatalf("%q, want %q", hint, want)
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), strings.Fields(strings.TrimPrefix(hint, "to go on: winnow ")), nil, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	if got := stdout.String(); !strings.Contains(got, "bte") || strings.Contains(got, "plain") || !strings.Contains(got, "62 pages") {
		t.Errorf("%s", got)
	}
	if hint := o.goOn(t.Context(), blobs, flags); hint != "" {
		t.Errorf("the run is finished: %q", hint)
	}
}

// What is not recorded is asked for again, and no password is printed.
func TestHintWithoutRecord(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	o := begin(t, blobs, flags, "--run", "r", "--out", filepath.Join(t.TempDir(), "it's here"), "--nats", "nats://user:secret@h:4222", "--nats-creds", "my creds")
	if hint := o.goOn(t.Context(), blobs, flags); strings.Contains(hint, "secret") || !strings.HasSuffix(hint, `/it'\''s here' --nats=URL --nats-creds='my creds'`) {
		t.Error(hint)
	}
	o.request.Out = t.TempDir()
	if hint := o.goOn(t.Context(), blobs, flags); !strings.HasPrefix(hint, "to go on: give the same command with --run r --out /") {
		t.Error(hint)
	}
}

// A second process is told that the run is in use, and not how to go on with it.
func TestNoHintForARunInUse(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	begin(t, blobs, flags, "--run", "r", "--out", out)
	err := local.WhileIdle(out, slog.New(slog.DiscardHandler), func() error {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"run", "--run", "r", "--out", out}, nil, &stdout, &stderr)
		if got := stderr.String(); code != 1 || !strings.Contains(got, "is in use by ") || strings.Contains(got, "to go on") {
			t.Errorf("exit code %d: %s", code, got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
