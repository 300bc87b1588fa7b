package k8s

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// An API server accepts all kustomizations in a dry run, with its defaults, its
// validation and its admission. The definitions of KEDA's and the Prometheus Operator's
// objects must be installed there. The only change to the server is that it gets a
// namespace winnow. The test runs only against a server that is named explicitly:
//
//	WINNOW_KUBECONFIG=FILE go test ./deploy/k8s -run Server
//
// A kube-apiserver and etcd are enough; there need be no nodes.
func TestServerTakesManifests(t *testing.T) {
	config := os.Getenv("WINNOW_KUBECONFIG")
	if config == "" {
		t.Skip("WINNOW_KUBECONFIG names no API server")
	}
	kubectl := func(stdin []byte, args ...string) {
		t.Helper()
		cmd := exec.Command("kubectl", append([]string{"--kubeconfig", config}, args...)...)
		cmd.Stdin = strings.NewReader(string(stdin))
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), "Warning") {
			t.Errorf("kubectl %v: %v\n%s", args, err, out)
		}
	}
	kubectl(nil, "apply", "-f", "overlays/local/namespace.yaml")
	for _, dir := range append(kustomizations, "api") {
		if dir == "base" { // has no namespace
			continue
		}
		kubectl(nil, "apply", "--server-side", "--dry-run=server", "--validate=strict", "--field-manager=winnow-test", "-k", dir)
		// Rules about pods (the namespace's standard is "restricted") are kept when a
		// controller makes them, so they are tried one by one.
		for _, o := range build(t, dir) {
			template := podOf(o)
			if template == nil {
				continue
			}
			pod := corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
				ObjectMeta: metav1.ObjectMeta{Name: o.GetName(), Namespace: "winnow", Labels: template.Labels}, Spec: *template.Spec.DeepCopy()}
			for _, name := range volumesOf(o) {
				pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
			}
			text, err := yaml.Marshal(pod)
			if err != nil {
				t.Fatal(err)
			}
			kubectl(text, "create", "--dry-run=server", "--validate=strict", "-f", "-")
		}
	}
}

// volumesOf are the volumes that a StatefulSet makes for its pods.
func volumesOf(o object) []string {
	var names []string
	if s, is := o.(*appsv1.StatefulSet); is {
		for _, c := range s.Spec.VolumeClaimTemplates {
			names = append(names, c.Name)
		}
	}
	return names
}
