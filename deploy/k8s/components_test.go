package k8s

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// combination is an overlay with components that are added to it.
type combination struct {
	overlay    string
	components []string
}

func (c combination) String() string {
	return strings.Join(append([]string{strings.ReplaceAll(c.overlay, "/", "-")}, c.components...), "+")
}

// combinations returns each overlay of the handbook's table with every set of the
// components that the table allows for it.
func combinations(t *testing.T) []combination {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []combination
	for _, m := range regexp.MustCompile("(?m)^\\| `(overlays/[a-z]+)` +\\|([^|\n]*)\\|$").FindAllStringSubmatch(string(text), -1) {
		var allowed []string
		for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(m[2], -1) {
			allowed = append(allowed, name[1])
		}
		for set := range 1 << len(allowed) {
			c := combination{overlay: m[1]}
			for i, name := range allowed {
				if set>>i&1 == 1 {
					c.components = append(c.components, name)
				}
			}
			all = append(all, c)
		}
	}
	for _, dir := range kustomizations {
		if strings.HasPrefix(dir, "overlays/") && !slices.ContainsFunc(all, func(c combination) bool { return c.overlay == dir }) {
			t.Errorf("the handbook does not say which components %s can be combined with", dir)
		}
	}
	components, err := os.ReadDir("components")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range components { // nats-auth is in the overlays whose broker has users
		if d.Name() != "nats-auth" && !slices.ContainsFunc(all, func(c combination) bool { return slices.Contains(c.components, d.Name()) }) {
			t.Errorf("the handbook's table does not name the component %s", d.Name())
		}
	}
	return all
}

// buildCombination builds an overlay with further components, as an operator would write
// it: a kustomization of its own beside the overlays.
func buildCombination(t *testing.T, tree string, c combination) []object {
	t.Helper()
	dir := filepath.Join(tree, "overlays", c.String())
	text := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../../" + c.overlay + "]\nnamespace: winnow\n"
	if len(c.components) > 0 {
		text += "components: [../../components/" + strings.Join(c.components, ", ../../components/") + "]\n"
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return build(t, dir)
}

// Every overlay can be combined with the components that the handbook allows, all at once
// or any of them. The result has sound pods, each with the files that it is told to read.
func TestComponentsCombine(t *testing.T) {
	tree := t.TempDir()
	if err := os.CopyFS(tree, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	all := combinations(t)
	if len(all) < 10 {
		t.Fatalf("%d combinations: the handbook's table is not found", len(all))
	}
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			objects := buildCombination(t, tree, c)
			names := map[string]bool{}
			for _, o := range objects {
				if pod := podOf(o); pod != nil {
					checkPod(t, objects, pod)
					checkFiles(t, objects, pod)
				}
				checkSelectors(t, c.String(), objects, o)
				if id := fmt.Sprintf("%T %s", o, o.GetName()); names[id] {
					t.Errorf("%s is there twice", id)
				} else {
					names[id] = true
				}
			}
			for _, name := range c.components {
				if !strings.HasPrefix(name, "identity-") {
					continue
				}
				if got := metadataEgress(objects); !slices.Equal(got, identityEgress[name]) && len(c.components) == 1 {
					t.Errorf("opens %v, want %v", got, identityEgress[name])
				}
			}
		})
	}
}

// identityEgress are the addresses that each component opens to give pods an identity.
var identityEgress = map[string][]string{
	"identity-eks": {"169.254.170.23/32:80", "fd00:ec2::23/128:80"},
	"identity-gke": {"169.254.169.252/32:988", "169.254.169.254/32:80"},
}

// metadataEgress returns the single addresses to which Winnow's pods may connect.
func metadataEgress(objects []object) []string {
	var open []string
	for _, o := range objects {
		p, is := o.(*networkingv1.NetworkPolicy)
		if !is || p.Name != "winnow" {
			continue
		}
		for _, rule := range p.Spec.Egress {
			for _, to := range rule.To {
				if to.IPBlock != nil && (strings.HasSuffix(to.IPBlock.CIDR, "/32") || strings.HasSuffix(to.IPBlock.CIDR, "/128")) {
					open = append(open, to.IPBlock.CIDR+":"+rule.Ports[0].Port.String())
				}
			}
		}
	}
	return open
}

// secretFiles are the files of each secret, as the handbook creates it.
var secretFiles = map[string][]string{
	"winnow-nats-ingest":    {"seed", "ca.crt"},
	"winnow-nats-worker":    {"seed", "ca.crt"},
	"winnow-nats-aggregate": {"seed", "ca.crt"},
}

