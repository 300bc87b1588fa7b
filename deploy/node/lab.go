package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow/winnow/deploy/internal/rows"
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
}

// prepare builds the programs, writes the inputs and makes the runs on one machine.
func prepare(ctx context.Context, o options) (*lab, error) {
	l := &lab{options: o, data: filepath.Join(o.work, "data"), undisturbed: map[string]rows.Tables{}}
	// The image has no libraries, so the programs are static.
	if _, err := command(ctx, nil, "env", "CGO_ENABLED=0", "go", "build", "-trimpath", "-ldflags=-s", "-o", l.program("")+string(filepath.Separator),
		"github.com/winnow/winnow/cmd/winnow", "github.com/nats-io/nats-server/v2"); err != nil {
		return nil, err
	}
	crawl, err := os.ReadFile(o.crawl)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(l.data); err != nil { // of an earlier call
		return nil, err
	}
	for _, in := range []string{"in", "in-hostile"} {
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
	for _, t := range o.trials {
		if l.undisturbed[t.inputs()] != nil {
			continue
		}
		out := filepath.Join(o.work, "undisturbed-"+t.inputs())
		if err := os.RemoveAll(out); err != nil {
			return nil, err
		}
		args := []string{"run", "--run", "undisturbed", "--out", out, "--log-level", "warn"}
		for _, s := range settings {
			args = append(args, "--"+s[0], s[1])
		}
		if _, err := command(ctx, nil, l.program("winnow"), append(args, filepath.Join(l.data, t.inputs()))...); err != nil {
			return nil, err
		}
		if l.undisturbed[t.inputs()], _, err = rows.Read(out); err != nil {
			return nil, err
		}
	}
	return l, nil
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
	var volumes strings.Builder
	for _, v := range []struct{ claim, dir, size string }{{"winnow-data", l.data, "20Gi"}, {"store-nats-0", l.store(), "2Gi"}} {
		// The programs are not root, and a volume on the node's disk is not given to them.
		if err := makeFolder(v.dir); err != nil {
			return err
		}
		fmt.Fprintf(&volumes, "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: %s}\n", v.claim)
		fmt.Fprintf(&volumes, "spec: {capacity: {storage: %s}, accessModes: [ReadWriteOnce], hostPath: {path: %s}, claimRef: {namespace: winnow, name: %s}}\n---\n", v.size, v.dir, v.claim)
	}
	_, err := c.apply(ctx, []byte(volumes.String()), "apply", "-f", "-")
	return err
}

// brokerImage is the image that the overlay names for the broker.
const brokerImage = "nats:2.15.2-alpine"

// kustomize writes a kustomization that is the overlay with the settings of a run, and
// returns its folder.
func (l *lab) kustomize(t trial) (dir string, err error) {
	dir = filepath.Join(l.work, "kustomize")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	overlay, err := filepath.Rel(dir, l.overlay)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: winnow\nresources: [%s]\nconfigMapGenerator:\n", overlay)
	fmt.Fprintf(&b, "  - name: winnow-run\n    behavior: merge\n    literals: [WINNOW_RUN=%s, WINNOW_OUT=/data/out/%s", t.name, t.name)
	for _, s := range settings {
		fmt.Fprintf(&b, ", %q", "WINNOW_"+strings.ToUpper(strings.ReplaceAll(s[0], "-", "_"))+"="+s[1])
	}
	b.WriteString("]\npatches:\n")
	patch := func(kind, name, path, value string) {
		fmt.Fprintf(&b, "  - target: {kind: %s, name: %s}\n    patch: '[{\"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/%s\", \"value\": %s}]'\n", kind, name, path, value)
	}
	patch("Job", "winnow-ingest", "args", fmt.Sprintf("[%q]", "/data/"+t.inputs()))
	if t.memory != "" {
		patch("Deployment", "winnow-worker", "resources/requests/memory", fmt.Sprintf("%q", t.memory))
		patch("Deployment", "winnow-worker", "resources/limits/memory", fmt.Sprintf("%q", t.memory))
	}
	return dir, os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(b.String()), 0o666)
}
