package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"sigs.k8s.io/yaml"
)

// scrape asks a process that was started with --metrics 127.0.0.1:0 for its metrics and
// adds them to all.
func scrape(t *testing.T, p *process, all map[string]*dto.MetricFamily) map[string]*dto.MetricFamily {
	t.Helper()
	addr := p.metricsAddress()
	client := http.Client{Timeout: 20 * time.Second}
	resp, err := client.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %v %v", p.name, resp.Status, err)
	}
	problems, err := promlint.New(bytes.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("%s: %s: %s", p.name, problem.Metric, problem.Text)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range families {
		all[name] = f
	}
	return families
}

// metricsAddress returns the address at which the process serves its metrics.
func (p *process) metricsAddress() string {
	p.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		for line := range strings.Lines(p.out.String()) {
			var said struct{ Msg, Address string }
			if json.Unmarshal([]byte(line), &said) == nil && said.Msg == "metrics" {
				return said.Address
			}
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s does not say where its metrics are:\n%s", p.name, tail(p.out.String()))
		}
	}
}

// value returns the value of the one metric of a family with these labels.
func value(families map[string]*dto.MetricFamily, name string, labels ...string) (float64, bool) {
	for _, m := range families[name].GetMetric() {
		have := map[string]string{}
		for _, l := range m.GetLabel() {
			have[l.GetName()] = l.GetValue()
		}
		matches := true
		for i := 0; i < len(labels); i += 2 {
			matches = matches && have[labels[i]] == labels[i+1]
		}
		if matches {
			return m.GetGauge().GetValue() + m.GetCounter().GetValue(), true
		}
	}
	return 0, false
}

// The programs export every metric that alerts, the dashboard and the autoscaler name,
// with the labels that these use. The names of all metrics pass Prometheus' own linter.
func TestMetricsAreWhatIsLookedAt(t *testing.T) {
	t.Parallel()
	learning := setupLearning(t)
	port := freePort(t)
	url := "nats://127.0.0.1:" + port
	start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	aggregate := start(t, "aggregate", "--nats", url, "--quiet", "1s", "--metrics", "127.0.0.1:0")
	// Before the stream exists there is no work, and the autoscaler must see that.
	all := map[string]*dto.MetricFamily{}
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(50 * time.Millisecond) { // it asks once it serves
		v, shown := value(scrape(t, aggregate, all), "winnow_queue_backlog_items")
		if v != 0 {
			t.Errorf("backlog of a broker without streams: %v", v)
		}
		if shown {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no backlog of a broker without streams is shown")
		}
	}
	var worker *process
	for i, r := range []struct {
		id string
		of *task
	}{{"learned", learning}, {"scored", &built.task}} { // winnow_score shows the run of the last task
		args := append([]string{"--nats", url, "--run", r.id, "--out", t.TempDir()}, r.of.recipe...)
		start(t, "ingest", append(args, r.of.in)...).ends(0)
		if worker == nil {
			for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(50 * time.Millisecond) { // the aggregator publishes the items
				if v, _ := value(scrape(t, aggregate, all), "winnow_queue_backlog_items"); v > 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("no backlog before there is a worker")
				}
			}
			worker = start(t, "worker", "--nats", url, "--slots", "2", "--metrics", "127.0.0.1:0")
		}
		for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			if done, _ := value(scrape(t, aggregate, all), "winnow_runs_total", "outcome", "done"); done == float64(i+1) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the run does not end")
			}
		}
	}
	scrape(t, worker, all)
	scrape(t, aggregate, all)
	if done, _ := value(all, "winnow_runs_total", "outcome", "done"); done != 2 {
		t.Errorf("%v runs are done, want 2", done)
	}
	if v, shown := value(all, "winnow_queue_backlog_items"); !shown || v != 0 {
		t.Errorf("backlog after all runs: %v %v", v, shown)
	}
	for _, e := range expressions(t) {
		names := 0
		for _, m := range metricName.FindAllStringSubmatch(e.expr, -1) {
			names++
			name := m[1]
			family := all[name]
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				if of, is := strings.CutSuffix(name, suffix); is && family == nil && all[of].GetType() == dto.MetricType_HISTOGRAM {
					family = all[of]
				}
			}
			if family == nil {
				t.Errorf("%s: nobody shows %s", e.where, name)
				continue
			}
			labels := map[string]bool{"namespace": true} // the scraper adds this label
			for _, metric := range family.GetMetric() {
				for _, l := range metric.GetLabel() {
					labels[l.GetName()] = true
				}
			}
			for _, l := range labelName.FindAllStringSubmatch(m[2], -1) {
				if !labels[l[1]] {
					t.Errorf("%s: %s has no label %s", e.where, name, l[1])
				}
			}
		}
		if names == 0 {
			t.Errorf("%s names no metric: %s", e.where, e.expr)
		}
	}
}

