package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
)

func TestRootBelow(t *testing.T) {
	const host = `23 28 0:21 / /proc rw shared:5 - proc proc rw
28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
91 28 0:53 / /node/containerd-state/rootfs rw - overlay overlay rw,upperdir=/node/containerd/9/fs,workdir=/node/containerd/9/work
`
	const pod = `512 440 0:53 / / ro,relatime - overlay overlay rw,lowerdir=/node/containerd/1/fs,upperdir=/node/containerd/9/fs,workdir=/node/containerd/9/work
513 512 0:60 / /proc rw - proc proc rw
`
	for _, c := range []struct {
		mounts, dir string
		want        bool
	}{{host, "/node", false}, {pod, "/node", true}, {pod, "/nod", false}, {pod, "/other", false}, {"", "/node", false}} {
		if got := rootBelow(c.mounts, c.dir); got != c.want {
			t.Errorf("below %s: %v\n%s", c.dir, got, c.mounts)
		}
	}
}

func TestParseLinks(t *testing.T) {
	links, err := parseLinks(`[{"ifindex":12,"link_index":2,"ifname":"veth1","flags":["UP"],"master":"winnow0"},{"ifindex":13,"ifname":"veth2","link_netnsid":4}]`)
	if err != nil || !slices.Equal(links, []string{"veth1", "veth2"}) {
		t.Errorf("links %v, %v", links, err)
	}
	if links, err := parseLinks(""); err != nil || links != nil {
		t.Errorf("no links: %v, %v", links, err)
	}
	if _, err := parseLinks("Cannot find device"); err == nil {
		t.Error("no error for a text that is not JSON")
	}
}

// A process that is left, a namespace and its interface are removed. What is gone already
// is no error.
func TestRemove(t *testing.T) {
	child := exec.Command("sleep", "1000")
	var r remains
	if name := fmt.Sprintf("wt%d", os.Getpid()); exec.Command("ip", "netns", "add", name).Run() == nil {
		child = exec.Command("ip", "netns", "exec", name, "sleep", "1000")
		r.namespaces = []string{name}
		if exec.Command("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name).Run() == nil {
			r.links = []string{name}
		}
	}
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	go child.Wait() //nolint:errcheck // it is killed
	process, err := os.FindProcess(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	r.processes = []*os.Process{process}
	if r.namespaces != nil { // "ip netns exec" enters it a little later
		if err := until(t.Context(), func() bool { return namespaceOf(process.Pid) == r.namespaces[0] }); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := r.remove(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if runs(process) {
		t.Error("the process runs")
	}
	for _, n := range r.namespaces {
		if exists("/run/netns/"+n) || exists("/sys/class/net/"+n) {
			t.Errorf("the namespace %s or its interface is left", n)
		}
	}
}
