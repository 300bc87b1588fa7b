package k8s

import (
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

// secured are the kustomizations for clusters that others use, too.
var secured = []string{"overlays/cluster", "overlays/autoscaled", "overlays/nightly"}

// Every program of a cluster connects over TLS as a user of its own, and cannot read the
// seed of another. A pod whose secret is missing does not start.
func TestClustersAreSecured(t *testing.T) {
	for _, dir := range secured {
		objects := build(t, dir)
		found := false
		for _, o := range objects {
			if m, is := o.(*corev1.ConfigMap); is && m.Data["WINNOW_NATS"] != "" {
				found = true
				if !strings.HasPrefix(m.Data["WINNOW_NATS"], "tls://") || m.Data["WINNOW_NATS_NKEY"] != "/etc/winnow-nats/seed" || m.Data["WINNOW_NATS_CA"] != "/etc/winnow-nats/ca.crt" {
					t.Errorf("%s: the broker is reached by %v", dir, m.Data)
				}
			}
			pod := podOf(o)
			if pod == nil {
				continue
			}
			var secrets []string
			for _, v := range pod.Spec.Volumes {
				if v.Secret != nil && (v.Secret.Optional == nil || !*v.Secret.Optional) {
					secrets = append(secrets, v.Secret.SecretName)
				}
			}
			if want := "winnow-nats-" + pod.Labels["app.kubernetes.io/component"]; len(secrets) != 1 || secrets[0] != want {
				t.Errorf("%s: %s sees %v, want %s", dir, o.GetName(), secrets, want)
			}
			mounted := slices.ContainsFunc(pod.Spec.Containers[0].VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == "/etc/winnow-nats" && m.ReadOnly })
			if !mounted {
				t.Errorf("%s: %s has no seed", dir, o.GetName())
			}
		}
		if !found {
			t.Errorf("%s: no broker is named", dir)
		}
	}
}

// Only named pods and public addresses over HTTPS can be connected to: not the
// cluster's own addresses, and not the metadata service of a cloud.
func TestEgressIsNarrow(t *testing.T) {
	forbidden := []string{"10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "0.0.0.0", "224.0.0.1",
		"255.255.255.255", "::1", "fd00:ec2::254", "fe80::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::"}
	for _, dir := range append(kustomizations, "../nats") {
		policies := 0
		for _, o := range build(t, dir) {
			p, is := o.(*networkingv1.NetworkPolicy)
			if !is {
				continue
			}
			policies++
			for _, rule := range p.Spec.Egress {
				if len(rule.To) == 0 || len(rule.Ports) == 0 {
					t.Errorf("%s: %s lets connect to anywhere, or to any port", dir, p.Name)
				}
				for _, to := range rule.To {
					if to.IPBlock == nil {
						if to.PodSelector == nil || len(to.PodSelector.MatchLabels) == 0 {
							t.Errorf("%s: %s lets connect to all pods of a namespace", dir, p.Name)
						}
						continue
					}
					if len(rule.Ports) != 1 || rule.Ports[0].Port.IntValue() != 443 {
						t.Errorf("%s: %s: addresses at %v, want HTTPS alone", dir, p.Name, rule.Ports)
					}
					for _, address := range forbidden {
						if in(t, to.IPBlock, netip.MustParseAddr(address)) {
							t.Errorf("%s: %s lets connect to %s", dir, p.Name, address)
						}
					}
				}
			}
			if p.Name == "winnow" && !slices.Contains(p.Spec.PolicyTypes, networkingv1.PolicyTypeEgress) {
				t.Errorf("%s: %s says nothing of egress", dir, p.Name)
			}
		}
		if policies == 0 {
			t.Errorf("%s: no policy", dir)
		}
	}
}

func in(t *testing.T, b *networkingv1.IPBlock, a netip.Addr) bool {
	t.Helper()
	contains := func(cidr string) bool {
		prefix, err := netip.ParsePrefix(cidr)
		if err != nil {
			t.Fatal(err)
		}
		return prefix.Contains(a)
	}
	return contains(b.CIDR) && !slices.ContainsFunc(b.Except, contains)
}

