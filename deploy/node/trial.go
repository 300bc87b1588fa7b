package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow/winnow/deploy/internal/rows"
)

// trial is a run, and what disturbs it.
type trial struct {
	name    string
	memory  string // limit of a worker, if it is not the overlay's
	disturb func(ctx context.Context, c *cluster) error
}

var trials = []trial{
	{name: "none"},
	{name: "kill", disturb: killPods},
	{name: "scale", disturb: scaleWorkers},
	{name: "image", disturb: changeImages},
	{name: "drain", disturb: drain},
	{name: "restart", disturb: restart},
	{name: hostile, memory: "200Mi"},
}

// hostile is the trial with a page that needs more memory than a worker may have.
const hostile = "hostile"

func (t trial) inputs() string {
	if t.name == hostile {
		return "in-hostile"
	}
	return "in"
}

// trial makes a run, disturbs it, and compares its tables.
func (l *lab) trial(ctx context.Context, c *cluster, t trial) (n int, problems []string) {
	out := filepath.Join(l.data, "out", t.name)
	problem := func(err error) (int, []string) {
		pods, _ := c.kubectl(context.WithoutCancel(ctx), "get", "pods", "-o", "wide")
		return n, append(problems, err.Error(), pods)
	}
	kustomization, err := l.kustomize(t)
	if err != nil {
		return problem(err)
	}
	// As the handbook says: a Job cannot be changed.
	if _, err := c.kubectl(ctx, "delete", "job", "winnow-ingest", "--ignore-not-found"); err != nil && !strings.Contains(err.Error(), "NotFound") {
		return problem(err)
	}
	if _, err := c.kubectl(ctx, "apply", "-k", kustomization); err != nil {
		return problem(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.patience, fmt.Errorf("the run has not ended within %s", l.patience))
	defer cancel()
	if t.disturb != nil {
		err := until(ctx, func() bool { return exist(out, "shards/*/*") || exist(out, "commits/*") })
		if err == nil && exist(out, "_SUCCESS") {
			err = fmt.Errorf("the run was over before it could be disturbed")
		}
		if err == nil {
			err = t.disturb(ctx, c)
		}
		if err != nil {
			return problem(err)
		}
	}
	if err := until(ctx, func() bool { return exist(out, "_SUCCESS") }); err != nil {
		return problem(err)
	}
	// The aggregator removes the shards when it has written _SUCCESS.
	if err := until(ctx, func() bool { return !exist(out, "shards/*/*") }); err != nil {
		problems = append(problems, "shards are left: "+err.Error())
	}
	got, _, err := rows.Read(out)
	if err != nil {
		return problem(err)
	}
	want := l.undisturbed[t.inputs()]
	if t.name == hostile {
		named := 0
		for row := range got["failures"] {
			if strings.Contains(row, hostileFile) && strings.Contains(row, `reason="crash"`) {
				named++
			}
		}
		if named == 0 {
			problems = append(problems, "the table of failures does not say that the hostile page ended a worker")
		}
		got, want = got.Without(hostileURL).Without(hostileFile), want.Without(hostileURL)
		// These tables sum up all pages.
		for _, sums := range []string{"packages", "agreement"} {
			delete(got, sums)
			delete(want, sums)
		}
	}
	return got.Rows(), append(problems, got.Difference(want)...)
}

// exist reports whether a folder has files that match a pattern.
func exist(dir, pattern string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, pattern))
	return len(found) > 0
}

// until waits for a condition.
func until(ctx context.Context, is func() bool) error {
	for !is() {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

// killPods kills one pod after the other, as a node does that loses them.
func killPods(ctx context.Context, c *cluster) error {
	for _, of := range []struct{ set, label string }{
		{"deployment/winnow-worker", "app.kubernetes.io/component=worker"},
		{"statefulset/winnow-aggregate", "app.kubernetes.io/component=aggregate"},
		{"statefulset/nats", "app.kubernetes.io/name=nats"},
	} {
		if _, err := c.kubectl(ctx, "delete", "pods", "--selector", of.label, "--grace-period=0", "--force"); err != nil {
			return err
		}
		if _, err := c.kubectl(ctx, "rollout", "status", of.set, "--timeout=2m"); err != nil {
			return err
		}
	}
	return nil
}

// scaleWorkers changes the number of workers while they work.
func scaleWorkers(ctx context.Context, c *cluster) error {
	for _, n := range []int{3, 0, 2} {
		if _, err := c.kubectl(ctx, "scale", "deployment", "winnow-worker", fmt.Sprintf("--replicas=%d", n)); err != nil {
			return err
		}
		if _, err := c.kubectl(ctx, "rollout", "status", "deployment/winnow-worker", "--timeout=2m"); err != nil {
			return err
		}
	}
	return nil
}

// changeImages gives workers and aggregator another image.
func changeImages(ctx context.Context, c *cluster) error {
	if _, err := c.kubectl(ctx, "set", "image", "deployment/winnow-worker", "worker=winnow:next"); err != nil {
		return err
	}
	if _, err := c.kubectl(ctx, "set", "image", "statefulset/winnow-aggregate", "aggregate=winnow:next"); err != nil {
		return err
	}
	for _, set := range []string{"deployment/winnow-worker", "statefulset/winnow-aggregate"} {
		if _, err := c.kubectl(ctx, "rollout", "status", set, "--timeout=5m"); err != nil {
			return err
		}
	}
	return nil
}

// drain evicts all pods, as before maintenance of the node. They wait until it takes pods
// again.
func drain(ctx context.Context, c *cluster) error {
	if _, err := c.kubectl(ctx, "drain", "node", "--delete-emptydir-data", "--force", "--timeout=5m"); err != nil {
		return err
	}
	_, err := c.kubectl(ctx, "uncordon", "node")
	return err
}

// restart ends all that runs on the node, without notice to the pods, and starts the node
// again.
func restart(ctx context.Context, c *cluster) error {
	if err := c.down(); err != nil {
		return err
	}
	return c.up(ctx)
}

// makeFolder makes a folder that every user may write to.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.Chmod(dir, 0o777)
}
