package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow/winnow/deploy/rows"
)

// trial is a run, and what disturbs it.
type trial struct {
	name    string
	overlay string // "local" if it is empty
	// components are those of k8s/components that the overlay does not have.
	components []string
	memory     string // limit of a worker, if it is not the overlay's
	disturb    func(ctx context.Context, c *cluster) error
	// run makes a trial of another kind than one disturbed run.
	run func(ctx context.Context, l *lab, c *cluster, t trial) (n int, problems []string)
	// byName says that the trial is not among all: it must be named.
	byName bool
}

var trials = []trial{
	{name: "none"},
	{name: "kill", disturb: killPods},
	{name: "scale", disturb: scaleWorkers},
	{name: "image", disturb: changeImages},
	{name: "drain", disturb: drain},
	{name: "restart", disturb: restart},
	{name: hostile, memory: "200Mi"},
	{name: "alerts", components: []string{"monitoring"}, run: alerts},
	// The overlays that need users, certificates and a bucket follow those that do not.
	{name: "cluster", overlay: "cluster", disturb: killBroker},
	{name: "autoscaled", overlay: "autoscaled", disturb: scaleWorkers},
	{name: "nightly", overlay: "nightly", run: nightly},
	{name: "keda", overlay: "autoscaled", run: autoscale, byName: true},
}

// hostile is the trial with a page that needs more memory than a worker may have.
const hostile = "hostile"

func (t trial) inputs() string {
	if t.name == hostile || t.name == "alerts" { // they change the files
		return "in-" + t.name
	}
	return "in"
}

// compared are the inputs of the undisturbed run whose tables the trial must have; "" if
// it compares others.
func (t trial) compared() string {
	switch t.name {
	case "alerts":
		return "in"
	case "nightly":
		return ""
	}
	return t.inputs()
}

// remote reports whether the inputs and tables of a trial are in buckets.
func (t trial) remote() bool { return t.overlay != "" }

// output is where the trial's run writes its tables.
func (l *lab) output(t trial) output {
	if t.remote() {
		return l.cloud.output(t.name)
	}
	return folder(filepath.Join(l.data, "out", t.name))
}

// trial makes a run, disturbs it, and compares its tables.
func (l *lab) trial(ctx context.Context, c *cluster, t trial) (n int, problems []string) {
	problem := func(err error) (int, []string) {
		pods, _ := c.kubectl(context.WithoutCancel(ctx), "get", "pods", "-A", "-o", "wide")
		return n, append(problems, err.Error(), pods)
	}
	if t.remote() {
		if err := l.prepareCloud(ctx, c); err != nil {
			return problem(err)
		}
	}
	if t.run != nil {
		n, problems = t.run(ctx, l, c, t)
		if len(problems) > 0 {
			return problem(errors.New("these pods were there at the end"))
		}
		return n, nil
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
	out := l.output(t)
	if t.disturb != nil {
		err := until(ctx, func() bool { return out.has("shards/*/*") || out.has("commits/*") })
		if err == nil && out.has("_SUCCESS") {
			err = fmt.Errorf("the run was over before it could be disturbed")
		}
		if err == nil {
			err = t.disturb(ctx, c)
		}
		if err != nil {
			return problem(err)
		}
	}
	got, err := finished(ctx, out)
	if err != nil {
		return problem(err)
	}
	want := l.undisturbed[t.compared()]
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

// finished waits for the end of a run and reads its tables.
func finished(ctx context.Context, out output) (rows.Tables, error) {
	if err := until(ctx, func() bool { return out.has("_SUCCESS") }); err != nil {
		return nil, err
	}
	// The aggregator removes the shards when it has written _SUCCESS.
	if err := until(ctx, func() bool { return !out.has("shards/*/*") }); err != nil {
		return nil, fmt.Errorf("shards are left: %w", err)
	}
	return out.read()
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

// killBroker kills one of three servers of the broker, and the workers.
func killBroker(ctx context.Context, c *cluster) error {
	if _, err := c.kubectl(ctx, "-n", "nats", "delete", "pod", "nats-1", "--grace-period=0", "--force"); err != nil {
		return err
	}
	if _, err := c.kubectl(ctx, "delete", "pods", "--selector", "app.kubernetes.io/component=worker", "--grace-period=0", "--force"); err != nil {
		return err
	}
	_, err := c.kubectl(ctx, "-n", "nats", "rollout", "status", "statefulset/nats", "--timeout=2m")
	return err
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
