package k8s

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// The HTTP service has sound pods, which the autoscaler scales and the service finds, and
// which connect to nothing.
func TestAPI(t *testing.T) {
	objects := build(t, "api")
	var pod *corev1.PodTemplateSpec
	for _, o := range objects {
		checkSelectors(t, "api", objects, o)
		switch o := o.(type) {
		case *appsv1.Deployment:
			pod = &o.Spec.Template
			if o.Spec.Replicas != nil {
				t.Error("the Deployment sets the number of replicas that the autoscaler chooses")
			}
		case *autoscalingv2.HorizontalPodAutoscaler:
			if to := o.Spec.ScaleTargetRef; to.Kind != "Deployment" || !has[*appsv1.Deployment](objects, to.Name) || *o.Spec.MinReplicas < 2 {
				t.Errorf("the autoscaler scales %+v from %d", to, *o.Spec.MinReplicas)
			}
		case *networkingv1.NetworkPolicy:
			if len(o.Spec.PolicyTypes) != 2 || len(o.Spec.Egress) != 0 {
				t.Errorf("the pods may connect to %+v", o.Spec.Egress)
			}
		}
	}
	if pod == nil {
		t.Fatal("no Deployment")
	}
	checkPod(t, objects, pod)
	c := &pod.Spec.Containers[0]
	if !has[*autoscalingv2.HorizontalPodAutoscaler](objects, "winnow-api") || !has[*corev1.Service](objects, "winnow-api") {
		t.Error("no autoscaler or no Service")
	}
	for _, o := range objects {
		if s, is := o.(*corev1.Service); is && s.Spec.Ports[0].TargetPort.StrVal != c.Ports[0].Name {
			t.Errorf("the Service leads to port %v", s.Spec.Ports[0].TargetPort)
		}
	}
	// A request has four times --time until its answer is read.
	for _, arg := range c.Args {
		value, is := strings.CutPrefix(arg, "--time=")
		if !is {
			continue
		}
		limit, err := time.ParseDuration(value)
		grace := time.Duration(*pod.Spec.TerminationGracePeriodSeconds) * time.Second
		if wait := time.Duration(c.Lifecycle.PreStop.Sleep.Seconds) * time.Second; err != nil || wait+4*limit >= grace {
			t.Errorf("a pod is killed after %v, before its requests end (%v + 4 x %v)", grace, wait, limit)
		}
	}
	if testing.Short() {
		return // the rest links a program
	}
	program := filepath.Join(t.TempDir(), "winnow")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/winnow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	flags := flagsOf(t, program, "api")
	for _, arg := range c.Args {
		if name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "="); !flags[name] {
			t.Errorf("winnow api has no flag --%s", name)
		}
	}
}
