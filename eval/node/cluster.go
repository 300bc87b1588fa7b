package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cluster is the Kubernetes node.
type cluster struct {
	scripts string
	dir     string // of the node, for up.sh and down.sh
}

// command runs a program and returns what it printed. Its error has that too.
func command(ctx context.Context, stdin []byte, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	// A background process of a script that keeps the pipe open must not be waited for.
	cmd.WaitDelay = time.Second
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil && cmd.ProcessState != nil && !cmd.ProcessState.Success() || cmd.ProcessState == nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, text.String())
	}
	return strings.TrimSpace(text.String()), nil
}

// up starts the node, or starts it again. The controller manager ends if the API server is
// not healthy ten seconds after it, as happens on a busy machine; then everything is started
// again.
func (c *cluster) up(ctx context.Context) error {
	const attempts = 5
	for range attempts {
		if _, err := command(ctx, nil, filepath.Join(c.scripts, "up.sh"), c.dir); err != nil {
			return err
		}
		works, err := c.works(ctx)
		if works || err != nil {
			return err
		}
		if err := c.down(); err != nil {
			return err
		}
	}
	return fmt.Errorf("processes of the node end as soon as they are started: see the logs in %s", c.dir)
}

// works waits until the controller manager gives a new namespace its account. It returns
// false if a process of the node has ended, or nothing happens.
func (c *cluster) works(ctx context.Context) (bool, error) {
	name := fmt.Sprintf("probe-%d", time.Now().UnixNano())
	if _, err := c.kubectl(ctx, "create", "namespace", name); err != nil {
		return false, err
	}
	ended := false
	wait, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	err := until(wait, func() bool {
		if ended = c.ended(); ended {
			return true
		}
		_, err := c.kubectl(wait, "-n", name, "get", "serviceaccount", "default")
		return err == nil
	})
	if ended || err != nil {
		return false, ctx.Err()
	}
	_, err = c.kubectl(ctx, "delete", "namespace", name, "--wait=false")
	return true, err
}

// ended reports whether one of the node's processes has ended.
func (c *cluster) ended() bool {
	text, err := os.ReadFile(c.started())
	if err != nil {
		return true
	}
	for pid := range strings.FieldsSeq(string(text)) {
		if !exists(filepath.Join("/proc", pid)) {
			return true
		}
	}
	return false
}

// stop ends the pods as Kubernetes does, which gives their network back, and then the node.
func (c *cluster) stop(ctx context.Context) error {
	var err error
	if exists(c.started()) && ctx.Err() == nil {
		_, err = c.kubectl(ctx, "delete", "namespace", "winnow", "nats", "--ignore-not-found", "--timeout=5m")
	}
	return errors.Join(err, c.down())
}

// down stops the node without notice to the pods, whether it was started or not, and ends
// the pods' processes.
func (c *cluster) down() error {
	if !exists(c.started()) {
		return nil
	}
	ctx := context.Background()
	// The script removes the bridge that shows which interfaces are the pods'.
	left, err := podsOf(ctx, c.dir)
	if err != nil {
		return err
	}
	// It asks the node's own processes to end, and does not wait for them.
	text, err := os.ReadFile(c.started())
	if err != nil {
		return err
	}
	for word := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("%s: %w", c.started(), err)
		}
		if p, err := os.FindProcess(pid); err == nil {
			left.processes = append(left.processes, p)
		}
	}
	if _, err := command(ctx, nil, filepath.Join(c.scripts, "down.sh"), c.dir); err != nil {
		return err
	}
	if err := left.remove(ctx); err != nil {
		return err
	}
	// Later, other processes may have the numbers in this file.
	return os.Remove(c.started())
}

// started is a file of up.sh with the processes that it has started.
func (c *cluster) started() string { return filepath.Join(c.dir, "pids") }

// kubectl sends a command to the node's API server.
func (c *cluster) kubectl(ctx context.Context, args ...string) (string, error) {
	return c.apply(ctx, nil, args...)
}

// apply is kubectl with an input.
func (c *cluster) apply(ctx context.Context, manifests []byte, args ...string) (string, error) {
	return command(ctx, manifests, "kubectl", append([]string{"--kubeconfig", filepath.Join(c.dir, "kubeconfig"), "-n", "winnow"}, args...)...)
}

// image makes an image of one program and gives it to the node under some names.
func (c *cluster) image(ctx context.Context, program, inside string, names ...string) error {
	for _, name := range names {
		file := filepath.Join(c.dir, "image.tar")
		if _, err := command(ctx, nil, "python3", filepath.Join(c.scripts, "image.py"), file, name, program+"="+inside, "--", inside); err != nil {
			return err
		}
		_, err := command(ctx, nil, "ctr", "-a", filepath.Join(c.dir, "containerd.sock"), "-n", "k8s.io", "image", "import", file)
		if err := os.Remove(file); err != nil {
			return err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// volume gives a claim a folder of the node's disk that every user may write to.
func (c *cluster) volume(ctx context.Context, namespace, claim, dir, size string) error {
	if err := makeFolder(dir); err != nil {
		return err
	}
	manifest := fmt.Sprintf(`apiVersion: v1
kind: PersistentVolume
metadata: {name: %[1]s-%[2]s}
spec: {capacity: {storage: %[4]s}, accessModes: [ReadWriteOnce], hostPath: {path: %[3]s}, claimRef: {namespace: %[1]s, name: %[2]s}}
`, namespace, claim, dir, size)
	_, err := c.apply(ctx, []byte(manifest), "apply", "-f", "-")
	return err
}

// makeFolder makes a folder that every user may write to.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.Chmod(dir, 0o777)
}
