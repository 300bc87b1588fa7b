package k8s

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/winnow/winnow/pipeline/queue"
)

// kustomizations are all that can be applied.
var kustomizations = []string{"base", "overlays/local", "overlays/cluster", "overlays/autoscaled", "overlays/nightly"}

// object is one manifest in the type that the cluster knows it by.
type object interface{ metav1.Object }

// build builds a kustomization and decodes every object of it strictly: a field
// that the API does not have, or has in another case, is an error.
func build(t *testing.T, dir string) []object {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []object
	for _, r := range resources.Resources() {
		kind := r.GetGvk().Group + "/" + r.GetKind()
		o, known := map[string]object{
			"apps/Deployment":                     &appsv1.Deployment{},
			"apps/StatefulSet":                    &appsv1.StatefulSet{},
			"autoscaling/HorizontalPodAutoscaler": &autoscalingv2.HorizontalPodAutoscaler{},
			"batch/Job":                           &batchv1.Job{},
			"batch/CronJob":                       &batchv1.CronJob{},
			"/ConfigMap":                          &corev1.ConfigMap{},
			"/Namespace":                          &corev1.Namespace{},
			"/PersistentVolumeClaim":              &corev1.PersistentVolumeClaim{},
			"/Service":                            &corev1.Service{},
			"/ServiceAccount":                     &corev1.ServiceAccount{},
			"networking.k8s.io/NetworkPolicy":     &networkingv1.NetworkPolicy{},
			"policy/PodDisruptionBudget":          &policyv1.PodDisruptionBudget{},
			// Objects of operators are decoded into the fields that Winnow uses.
			"keda.sh/ScaledObject":                 &scaledObject{},
			"monitoring.coreos.com/PodMonitor":     &podMonitor{},
			"monitoring.coreos.com/PrometheusRule": &prometheusRule{},
		}[kind]
		if !known {
			t.Fatalf("%s: no type for %s: add it here", dir, kind)
		}
		text, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		// The API server's own decoder: field names are case-sensitive.
		strict, err := kjson.UnmarshalStrict(text, o)
		if err := errors.Join(append(strict, err)...); err != nil {
			t.Errorf("%s: %s %s: %v", dir, kind, r.GetName(), err)
		}
		out = append(out, o)
	}
	return out
}

// podOf is what o runs, if it runs anything.
func podOf(o object) *corev1.PodTemplateSpec {
	switch w := o.(type) {
	case *appsv1.Deployment:
		return &w.Spec.Template
	case *appsv1.StatefulSet:
		return &w.Spec.Template
	case *batchv1.Job:
		return &w.Spec.Template
	case *batchv1.CronJob:
		return &w.Spec.JobTemplate.Spec.Template
	}
	return nil
}

func TestWorkloads(t *testing.T) {
	for _, dir := range kustomizations {
		objects := build(t, dir)
		if !has[*batchv1.Job](objects, "winnow-ingest") && !has[*batchv1.CronJob](objects, "winnow-nightly") || !has[*appsv1.Deployment](objects, "winnow-worker") || !has[*appsv1.StatefulSet](objects, "winnow-aggregate") {
			t.Errorf("%s: a workload is missing", dir)
		}
		for _, o := range objects {
			if pod := podOf(o); pod != nil {
				t.Run(dir+"/"+o.GetName(), func(t *testing.T) { checkPod(t, objects, pod) })
			}
			checkSelectors(t, dir, objects, o)
		}
	}
}

func checkPod(t *testing.T, objects []object, pod *corev1.PodTemplateSpec) {
	spec := &pod.Spec
	own := pod.Labels["app.kubernetes.io/name"] == "winnow"
	for _, label := range []string{"name", "part-of", "managed-by", "component"} {
		if own && pod.Labels["app.kubernetes.io/"+label] == "" {
			t.Errorf("no label %s", label)
		}
	}
	if s := spec.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil {
		t.Error("may run as root or without a seccomp profile")
	}
	if spec.AutomountServiceAccountToken == nil || *spec.AutomountServiceAccountToken {
		t.Error("gets a token that it has no use for")
	}
	if spec.EnableServiceLinks == nil || *spec.EnableServiceLinks {
		t.Error("service links would set variables that look like flags")
	}
	if grace := spec.TerminationGracePeriodSeconds; own && pod.Labels["app.kubernetes.io/component"] != "ingest" &&
		(grace == nil || time.Duration(*grace)*time.Second <= queue.DefaultLease) {
		t.Errorf("is killed after %v s, within the lease of an item (%v)", grace, queue.DefaultLease)
	}
	volumes := map[string]bool{}
	for _, v := range spec.Volumes {
		volumes[v.Name] = true
		if v.EmptyDir != nil && v.EmptyDir.SizeLimit == nil {
			t.Errorf("volume %s has no size limit", v.Name)
		}
		if v.ConfigMap != nil && !has[*corev1.ConfigMap](objects, v.ConfigMap.Name) {
			t.Errorf("no ConfigMap %s", v.ConfigMap.Name)
		}
		if c := v.PersistentVolumeClaim; c != nil && !has[*corev1.PersistentVolumeClaim](objects, c.ClaimName) {
			t.Errorf("no claim %s", c.ClaimName)
		}
	}
	for i := range spec.Containers {
		checkContainer(t, &spec.Containers[i], own)
		for _, m := range spec.Containers[i].VolumeMounts {
			if own && !volumes[m.Name] {
				t.Errorf("no volume %s", m.Name)
			}
		}
		for _, from := range spec.Containers[i].EnvFrom {
			if from.ConfigMapRef != nil && !has[*corev1.ConfigMap](objects, from.ConfigMapRef.Name) {
				t.Errorf("no ConfigMap %s", from.ConfigMapRef.Name)
			}
		}
	}
}

