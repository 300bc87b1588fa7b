package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/deploy/monitor"
)

// prometheus is a server that scrapes the node's pods and evaluates the alerts, as the
// objects of the component "monitoring" say.
type prometheus struct {
	address string
	process *exec.Cmd
	monitor podMonitor
	targets string // the file with the addresses of pods
}

// interval is shorter than that of the PodMonitor, because the runs are short.
const interval = "2s"

// startPrometheus reads the objects from the API server and starts a server on loopback.
func startPrometheus(ctx context.Context, c *cluster, dir string) (*prometheus, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var rule struct{ Spec json.RawMessage }
	if err := c.object(ctx, &rule, "prometheusrule", "winnow"); err != nil {
		return nil, err
	}
	rules := filepath.Join(dir, "rules.yaml") // JSON is YAML
	if err := os.WriteFile(rules, rule.Spec, 0o666); err != nil {
		return nil, err
	}
	if _, err := command(ctx, nil, "promtool", "check", "rules", rules); err != nil {
		return nil, err
	}
	var pods podMonitor
	if err := c.object(ctx, &pods, "podmonitor", "winnow"); err != nil {
		return nil, err
	}
	if len(pods.Spec.PodMetricsEndpoints) != 1 {
		return nil, fmt.Errorf("the PodMonitor has %d endpoints, want one", len(pods.Spec.PodMetricsEndpoints))
	}
	p := &prometheus{monitor: pods, targets: filepath.Join(dir, "targets.json")}
	if err := p.refresh(ctx, c); err != nil {
		return nil, err
	}
	text, err := config(rules, p.targets)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "prometheus.yaml")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	if _, err := command(ctx, nil, "promtool", "check", "config", file); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p.address = listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	p.process = exec.Command("prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+p.address)
	log, err := os.Create(filepath.Join(dir, "prometheus.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.process.Stdout, p.process.Stderr = log, log
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	if err := until(ctx, func() bool { return monitor.Get(ctx, "http://"+p.address+"/-/ready", nil) == nil }); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func (p *prometheus) stop() error {
	if err := p.process.Process.Kill(); err != nil {
		return err
	}
	_ = p.process.Wait() // it was killed
	return nil
}

// object reads an object of the namespace winnow.
func (c *cluster) object(ctx context.Context, o any, kind, name string) error {
	text, err := c.kubectl(ctx, "get", kind, name, "-o", "json")
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), o)
}

// podMonitor is the part of an object that says which pods to scrape.
type podMonitor struct {
	Spec struct {
		Selector struct {
			MatchLabels      map[string]string
			MatchExpressions []struct {
				Key, Operator string
				Values        []string
			}
		}
		PodMetricsEndpoints []struct{ Port string }
	}
}

// selector is what kubectl selects the same pods with.
func (m podMonitor) selector() (string, error) {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(m.Spec.Selector.MatchLabels)) {
		all = append(all, key+"="+m.Spec.Selector.MatchLabels[key])
	}
	for _, e := range m.Spec.Selector.MatchExpressions {
		if e.Operator != "In" {
			return "", fmt.Errorf("the PodMonitor has the operator %s, want In", e.Operator)
		}
		all = append(all, fmt.Sprintf("%s in (%s)", e.Key, strings.Join(e.Values, ",")))
	}
	return strings.Join(all, ","), nil
}

// config is a configuration that reads the addresses of pods from a file, because Debian's
// Prometheus cannot ask an API server for them.
func config(rules, targets string) ([]byte, error) {
	type object = map[string]any
	return json.Marshal(object{
		"global":         object{"scrape_interval": interval, "scrape_timeout": interval, "evaluation_interval": interval},
		"rule_files":     []string{rules},
		"scrape_configs": []object{{"job_name": "winnow", "file_sd_configs": []object{{"files": []string{targets}}}}},
	})
}

