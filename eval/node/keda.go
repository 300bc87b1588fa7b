package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// kedaModule is the version that is built.
const kedaModule = "github.com/kedacore/keda/v2@v2.21.0"

//go:embed keda.yaml
var keda []byte

// buildKEDA builds KEDA's programs, unless an earlier call has, and returns their folder.
// Its module cannot be installed by name, because it replaces another one.
func (l *lab) buildKEDA(ctx context.Context) (dir string, err error) {
	dir = filepath.Join(l.work, "keda")
	src := filepath.Join(dir, "src")
	if exists(filepath.Join(dir, "operator")) && exists(filepath.Join(dir, "adapter")) && exists(src) {
		return dir, nil
	}
	answer, err := command(ctx, nil, "env", "GOFLAGS=-mod=mod", "go", "mod", "download", "-json", kedaModule)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal([]byte(answer), &module); err != nil {
		return "", fmt.Errorf("%s: %w", kedaModule, err)
	}
	if err := os.RemoveAll(src); err != nil {
		return "", err
	}
	if err := os.CopyFS(src, os.DirFS(module.Dir)); err != nil {
		return "", err
	}
	for _, name := range []string{"operator", "adapter"} {
		if _, err := command(ctx, nil, "env", "CGO_ENABLED=0", "go", "-C", src, "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, name), "./cmd/"+name); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// startKEDA runs KEDA on the node.
func (l *lab) startKEDA(ctx context.Context, c *cluster) error {
	dir, err := l.buildKEDA(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{"operator", "adapter"} {
		if err := c.image(ctx, filepath.Join(dir, name), "/"+name, "docker.io/library/keda-"+name+":trial"); err != nil {
			return err
		}
	}
	definitions, err := filepath.Glob(filepath.Join(dir, "src", "config", "crd", "bases", "*.yaml"))
	if err != nil || len(definitions) == 0 {
		return errors.Join(err, errors.New("the module of KEDA has no definitions"))
	}
	for _, file := range definitions {
		if _, err := c.kubectl(ctx, "apply", "--server-side", "--force-conflicts", "-f", file); err != nil {
			return err
		}
	}
	if _, err := c.apply(ctx, keda, "apply", "-n", "keda", "-f", "-"); err != nil {
		return err
	}
	certificate, err := certify("127.0.0.1", "localhost")
	if err != nil {
		return err
	}
	if err := c.secret(ctx, "keda", "kedaorg-certs", certificate); err != nil {
		return err
	}
	for _, name := range []string{"keda-operator", "keda-metrics-apiserver"} {
		if _, err := c.kubectl(ctx, "-n", "keda", "rollout", "status", "deployment/"+name, "--timeout=3m"); err != nil {
			return err
		}
	}
	_, err = c.kubectl(ctx, "wait", "--for=condition=Available", "apiservice/v1beta1.external.metrics.k8s.io", "--timeout=3m")
	return err
}

// stopKEDA removes the namespace with the object that KEDA must let go of, and then KEDA.
func stopKEDA(ctx context.Context, c *cluster) error {
	if _, err := c.kubectl(ctx, "delete", "namespace", "winnow", "--ignore-not-found", "--timeout=3m"); err != nil {
		return err
	}
	// No namespace can be deleted while the API server cannot ask the server of metrics.
	if _, err := c.kubectl(ctx, "delete", "apiservice", "v1beta1.external.metrics.k8s.io", "--ignore-not-found"); err != nil {
		return err
	}
	_, err := c.kubectl(ctx, "delete", "namespace", "keda", "--ignore-not-found", "--timeout=3m")
	return err
}

// autoscale makes two runs of the overlay "autoscaled" with KEDA. The first begins with the
// one worker of a new Deployment. KEDA must end all workers when a run is over, and start
// several, from none, when the second begins.
func autoscale(ctx context.Context, l *lab, c *cluster, t trial) (n int, problems []string) {
	defer func() {
		if err := stopKEDA(ctx, c); err != nil {
			problems = append(problems, err.Error())
		}
	}()
	if err := l.startKEDA(ctx, c); err != nil {
		return 0, []string{err.Error()}
	}
	for i, name := range []string{"keda", "keda-again"} {
		run := t
		run.name = name
		rows, most, err := l.scaledRun(ctx, c, run)
		if err != nil {
			return n, append(problems, fmt.Sprintf("%s, with %d workers at most: %v", name, most, err))
		}
		n += rows.got
		problems = append(problems, rows.differences...)
		if i > 0 && most < 2 {
			problems = append(problems, fmt.Sprintf("%s: KEDA started %d workers, want several", name, most))
		}
	}
	return n, problems
}

// compared are the rows of a run, and how they differ from those of one machine.
type compared struct {
	got         int
	differences []string
}

// scaledRun makes a run, counts the workers that the Deployment asks for meanwhile, and
// waits until it asks for none.
func (l *lab) scaledRun(ctx context.Context, c *cluster, t trial) (rows compared, most int, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.patience, fmt.Errorf("the run and the end of its workers have not come within %s", l.patience))
	defer cancel()
	if _, err := c.kubectl(ctx, "delete", "job", "winnow-ingest", "--ignore-not-found"); err != nil && !strings.Contains(err.Error(), "NotFound") {
		return rows, 0, err
	}
	kustomization, err := l.kustomize(t)
	if err != nil {
		return rows, 0, err
	}
	if _, err := c.kubectl(ctx, "apply", "-k", kustomization); err != nil {
		return rows, 0, err
	}
	workers := func() int {
		var d struct{ Spec struct{ Replicas int } }
		if err := c.object(ctx, &d, "deployment", "winnow-worker"); err != nil {
			return -1
		}
		most = max(most, d.Spec.Replicas)
		return d.Spec.Replicas
	}
	out := l.output(t)
	if err := until(ctx, func() bool { workers(); return out.has("_SUCCESS") }); err != nil {
		return rows, most, err
	}
	got, err := finished(ctx, out)
	if err != nil {
		return rows, most, err
	}
	if err := until(ctx, func() bool { return workers() == 0 }); err != nil {
		return rows, most, err
	}
	return compared{got.Rows(), got.Difference(l.undisturbed[t.inputs()])}, most, nil
}

// scaling are the changes of a trial with KEDA: times that fit runs of a minute.
func scaling() []patch {
	return []patch{
		replace("ScaledObject", "winnow-worker", "/spec/pollingInterval", 2),
		replace("ScaledObject", "winnow-worker", "/spec/cooldownPeriod", 10),
		replace("ScaledObject", "winnow-worker", "/spec/maxReplicaCount", 3),
		replace("ScaledObject", "winnow-worker", "/spec/advanced/horizontalPodAutoscalerConfig/behavior/scaleDown/stabilizationWindowSeconds", 0),
	}
}