// checkFiles fails if a variable or an argument of a container names a file or folder
// that is on no volume of the container.
func checkFiles(t *testing.T, objects []object, pod *corev1.PodTemplateSpec) {
	t.Helper()
	volumes := map[string]*corev1.Volume{}
	for i := range pod.Spec.Volumes {
		volumes[pod.Spec.Volumes[i].Name] = &pod.Spec.Volumes[i]
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		for what, file := range filesOf(objects, c) {
			mount := slices.IndexFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool {
				return file == m.MountPath || strings.HasPrefix(file, m.MountPath+"/")
			})
			if mount < 0 {
				t.Errorf("container %s: %s names %s, which is not mounted", c.Name, what, file)
				continue
			}
			if v := volumes[c.VolumeMounts[mount].Name]; v != nil && v.Secret != nil && !slices.Contains(secretFiles[v.Secret.SecretName], path.Base(file)) {
				t.Errorf("container %s: %s names %s, which is not in the secret %s of the handbook", c.Name, what, file, v.Secret.SecretName)
			}
		}
	}
}

// filesOf returns the absolute paths that a container is told, by what tells them.
func filesOf(objects []object, c *corev1.Container) map[string]string {
	files := map[string]string{}
	add := func(what, value string) {
		if strings.HasPrefix(value, "/") {
			files[what] = value
		}
	}
	for _, from := range c.EnvFrom {
		for _, o := range objects {
			if m, is := o.(*corev1.ConfigMap); is && from.ConfigMapRef != nil && m.Name == from.ConfigMapRef.Name {
				for key, value := range m.Data {
					add(key, value)
				}
			}
		}
	}
	for _, e := range c.Env { // takes precedence
		add(e.Name, e.Value)
	}
	for _, arg := range c.Args {
		add(arg, arg)
		if _, value, is := strings.Cut(arg, "="); is {
			add(arg, value)
		}
	}
	return files
}

// Runs as shipped clean a crawl: they write texts, compressed, and score nothing, because
// a crawl has no gold. A night does not fail because of a bad file or of an empty folder.
func TestRunsCleanAsShipped(t *testing.T) {
	for _, dir := range kustomizations {
		objects := build(t, dir)
		for _, o := range objects {
			pod := podOf(o)
			if pod == nil || pod.Labels["app.kubernetes.io/component"] != "ingest" {
				continue
			}
			env := environment(objects, &pod.Spec.Containers[0])
			want := map[string]string{"WINNOW_TEXTS": "parquet", "WINNOW_SCORERS": "none", "WINNOW_EXTRACTORS": ""}
			if _, nightly := o.(*batchv1.CronJob); nightly {
				want["WINNOW_KEEP_GOING"] = "true"
				// Runs are folders of the bucket in which earlier runs are looked for.
				want["WINNOW_OUT"] = strings.Replace(env["WINNOW_ONLY_NEW"], "?", "$(WINNOW_RUN)?", 1)
			}
			for name, value := range want {
				if env[name] != value {
					t.Errorf("%s: %s is %q, want %q", dir, name, env[name], value)
				}
			}
		}
		if env := environment(objects, &podNamed(t, objects, "winnow-aggregate").Spec.Containers[0]); env["WINNOW_LOG_FORMAT"] != "json" {
			t.Errorf("%s: the aggregator logs as %q", dir, env["WINNOW_LOG_FORMAT"])
		}
	}
	if !has[*scaledObject](build(t, "overlays/nightly"), "winnow-worker") {
		t.Error("workers of nightly runs do not end by day")
	}
}

// environment returns the variables of a container as the cluster sets them.
func environment(objects []object, c *corev1.Container) map[string]string {
	env := map[string]string{}
	for _, from := range c.EnvFrom {
		for _, o := range objects {
			if m, is := o.(*corev1.ConfigMap); is && from.ConfigMapRef != nil && m.Name == from.ConfigMapRef.Name {
				for key, value := range m.Data {
					env[key] = value
				}
			}
		}
	}
	for _, e := range c.Env {
		env[e.Name] = e.Value
	}
	return env
}

func podNamed(t *testing.T, objects []object, name string) *corev1.PodTemplateSpec {
	t.Helper()
	for _, o := range objects {
		if pod := podOf(o); pod != nil && o.GetName() == name {
			return pod
		}
	}
	t.Fatalf("no pods %s", name)
	return nil
}

// All pods of overlays/local fit on a node of two cores and 4 GiB, beside the cluster's
// own, which take up to half a core and half a GiB.
func TestLocalFitsASmallNode(t *testing.T) {
	cpu, memory := resource.MustParse("1500m"), resource.MustParse("3584Mi")
	for _, o := range build(t, "overlays/local") {
		if pod := podOf(o); pod != nil {
			r := pod.Spec.Containers[0].Resources.Requests
			cpu.Sub(r[corev1.ResourceCPU])
			memory.Sub(r[corev1.ResourceMemory])
		}
	}
	if cpu.Sign() < 0 || memory.Sign() < 0 {
		t.Errorf("left are %v cores and %v bytes", cpu.String(), memory.String())
	}
}
