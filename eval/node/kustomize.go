package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// patch is an operation on an object of an overlay.
type patch struct {
	kind, name string
	operations []operation
}

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

func replace(kind, name, path string, value any) patch {
	return patch{kind, name, []operation{{"replace", path, value}}}
}

// container is the path of the only container of a workload.
const container = "/spec/template/spec/containers/0"

// kustomize writes a kustomization that is the trial's overlay with the settings of a run,
// and returns its folder.
func (l *lab) kustomize(t trial) (dir string, err error) {
	dir = filepath.Join(l.work, "kustomize")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	overlay := t.overlay
	if overlay == "" {
		overlay = "local"
	}
	resource, err := filepath.Rel(dir, filepath.Join(l.overlays, overlay))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: winnow\nresources: [%s]\n", resource)
	for i, name := range t.components {
		component, err := filepath.Rel(dir, filepath.Join(l.overlays, "..", "components", name))
		if err != nil {
			return "", err
		}
		if i == 0 {
			b.WriteString("components:\n")
		}
		fmt.Fprintf(&b, "  - %s\n", component)
	}
	if overlay != "nightly" { // its runs are as shipped
		out := "/data/out/" + t.name
		if t.remote() {
			out = l.cloud.store.url(tables, t.name)
		}
		fmt.Fprintf(&b, "configMapGenerator:\n  - name: winnow-run\n    behavior: merge\n    literals:\n      - %q\n      - %q\n", "WINNOW_RUN="+t.name, "WINNOW_OUT="+out)
		for _, s := range settings {
			fmt.Fprintf(&b, "      - %q\n", "WINNOW_"+strings.ToUpper(strings.ReplaceAll(s[0], "-", "_"))+"="+s[1])
		}
	}
	b.WriteString("patches:\n")
	for _, p := range l.patches(t) {
		text, err := json.Marshal(p.operations)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  - target: {kind: %s, name: %s}\n    patch: '%s'\n", p.kind, p.name, text)
	}
	return dir, os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(b.String()), 0o666)
}

// patches are the changes of a trial to its overlay: where the inputs are, and what makes
// the overlays for several nodes fit one small one.
func (l *lab) patches(t trial) []patch {
	var all []patch
	if t.memory != "" {
		all = append(all, replace("Deployment", "winnow-worker", container+"/resources/requests/memory", t.memory),
			replace("Deployment", "winnow-worker", container+"/resources/limits/memory", t.memory))
	}
	if !t.remote() {
		if t.name == "alerts" { // it starts the worker itself, which must not try for ten minutes to read a file
			all = append(all, replace("Deployment", "winnow-worker", "/spec/replicas", 0),
				patch{"Deployment", "winnow-worker", []operation{{"add", container + "/args/-", "--give-up-after=20s"}}})
		}
		return append(all, replace("Job", "winnow-ingest", container+"/args", []string{"/data/" + t.inputs()}))
	}
	all = append(all, replace("Deployment", "winnow-worker", container+"/resources/requests/cpu", "200m"),
		replace("StatefulSet", "winnow-aggregate", container+"/resources/requests/cpu", "100m"))
	switch t.overlay {
	case "cluster":
		all = append(all, replace("Deployment", "winnow-worker", "/spec/replicas", 2))
		fallthrough
	case "autoscaled":
		if t.byName {
			all = append(all, scaling()...)
		}
		all = append(all, replace("Job", "winnow-ingest", container+"/args", []string{l.cloud.store.url(crawls, t.inputs()+"/")}))
	case "nightly":
		const job = "/spec/jobTemplate" + container
		env := func(i int, name, value string) []operation {
			at := fmt.Sprintf("%s/env/%d/", job, i)
			return []operation{{"test", at + "name", name}, {"replace", at + "value", value}}
		}
		all = append(all, replace("CronJob", "winnow-nightly", job+"/args", []string{l.cloud.store.url(crawls, "inbox/")}),
			patch{"CronJob", "winnow-nightly", env(1, "WINNOW_OUT", l.cloud.store.url(tables, "$(WINNOW_RUN)"))},
			patch{"CronJob", "winnow-nightly", env(3, "WINNOW_ONLY_NEW", l.cloud.store.url(tables, ""))})
	}
	return all
}