// The values for the NATS chart set TLS for clients and servers, the roles in the form
// that is tested, and a public key for each user that the roles name.
func TestValuesSecureTheBroker(t *testing.T) {
	text, err := os.ReadFile("overlays/cluster/nats-values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type tls struct {
		Enabled    bool
		SecretName string
	}
	var values struct {
		Config struct {
			NATS    struct{ TLS tls }
			Cluster struct {
				TLS       tls
				RouteURLs struct{ UseFQDN bool }
			}
			Merge map[string]any
		}
		Container struct {
			Env   map[string]any
			Patch []struct{ Value corev1.VolumeMount }
		}
		PodTemplate struct {
			Patch []struct{ Value corev1.Volume }
		}
		NATSBox struct{ Enabled *bool }
	}
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	if c := values.Config; !c.NATS.TLS.Enabled || c.NATS.TLS.SecretName == "" || !c.Cluster.TLS.Enabled || c.Cluster.TLS.SecretName == "" {
		t.Errorf("no TLS: %+v", c)
	}
	// Otherwise the chart uses names such as nats-0.nats-headless, which the certificate of
	// the handbook does not have.
	if !values.Config.Cluster.RouteURLs.UseFQDN {
		t.Error("servers would connect to each other by names that are not in their certificate")
	}
	if b := values.NATSBox.Enabled; b == nil || *b {
		t.Error("a shell with a connection to the broker runs all the time")
	}
	// The server takes the name relative to its configuration, which the chart mounts there.
	include, _ := values.Config.Merge["00$include"].(string)
	if filepath.IsAbs(include) {
		t.Errorf("%s would be searched below /etc/nats-config", include)
	}
	include = filepath.Join("/etc/nats-config", include)
	mounts, volumes := values.Container.Patch, values.PodTemplate.Patch
	if len(mounts) != 1 || len(volumes) != 1 || mounts[0].Value.MountPath != filepath.Dir(include) || mounts[0].Value.Name != volumes[0].Value.Name {
		t.Fatalf("%q is not mounted: %+v, %+v", include, mounts, volumes)
	}
	roles := ""
	for _, o := range build(t, "../nats") {
		if m, is := o.(*corev1.ConfigMap); is && volumes[0].Value.ConfigMap != nil && m.Name == volumes[0].Value.ConfigMap.Name {
			roles = m.Data[filepath.Base(include)]
		}
	}
	want, err := os.ReadFile("../nats/roles.conf")
	if err != nil || roles != string(want) {
		t.Errorf("the mounted roles are not those that are tested: %v", err)
	}
	for _, name := range regexp.MustCompile(`\$(WINNOW_[A-Z]+_NKEY)`).FindAllStringSubmatch(roles, -1) {
		if values.Container.Env[name[1]] == nil {
			t.Errorf("nobody sets %s", name[1])
		}
	}
}

// Third-party images are named by digest. Those whose digest is not known are listed in
// images.txt with the reason; a line of images.txt that no manifest needs is an error.
func TestImagesArePinned(t *testing.T) {
	text, err := os.ReadFile("../images.txt")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{} // by image: whether it was seen
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		image, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			t.Errorf("images.txt: %s: no reason", image)
		}
		open[image] = false
	}
	check := func(where, image string) {
		if strings.Contains(image, "@sha256:") {
			return
		}
		if _, listed := open[image]; !listed {
			t.Errorf("%s: %s is not named by its digest", where, image)
		}
		open[image] = true
	}
	for _, dir := range kustomizations {
		for _, o := range build(t, dir) {
			if pod := podOf(o); pod != nil {
				for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
					if c.Image != "winnow:devel" { // the image of Winnow, which an operator builds and pushes
						check(dir, c.Image)
					}
				}
			}
		}
	}
	docker, err := os.ReadFile("../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^(?:FROM|ARG BASE=)\s*(\S+)`).FindAllStringSubmatch(string(docker), -1) {
		if m[1] != "scratch" && !strings.HasPrefix(m[1], "$") {
			check("Containerfile", m[1])
		}
	}
	var values struct {
		Container struct {
			Image struct{ Tag, Digest string }
		}
	}
	chart, err := os.ReadFile("overlays/cluster/nats-values.yaml")
	if err == nil {
		err = yaml.Unmarshal(chart, &values)
	}
	if err != nil {
		t.Fatal(err)
	}
	check("nats-values.yaml", "nats:"+values.Container.Image.Tag)
	for image, seen := range open {
		if !seen {
			t.Errorf("images.txt: %s is used nowhere", image)
		}
	}
}