var (
	metricName = regexp.MustCompile(`\b((?:winnow|process|go)_[a-z0-9_]+)(\{[^}]*\})?`)
	labelName  = regexp.MustCompile(`([a-z_]+)\s*(?:=~|!=|!~|=)`)
)

// expression is a PromQL expression and its location in the configuration.
type expression struct{ where, expr string }

// expressions returns the expressions of alerts, dashboard and autoscaler.
func expressions(t *testing.T) []expression {
	t.Helper()
	read := func(path string, into any) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("../deploy", path))
		if err == nil {
			err = yaml.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	var out []expression
	var rules rules
	read("k8s/components/monitoring/alerts.yaml", &rules)
	for _, g := range rules.Spec.Groups {
		for _, r := range g.Rules {
			out = append(out, expression{r.Alert, r.Expr})
		}
	}
	var board struct {
		Panels []struct {
			Type, Title string
			Targets     []struct{ Expr string }
		}
		Annotations struct{ List []struct{ Name, Expr string } }
		Templating  struct {
			List []struct {
				Name, Type string
				Query      json.RawMessage
			}
		}
	}
	read("grafana/winnow.json", &board)
	for _, p := range board.Panels {
		if len(p.Targets) == 0 && p.Type != "row" {
			t.Errorf("panel %s is empty", p.Title)
		}
		for _, target := range p.Targets {
			out = append(out, expression{"panel " + p.Title, target.Expr})
		}
	}
	for _, a := range board.Annotations.List {
		out = append(out, expression{"annotation " + a.Name, a.Expr})
	}
	for _, v := range board.Templating.List {
		if v.Type == "query" {
			out = append(out, expression{"variable " + v.Name, string(v.Query)})
		}
	}
	var scaled struct {
		Spec struct {
			Triggers []struct{ Metadata map[string]string }
		}
	}
	read("k8s/components/keda/scaledobject.yaml", &scaled)
	for _, trigger := range scaled.Spec.Triggers {
		out = append(out, expression{"autoscaler", trigger.Metadata["valueLocation"]})
	}
	if len(rules.Spec.Groups) == 0 || len(board.Panels) == 0 || len(scaled.Spec.Triggers) == 0 {
		t.Fatal("an empty file")
	}
	return out
}

// rules returns the part of the operator's object that Prometheus reads.
type rules struct {
	Spec struct {
		Groups []struct {
			Name  string `json:"name"`
			Rules []struct {
				Alert       string            `json:"alert"`
				Expr        string            `json:"expr"`
				For         string            `json:"for,omitempty"`
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"rules"`
		} `json:"groups"`
	} `json:"spec"`
}

// Every alert has a paragraph in the handbook, and every such paragraph has an alert.
func TestAlertsHaveARunbook(t *testing.T) {
	text, err := os.ReadFile("../deploy/k8s/components/monitoring/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var r rules
	if err := yaml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	handbook, err := os.ReadFile("../deploy/README.md")
	if err != nil {
		t.Fatal(err)
	}
	headings := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (Winnow\w+)$`).FindAllSubmatch(handbook, -1) {
		headings[string(m[1])] = true
	}
	for _, g := range r.Spec.Groups {
		for _, a := range g.Rules {
			if want := "deploy/README.md#" + strings.ToLower(a.Alert); a.Annotations["runbook"] != want || !headings[a.Alert] {
				t.Errorf("%s: runbook %q, want %q, and a heading there", a.Alert, a.Annotations["runbook"], want)
			}
			if a.Annotations["summary"] == "" || a.Labels["severity"] == "" {
				t.Errorf("%s has no summary or no severity", a.Alert)
			}
			delete(headings, a.Alert)
		}
	}
	for name := range headings {
		t.Errorf("there is no alert %s", name)
	}
}

// Prometheus' own tool accepts the rules. With the figures of alerts.test.yaml, it
// raises exactly the expected alerts.
func TestAlertsFire(t *testing.T) {
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool")
	}
	text, err := os.ReadFile("../deploy/k8s/components/monitoring/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Spec any `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	spec, err := yaml.Marshal(r.Spec)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("testdata/alerts.test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"alerts.yaml": spec, "alerts.test.yaml": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"check", "rules", "alerts.yaml"}, {"test", "rules", "alerts.test.yaml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", fmt.Sprint(args), err, out)
		}
	}
}