// refresh tells the server which pods there are, with the labels that the Prometheus
// Operator would give them.
func (p *prometheus) refresh(ctx context.Context, c *cluster) error {
	selector, err := p.monitor.selector()
	if err != nil {
		return err
	}
	text, err := c.kubectl(ctx, "get", "pods", "--selector", selector, "-o", "json")
	if err != nil {
		return err
	}
	targets, err := targets(text, p.monitor.Spec.PodMetricsEndpoints[0].Port)
	if err != nil {
		return err
	}
	return os.WriteFile(p.targets, targets, 0o666)
}

// targets is the file for what kubectl says of pods.
func targets(pods, port string) ([]byte, error) {
	var list struct {
		Items []struct {
			Metadata struct{ Name, Namespace string }
			Status   struct{ PodIP string }
			Spec     struct {
				Containers []struct {
					Name  string
					Ports []struct {
						Name          string
						ContainerPort int
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(pods), &list); err != nil {
		return nil, fmt.Errorf("pods: %w", err)
	}
	all := []any{}
	for _, pod := range list.Items {
		for _, container := range pod.Spec.Containers {
			for _, p := range container.Ports {
				if p.Name == port && pod.Status.PodIP != "" {
					all = append(all, map[string]any{"targets": []string{net.JoinHostPort(pod.Status.PodIP, fmt.Sprint(p.ContainerPort))},
						"labels": map[string]string{"namespace": pod.Metadata.Namespace, "pod": pod.Metadata.Name, "container": container.Name}})
				}
			}
		}
	}
	return json.Marshal(all)
}

// firing returns the names of the alerts that are raised.
func (p *prometheus) firing(ctx context.Context) (names []string, err error) {
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string
				Labels map[string]string
			}
		}
	}
	if err := monitor.Get(ctx, "http://"+p.address+"/api/v1/alerts", &answer); err != nil {
		return nil, err
	}
	for _, a := range answer.Data.Alerts {
		if a.State == "firing" {
			names = append(names, a.Labels["alertname"])
		}
	}
	return names, nil
}

// brokenRules names the alerts that cannot be evaluated.
func (p *prometheus) brokenRules(ctx context.Context) (names []string, err error) {
	var answer struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	if err := monitor.Get(ctx, "http://"+p.address+"/api/v1/rules", &answer); err != nil {
		return nil, err
	}
	rules := 0
	for _, g := range answer.Data.Groups {
		for _, r := range g.Rules {
			rules++
			if r.Health != "ok" {
				names = append(names, fmt.Sprintf("%s: %s %s", r.Name, r.Health, r.LastError))
			}
		}
	}
	if rules == 0 {
		return nil, errors.New("prometheus has no rules")
	}
	return names, nil
}

// absent returns which metrics were never scraped.
func (p *prometheus) absent(ctx context.Context, metrics []string) (names []string, err error) {
	var answer struct{ Data []string }
	if err := monitor.Get(ctx, "http://"+p.address+"/api/v1/label/__name__/values", &answer); err != nil {
		return nil, err
	}
	for _, name := range metrics {
		if !slices.Contains(answer.Data, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// namedMetrics are the metrics that alerts, the autoscaler and the dashboard name, but for
// one that only runs with site-level extractors have.
func (l *lab) namedMetrics() ([]string, error) {
	var all []string
	for _, file := range []string{"k8s/components/monitoring/alerts.yaml", "k8s/components/keda/scaledobject.yaml", "grafana/winnow.json"} {
		text, err := os.ReadFile(filepath.Join(l.overlays, "..", "..", file))
		if err != nil {
			return nil, err
		}
		all = append(all, metricsIn(string(text))...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "winnow_templates_learned_total" }), nil
}

// metricsIn returns the names of Winnow's metrics in expressions.
func metricsIn(text string) []string {
	names := regexp.MustCompile(`winnow_[a-z_]*[a-z]`).FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// lostFile is the input of the trial "alerts" that is removed before it is read.
const lostFile = "crawl-03.warc.gz"

// alerts makes a run of which one input is removed after it was planned, while a Prometheus
// scrapes the pods: items become dead letters, the alert about them is raised, and every
// metric that alerts and dashboard name is there.
func alerts(ctx context.Context, l *lab, c *cluster, t trial) (n int, problems []string) {
	n, problems, err := l.watched(ctx, c, t)
	if err != nil {
		problems = append(problems, err.Error())
	}
	return n, problems
}

func (l *lab) watched(ctx context.Context, c *cluster, t trial) (n int, problems []string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.patience, fmt.Errorf("the trial has not ended within %s", l.patience))
	defer cancel()
	if err := c.define(ctx); err != nil {
		return 0, nil, err
	}
	if _, err := c.kubectl(ctx, "delete", "job", "winnow-ingest", "--ignore-not-found"); err != nil && !strings.Contains(err.Error(), "NotFound") {
		return 0, nil, err
	}
	kustomization, err := l.kustomize(t)
	if err != nil {
		return 0, nil, err
	}
	if _, err := c.kubectl(ctx, "apply", "-k", kustomization); err != nil {
		return 0, nil, err
	}
	if _, err := c.kubectl(ctx, "rollout", "status", "statefulset/winnow-aggregate", "--timeout=3m"); err != nil {
		return 0, nil, err
	}
	p, err := startPrometheus(ctx, c, filepath.Join(l.work, "prometheus"))
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	// No worker runs until the items are published and the file is gone.
	if _, err := c.kubectl(ctx, "wait", "--for=condition=complete", "job/winnow-ingest", "--timeout=3m"); err != nil {
		return 0, nil, err
	}
	if err := os.Remove(filepath.Join(l.data, t.inputs(), lostFile)); err != nil {
		return 0, nil, err
	}
	if _, err := c.kubectl(ctx, "scale", "deployment", "winnow-worker", "--replicas=1"); err != nil {
		return 0, nil, err
	}
	if _, err := c.kubectl(ctx, "rollout", "status", "deployment/winnow-worker", "--timeout=3m"); err != nil {
		return 0, nil, err
	}
	if err := p.refresh(ctx, c); err != nil {
		return 0, nil, err
	}
	const want = "WinnowItemsDead"
	var raised []string
	if err := until(ctx, func() bool {
		raised, err = p.firing(ctx)
		return err == nil && slices.Contains(raised, want)
	}); err != nil {
		problems = append(problems, fmt.Sprintf("the alert %s was not raised, only %v", want, raised))
		return 0, problems, err
	}
	got, err := finished(ctx, l.output(t))
	if err != nil {
		return 0, problems, err
	}
	broken, err := p.brokenRules(ctx)
	if err != nil {
		return 0, problems, err
	}
	problems = append(problems, broken...)
	names, err := l.namedMetrics()
	if err != nil {
		return 0, problems, err
	}
	// Some are there only when the run is over.
	wait, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var absent []string
	if err := until(wait, func() bool {
		absent, err = p.absent(ctx, names)
		return err == nil && len(absent) == 0
	}); err != nil {
		problems = append(problems, fmt.Sprintf("alerts, autoscaler and dashboard name metrics that no pod has: %v", absent))
	}
	lost := 0
	for row := range got["failures"] {
		if strings.Contains(row, lostFile) && strings.Contains(row, `reason="missing"`) {
			lost++
		}
	}
	if lost == 0 {
		problems = append(problems, "the table of failures does not name the file that was removed")
	}
	base, _, _ := strings.Cut(lostFile, ".")
	got, undisturbed := got.Without(base), l.undisturbed[t.compared()].Without(base)
	for _, sums := range []string{"packages", "agreement"} { // of all pages
		delete(got, sums)
		delete(undisturbed, sums)
	}
	return got.Rows(), append(problems, got.Difference(undisturbed)...), nil
}
