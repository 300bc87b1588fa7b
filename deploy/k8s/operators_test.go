package k8s

import (
	"net/url"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/winnow/winnow/pipeline/queue"
)

// The objects of operators, with the fields that Winnow sets. The operators' own modules
// define them completely, but have too many dependencies to import here. An API server
// with the operators' definitions checks these fields (TestServerTakesManifests).

type scaledObject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ScaleTargetRef struct {
			Name string `json:"name"`
		} `json:"scaleTargetRef"`
		PollingInterval int32  `json:"pollingInterval"`
		CooldownPeriod  int32  `json:"cooldownPeriod"`
		MinReplicaCount *int32 `json:"minReplicaCount"`
		MaxReplicaCount int32  `json:"maxReplicaCount"`
		Advanced        struct {
			HorizontalPodAutoscalerConfig struct {
				Behavior autoscalingv2.HorizontalPodAutoscalerBehavior `json:"behavior"`
			} `json:"horizontalPodAutoscalerConfig"`
		} `json:"advanced"`
		Triggers []struct {
			Type     string            `json:"type"`
			Metadata map[string]string `json:"metadata"`
		} `json:"triggers"`
	} `json:"spec"`
}

type podMonitor struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Selector            metav1.LabelSelector `json:"selector"`
		PodTargetLabels     []string             `json:"podTargetLabels"`
		PodMetricsEndpoints []struct {
			Port     string `json:"port"`
			Interval string `json:"interval"`
		} `json:"podMetricsEndpoints"`
	} `json:"spec"`
}

type prometheusRule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Groups []struct {
			Name  string `json:"name"`
			Rules []struct {
				Alert       string             `json:"alert"`
				Expr        intstr.IntOrString `json:"expr"`
				For         string             `json:"for"`
				Labels      map[string]string  `json:"labels"`
				Annotations map[string]string  `json:"annotations"`
			} `json:"rules"`
		} `json:"groups"`
	} `json:"spec"`
}

// The autoscaler scales a Deployment that does not set its own size, and reads a metric
// from a Service that exists.
func TestAutoscaler(t *testing.T) {
	objects := build(t, "overlays/autoscaled")
	found := 0
	for _, o := range objects {
		s, is := o.(*scaledObject)
		if !is {
			continue
		}
		found++
		var worker *appsv1.Deployment
		for _, o := range objects {
			if d, is := o.(*appsv1.Deployment); is && d.Name == s.Spec.ScaleTargetRef.Name {
				worker = d
			}
		}
		if worker == nil {
			t.Fatalf("no Deployment %s", s.Spec.ScaleTargetRef.Name)
		}
		if worker.Spec.Replicas != nil {
			t.Error("applying the Deployment again would undo the autoscaler's number")
		}
		if s.Spec.MinReplicaCount == nil || *s.Spec.MinReplicaCount != 0 || s.Spec.MaxReplicaCount < 1 {
			t.Errorf("from %v to %d workers", s.Spec.MinReplicaCount, s.Spec.MaxReplicaCount)
		}
		if grace := *worker.Spec.Template.Spec.TerminationGracePeriodSeconds; int64(s.Spec.CooldownPeriod) < grace || float64(grace) < queue.DefaultLease.Seconds() {
			t.Errorf("cooldown %d s, grace %d s", s.Spec.CooldownPeriod, grace)
		}
		if w := s.Spec.Advanced.HorizontalPodAutoscalerConfig.Behavior.ScaleDown.StabilizationWindowSeconds; w == nil || *w < 300 {
			t.Errorf("stabilization %v", w)
		}
		for _, trigger := range s.Spec.Triggers {
			u, err := url.Parse(trigger.Metadata["url"])
			if err != nil {
				t.Fatal(err)
			}
			host := strings.Split(u.Hostname(), ".")
			if len(host) != 3 || !has[*corev1.Service](objects, host[0]) || host[1] != s.Namespace || host[2] != "svc" {
				t.Errorf("there is no service %s in %s", u.Hostname(), s.Namespace)
			}
			for _, o := range objects {
				if service, is := o.(*corev1.Service); is && service.Name == host[0] && u.Port() != "9090" {
					t.Errorf("service %s has no port %s", service.Name, u.Port())
				}
			}
		}
	}
	if found != 1 {
		t.Errorf("%d autoscalers", found)
	}
}

// The scraped port is one that the selected pods have.
func TestPodMonitor(t *testing.T) {
	objects := build(t, "overlays/autoscaled")
	for _, o := range objects {
		m, is := o.(*podMonitor)
		if !is {
			continue
		}
		selector := mustSelect(t, &m.Spec.Selector)
		selected := 0
		for _, o := range objects {
			pod := podOf(o)
			if pod == nil || !selector.Matches(labels.Set(pod.Labels)) {
				continue
			}
			selected++
			for _, e := range m.Spec.PodMetricsEndpoints {
				has := false
				for _, p := range pod.Spec.Containers[0].Ports {
					has = has || p.Name == e.Port
				}
				if !has {
					t.Errorf("%s has no port %s", o.GetName(), e.Port)
				}
			}
		}
		if selected != 2 {
			t.Errorf("%d workloads are scraped, want worker and aggregator", selected)
		}
		return
	}
	t.Error("no PodMonitor")
}