func checkContainer(t *testing.T, c *corev1.Container, own bool) {
	s := c.SecurityContext
	if s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation ||
		s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.Capabilities == nil || len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" {
		t.Error("has more rights than it needs")
	}
	for _, r := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if c.Resources.Requests[r] == (resource.Quantity{}) {
			t.Errorf("does not request %s", r)
		}
	}
	limit, request := c.Resources.Limits[corev1.ResourceMemory], c.Resources.Requests[corev1.ResourceMemory]
	if limit.IsZero() || request.Cmp(limit) >= 0 {
		t.Errorf("Go's memory limit is the request %v and must be below the limit %v", request.String(), limit.String())
	}
	if _, limited := c.Resources.Limits[corev1.ResourceCPU]; limited {
		t.Error("is throttled by a CPU limit")
	}
	told := false
	for _, e := range c.Env {
		if f := e.ValueFrom; e.Name == "GOMEMLIMIT" && f != nil && f.ResourceFieldRef != nil {
			told = f.ResourceFieldRef.Resource == "requests.memory" && f.ResourceFieldRef.ContainerName == c.Name
		}
	}
	if !told {
		t.Error("Go is not told its memory limit")
	}
	if c.Name == "ingest" { // ends by itself
		return
	}
	ports := map[string]bool{}
	for _, p := range c.Ports {
		ports[p.Name] = true
	}
	for name, p := range map[string]*corev1.Probe{"startup": c.StartupProbe, "liveness": c.LivenessProbe, "readiness": c.ReadinessProbe} {
		if p == nil || p.HTTPGet == nil || !ports[p.HTTPGet.Port.StrVal] {
			t.Errorf("%s probe asks no port of the container", name)
			continue
		}
		if want := map[string]string{"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}[name]; own && p.HTTPGet.Path != want {
			t.Errorf("%s probe asks %s, want %s", name, p.HTTPGet.Path, want)
		}
	}
}

// checkSelectors fails if a selector of pods selects none.
func checkSelectors(t *testing.T, dir string, objects []object, o object) {
	var selector labels.Selector
	switch s := o.(type) {
	case *appsv1.Deployment:
		selector = mustSelect(t, s.Spec.Selector)
	case *appsv1.StatefulSet:
		selector = mustSelect(t, s.Spec.Selector)
		if !has[*corev1.Service](objects, s.Spec.ServiceName) {
			t.Errorf("%s: no Service %s", dir, s.Spec.ServiceName)
		}
	case *policyv1.PodDisruptionBudget:
		if p := s.Spec.UnhealthyPodEvictionPolicy; p == nil || *p != policyv1.AlwaysAllow {
			t.Errorf("%s: a pod that is not ready could never be evicted", s.Name)
		}
		selector = mustSelect(t, s.Spec.Selector)
	case *networkingv1.NetworkPolicy:
		selector = mustSelect(t, &s.Spec.PodSelector)
	case *podMonitor:
		selector = mustSelect(t, &s.Spec.Selector)
	case *corev1.Service:
		selector = labels.SelectorFromSet(s.Spec.Selector)
	default:
		return
	}
	for _, other := range objects {
		if pod := podOf(other); pod != nil && selector.Matches(labels.Set(pod.Labels)) {
			return
		}
	}
	t.Errorf("%s: %T %s selects no pod", dir, o, o.GetName())
}

func mustSelect(t *testing.T, s *metav1.LabelSelector) labels.Selector {
	t.Helper()
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		t.Fatal(err)
	}
	return selector
}

func has[T object](objects []object, name string) bool {
	for _, o := range objects {
		if _, is := o.(T); is && o.GetName() == name {
			return true
		}
	}
	return false
}

// The values for the chart of NATS are not checked here, but they are YAML
// with no key twice.
func TestValuesAreYAML(t *testing.T) {
	text, err := os.ReadFile("overlays/cluster/nats-values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.UnmarshalStrict(bytes.TrimSpace(text), &values); err != nil || values["config"] == nil {
		t.Errorf("%v, %v", values, err)
	}
}
