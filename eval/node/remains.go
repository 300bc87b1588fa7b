package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// remains are what pods leave on the machine when a node ends before they do: processes
// whose parent has ended, and the network namespaces that the processes are in, each with
// an interface at the node's bridge.
type remains struct {
	processes  []*os.Process
	links      []string
	namespaces []string
}

// bridge is the interface that up.sh connects the pods to.
const bridge = "winnow0"

// podsOf finds what belongs to the pods of the node in a folder, whether the node still
// runs or not.
func podsOf(ctx context.Context, dir string) (r remains, err error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return r, err
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		mounts, err := os.ReadFile(filepath.Join("/proc", e.Name(), "mountinfo"))
		if err != nil || !rootBelow(string(mounts), dir) {
			continue // it has ended meanwhile, or it is not of this node
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			return r, err
		}
		r.processes = append(r.processes, p)
		if name := namespaceOf(pid); name != "" && !slices.Contains(r.namespaces, name) {
			r.namespaces = append(r.namespaces, name)
		}
	}
	if _, err := os.Stat(filepath.Join("/sys/class/net", bridge)); err != nil {
		return r, nil // without the bridge there are no interfaces at it
	}
	text, err := command(ctx, nil, "ip", "-json", "link", "show", "master", bridge)
	if err != nil {
		return r, err
	}
	r.links, err = parseLinks(text)
	return r, err
}

// namespaceOf returns the name of the network namespace that a process is in, or "" if it
// has none, as that of the machine.
func namespaceOf(pid int) string {
	of, err := os.Stat(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return ""
	}
	named, _ := filepath.Glob("/run/netns/*")
	for _, file := range named {
		if f, err := os.Stat(file); err == nil && os.SameFile(of, f) {
			return filepath.Base(file)
		}
	}
	return ""
}

// rootBelow reports whether the root of a process, whose mounts are given as in
// /proc/PID/mountinfo, is an image or a container below a folder.
func rootBelow(mountinfo, dir string) bool {
	for line := range strings.Lines(mountinfo) {
		if f := strings.Fields(line); len(f) > 4 && f[4] == "/" {
			return strings.Contains(line, dir+string(filepath.Separator))
		}
	}
	return false
}

// parseLinks reads the names of interfaces from what "ip -json link" prints.
func parseLinks(text string) (links []string, err error) {
	if text == "" {
		return nil, nil
	}
	var all []struct {
		Name string `json:"ifname"`
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("ip link: %w", err)
	}
	for _, l := range all {
		links = append(links, l.Name)
	}
	return links, nil
}

// remove ends the processes and removes interfaces and namespaces, and waits until nothing
// of it is there.
func (r remains) remove(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for _, p := range r.processes {
		if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
	}
	if err := until(ctx, func() bool { return !slices.ContainsFunc(r.processes, runs) }); err != nil {
		return fmt.Errorf("processes of pods do not end: %w", err)
	}
	for _, n := range r.namespaces {
		if file := filepath.Join("/run/netns", n); exists(file) {
			if _, err := command(ctx, nil, "ip", "netns", "delete", n); err != nil && exists(file) {
				return err
			}
		}
	}
	// The kernel removes the interfaces of a namespace some time after the namespace.
	for _, l := range r.links {
		if file := filepath.Join("/sys/class/net", l); exists(file) {
			if _, err := command(ctx, nil, "ip", "link", "delete", l); err != nil && exists(file) {
				return err
			}
		}
	}
	return nil
}

// runs reports whether a process exists.
func runs(p *os.Process) bool { return p.Signal(syscall.Signal(0)) == nil }

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
