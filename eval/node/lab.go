package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow/winnow/deploy/rows"
	"github.com/winnow/winnow/eval/binaries"
)

// copies of the crawl make a run last long enough to be disturbed.
const copies = 12

// settings of the runs, as flags without their dashes.
var settings = [][2]string{{"item-size", "16KB"}, {"extractors", "plain,bte,density"}, {"scorers", "str,vec"}, {"texts", "parquet"}}

// lab holds what all trials share.
type lab struct {
	options
	data        string // the volume that all pods have
	undisturbed map[string]rows.Tables
	cloud       *cloud // for the overlays that need one; nil until one does
}

// prepare builds the programs, writes the inputs and makes the runs on one machine.
func prepare(ctx context.Context, o options) (*lab, error) {
	l := &lab{options: o, data: filepath.Join(o.work, "data"), undisturbed: map[string]rows.Tables{}}
	// The image has no libraries, so the programs have nothing that cgo links.
	if err := binaries.Build(ctx, l.program(""), "-trimpath", "-ldflags=-s", "-tags=netgo,osusergo"); err != nil {
		return nil, err
	}
	crawl, err := os.ReadFile(o.crawl)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(l.data); err != nil { // of an earlier call
		return nil, err
	}
	for _, in := range []string{"in", "in-hostile", "in-alerts"} {
		if err := os.MkdirAll(filepath.Join(l.data, in), 0o777); err != nil {
			return nil, err
		}
		for i := range copies {
			if err := os.WriteFile(filepath.Join(l.data, in, fmt.Sprintf("crawl-%02d.warc.gz", i)), crawl, 0o666); err != nil {
				return nil, err
			}
		}
	}
	if err := writeHostile(filepath.Join(l.data, "in-hostile", hostileFile)); err != nil {
		return nil, err
	}
	for _, in := range []string{"in", "in-hostile"} {
		if !slices.ContainsFunc(o.trials, func(t trial) bool { return t.compared() == in }) {
			continue
		}
		if l.undisturbed[in], err = l.oneMachine(ctx, in, settings, filepath.Join(l.data, in)); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// oneMachine reads the tables that "winnow run" writes for some inputs.
func (l *lab) oneMachine(ctx context.Context, name string, settings [][2]string, inputs ...string) (rows.Tables, error) {
	out := folder(filepath.Join(l.work, "undisturbed-"+name))
	if err := os.RemoveAll(string(out)); err != nil {
		return nil, err
	}
	args := []string{"run", "--run", "undisturbed", "--out", string(out), "--log-level", "warn"}
	for _, s := range settings {
		args = append(args, "--"+s[0]+"="+s[1])
	}
	if _, err := command(ctx, nil, l.program("winnow"), append(args, inputs...)...); err != nil {
		return nil, err
	}
	return out.read()
}

func (l *lab) program(name string) string { return filepath.Join(l.work, "bin", name) }

// store is the volume of the broker.
func (l *lab) store() string { return filepath.Join(l.work, "store") }

// install starts the node and gives it the images and the volumes.
func (l *lab) install(ctx context.Context, c *cluster) error {
	// Nothing of an earlier call is kept but the programs: its runs have the same names.
	for _, dir := range []string{filepath.Join(c.dir, "etcd"), l.store()} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := c.up(ctx); err != nil {
		return err
	}
	if err := c.image(ctx, l.program("winnow"), "/usr/local/bin/winnow", "docker.io/library/winnow:devel", "docker.io/library/winnow:next"); err != nil {
		return err
	}
	if err := c.image(ctx, l.program("nats-server"), "/usr/local/bin/nats-server", "docker.io/library/"+brokerImage); err != nil {
		return err
	}
	// The programs are not root, and a volume on the node's disk is not given to them.
	if err := c.volume(ctx, "winnow", "winnow-data", l.data, "20Gi"); err != nil {
		return err
	}
	return c.volume(ctx, "winnow", "store-nats-0", l.store(), "2Gi")
}

// brokerImage is the image that the overlay names for the broker.
const brokerImage = "nats:2.15.2-alpine"
