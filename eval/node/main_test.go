package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                            "--scripts is needed",
		"--scripts x more":            "no further arguments",
		"--scripts x --trials nosuch": "unknown trial",
		"--nosuch":                    "not defined",
	} {
		var out, words bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &out, &words); code != 2 || !strings.Contains(words.String(), want) {
			t.Errorf("%s: exit code %d: %s", args, code, words.String())
		}
	}
}

// The kustomization of every trial can be built, and sets what the trial needs. The image
// of the broker is the one that the overlay and the broker of the cloud name.
func TestKustomizations(t *testing.T) {
	overlays, err := filepath.Abs("../../deploy/k8s/overlays")
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{options: options{work: t.TempDir(), overlays: overlays}, cloud: &cloud{store: &objectStore{address: nodeAddress + ":9000"}}}
	const settings = "?endpoint=http%3A%2F%2F10.244.0.1%3A9000&region=eu-central-1&use_path_style=true"
	for _, want := range []string{"image: " + brokerImage + "\n", "include ../nats-roles/roles.conf\n"} {
		if !strings.Contains(string(broker), want) {
			t.Errorf("the broker of the cloud: no %q", want)
		}
	}
	values, err := os.ReadFile(filepath.Join(overlays, "cluster", "nats-values.yaml"))
	if err != nil || !strings.Contains(string(values), "$include: ../nats-roles/roles.conf\n") {
		t.Errorf("the values for the chart include another file: %v", err)
	}
	for _, trial := range trials {
		dir, err := l.kustomize(trial)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
		if err != nil {
			t.Fatalf("trial %s: %v", trial.name, err)
		}
		text, err := objects.AsYaml()
		if err != nil {
			t.Fatal(err)
		}
		wants := []string{"WINNOW_RUN: " + trial.name + "\n", "WINNOW_ITEM_SIZE: 16KB\n", "memory: " + trial.memory}
		switch {
		case !trial.remote():
			wants = append(wants, "- /data/"+trial.inputs()+"\n", "WINNOW_OUT: /data/out/"+trial.name+"\n", "image: "+brokerImage+"\n")
		case trial.overlay == "nightly":
			wants = []string{"- s3://winnow-crawls/inbox/" + settings, "value: s3://winnow-tables/$(WINNOW_RUN)" + settings, "value: s3://winnow-tables/" + settings}
		default:
			wants = append(wants, "- s3://winnow-crawls/in/"+settings, "WINNOW_OUT: s3://winnow-tables/"+trial.name+settings)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("trial %s: no %q", trial.name, want)
			}
		}
	}
}

// Trials are made in the order of the list, because those with a cloud replace what the
// others installed.
func TestOrder(t *testing.T) {
	chosen, err := parseTrials("cluster,kill,none")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range chosen {
		names = append(names, c.name)
	}
	if got := strings.Join(names, ","); got != "none,kill,cluster" {
		t.Error(got)
	}
}

// Prometheus' own tool accepts the configuration.
func TestPrometheusConfiguration(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.yaml")
	text, err := config(filepath.Join(dir, "rules.yaml"), filepath.Join(dir, "targets.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "rules.yaml"), []byte("groups: []"), 0o600)
	}
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command(t.Context(), nil, promtool, "check", "config", file); err != nil {
		t.Error(err)
	}
}

// The pods that a PodMonitor selects are scraped at the port that it names.
func TestTargets(t *testing.T) {
	var m podMonitor
	const object = `{"spec": {"selector": {"matchLabels": {"app.kubernetes.io/name": "winnow"}, "matchExpressions": [{"key": "app.kubernetes.io/component",
		"operator": "In", "values": ["worker", "aggregate"]}]}, "podMetricsEndpoints": [{"port": "metrics"}]}}`
	if err := json.Unmarshal([]byte(object), &m); err != nil {
		t.Fatal(err)
	}
	if s, err := m.selector(); err != nil || s != "app.kubernetes.io/name=winnow,app.kubernetes.io/component in (worker,aggregate)" {
		t.Errorf("%s, %v", s, err)
	}
	m.Spec.Selector.MatchExpressions[0].Operator = "NotIn"
	if _, err := m.selector(); err == nil {
		t.Error("an operator that is not known is taken for In")
	}
	const pods = `{"items": [{"metadata": {"name": "a", "namespace": "winnow"}, "status": {"podIP": "10.244.0.7"}, "spec": {"containers": [{"name": "worker",
		"ports": [{"name": "metrics", "containerPort": 9090}, {"name": "other", "containerPort": 1}]}]}},
		{"metadata": {"name": "b"}, "spec": {"containers": [{"name": "worker", "ports": [{"name": "metrics", "containerPort": 9090}]}]}}]}`
	got, err := targets(pods, "metrics")
	if want := `[{"labels":{"container":"worker","namespace":"winnow","pod":"a"},"targets":["10.244.0.7:9090"]}]`; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestMetricsIn(t *testing.T) {
	got := metricsIn(`sum(rate(winnow_runs_total{outcome="failed"}[1h])) / winnow_b > winnow_runs_total`)
	if strings.Join(got, " ") != "winnow_b winnow_runs_total" {
		t.Error(got)
	}
	l := &lab{options: options{overlays: "../../deploy/k8s/overlays"}}
	if all, err := l.namedMetrics(); err != nil || len(all) < 20 {
		t.Errorf("%v, %v", all, err)
	}
}

// A folder in a bucket is read as one on a disk is.
func TestRemoteFolder(t *testing.T) {
	store, err := newObjectStore("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	defer store.close() //nolint:errcheck // it ends with the test
	f := remoteFolder{store: store, name: "may", copy: filepath.Join(t.TempDir(), "may")}
	for key, text := range map[string]string{"may/run.json": `{"finished": "2026-01-01T00:00:00Z"}`, "may/shards/p/1": "x", "may-again/_SUCCESS": ""} {
		if err := store.put(tables, key, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if !f.has("shards/*/*") || f.has("_SUCCESS") || f.has("commits/*") {
		t.Error("the store is not listed as it is")
	}
	if got, err := f.read(); err != nil || got.Rows() != 0 {
		t.Errorf("%d rows, %v", got.Rows(), err)
	}
}
