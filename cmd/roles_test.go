package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/winnow/winnow/pipeline/queue"
)

// secured starts a broker with the users of deploy/nats/roles.conf, and returns
// its URL and each user's seed file.
func secured(t *testing.T) (broker *process, url string, seeds map[string]string) {
	t.Helper()
	setup(t)
	roles, err := filepath.Abs("../deploy/nats/roles.conf")
	if err != nil {
		t.Fatal(err)
	}
	dir, port := t.TempDir(), freePort(t)
	seeds = map[string]string{}
	for _, role := range []string{"operator", "ingest", "worker", "aggregate"} {
		pair, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		public, err := pair.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			t.Fatal(err)
		}
		seeds[role] = filepath.Join(dir, role)
		if err := os.WriteFile(seeds[role], seed, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("WINNOW_"+strings.ToUpper(role)+"_NKEY", public)
	}
	// Names of included files are relative to the file that includes them.
	rel, err := filepath.Rel(dir, roles)
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "nats.conf")
	text := fmt.Sprintf("listen: 127.0.0.1:%s\njetstream { store_dir: %q }\ninclude %q\n", port, filepath.Join(dir, "store"), rel)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, "nats-server", "--config", conf), "nats://127.0.0.1:" + port, seeds
}

// Every program works with the rights that deploy/nats/roles.conf gives it, in all
// phases of a run.
func TestRolesAreEnough(t *testing.T) {
	learning := setupLearning(t)
	broker, url, seeds := secured(t)
	program := func(name string, args ...string) *process {
		return start(t, name, append([]string{"--nats", url, "--nats-nkey", seeds[name], "--run", "r"}, args...)...)
	}
	c := &cluster{t: t, out: t.TempDir(), task: learning, nats: broker, url: url}
	for range 2 {
		c.workers = append(c.workers, program("worker", "--exit-when-done", "--slots", "1"))
	}
	c.aggregate = program("aggregate", "--exit-when-done", "--quiet", "1s")
	submit := append(append([]string{"--out", c.out, "--lease", "2s"}, learning.recipe...), learning.in)
	program("ingest", submit...).ends(0)
	program("ingest", submit...).ends(0) // a second call, which goes on with the run, needs other rights
	c.finish()
	for line := range strings.Lines(broker.out.String()) {
		if strings.Contains(line, "iolation") {
			t.Errorf("a right is missing: %s", line)
		}
	}
}

// The programs have no rights beyond those that they need.
func TestRolesAreNoMore(t *testing.T) {
	t.Run("subjects", subjectsThatAreRefused)
	t.Run("replies", redirectedAnswers)
}

func subjectsThatAreRefused(t *testing.T) {
	_, url, seeds := secured(t)
	connect := func(role string) (*nats.Conn, jetstream.JetStream) {
		t.Helper()
		return connectAs(t, url, role, seeds[role])
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	// The user of ingest may send the first requests of its program.
	q, err := queue.Dial(ctx, queue.Options{URL: url, NKey: seeds["ingest"], Inbox: "_INBOX.winnow.ingest"})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Setup(ctx, queue.Limits{}); err != nil {
		t.Fatal(err)
	}

	// refused publishes a message and waits for the server's answer. The server answers
	// a connection in order, so the answer has arrived when a flush returns.
	refused := func(role, subject string) {
		t.Helper()
		nc, _ := connect(role)
		if err := nc.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if err := nc.FlushWithContext(ctx); err != nil {
			t.Fatal(err)
		}
		if err := nc.LastError(); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s may publish to %s: %v", role, subject, err)
		}
	}
	for _, role := range []string{"ingest", "worker", "aggregate"} {
		refused(role, "$JS.API.STREAM.DELETE.WINNOW_ITEMS")
		refused(role, "$JS.API.STREAM.DELETE.WINNOW_RUNS")
		refused(role, "$JS.API.STREAM.PURGE.WINNOW_DEAD")
		refused(role, "$JS.API.STREAM.RESTORE.WINNOW_ITEMS")
		refused(role, "somebody.else")
	}
	refused("worker", "winnow.items.r.extract")
	refused("worker", "winnow.runs.r")
	refused("worker", "$KV.winnow_access.r.x")
	refused("worker", "$JS.ACK.WINNOW_RUNS.aggregators_r.1.1.1.1.0")
	refused("worker", "$JS.API.CONSUMER.MSG.NEXT.WINNOW_RUNS.aggregators_r")
	refused("worker", "$JS.API.STREAM.CREATE.MINE")
	refused("worker", "$JS.API.STREAM.UPDATE.WINNOW_ITEMS")
	refused("worker", "$JS.API.STREAM.PURGE.WINNOW_ITEMS")
	refused("worker", "$JS.API.STREAM.MSG.DELETE.WINNOW_ITEMS")
	refused("worker", "$JS.API.CONSUMER.CREATE.WINNOW_ITEMS.mine.winnow.items.r.extract")
	refused("worker", "$JS.API.CONSUMER.CREATE.WINNOW_DONE.mine")
	refused("worker", "$JS.API.CONSUMER.DELETE.WINNOW_ITEMS.workers_r_extract")
	refused("ingest", "winnow.items.r.extract")
	refused("ingest", "$JS.API.CONSUMER.CREATE.WINNOW_ITEMS.mine.winnow.items.r.extract")
	refused("ingest", "winnow.done.r")
	refused("ingest", "$JS.ACK.WINNOW_ITEMS.x")
	refused("ingest", "$JS.API.STREAM.PURGE.WINNOW_ITEMS")
	refused("aggregate", "winnow.runs.r")
	refused("aggregate", "winnow.done.r")
	refused("aggregate", "$JS.API.STREAM.CREATE.MINE")

	for role, subject := range map[string]string{"worker": "_INBOX.winnow.aggregate.>", "ingest": "winnow.>", "aggregate": "$KV.>"} {
		nc, _ := connect(role)
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		if err := nc.FlushWithContext(ctx); err != nil {
			t.Fatal(err)
		}
		if err := nc.LastError(); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s may listen to %s: %v", role, subject, err)
		}
	}
	// A program names the right that is missing, although the request itself only times
	// out.
	worker := start(t, "ingest", "--nats", url, "--nats-nkey", seeds["worker"], "--nats-wait", "5s", "--run", "r", "--out", t.TempDir(), "--extractors", "plain", built.in)
	for !strings.Contains(worker.out.String(), "no permission at the broker") {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			t.Fatal("a missing right is not logged")
		}
	}
	if nc, err := nats.Connect(url); err == nil {
		nc.Close()
		t.Error("the broker lets in who has no key")
	}
}

// The broker of the one-node overlay accepts its configuration, and has the version
// that is tested here.
func TestLocalBroker(t *testing.T) {
	t.Parallel()
	setup(t)
	text, err := os.ReadFile("../deploy/k8s/overlays/local/nats.yaml")
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(t.TempDir(), "nats.conf")
	found := false
	for doc := range strings.SplitSeq(string(text), "\n---\n") {
		var m corev1.ConfigMap
		if err := yaml.Unmarshal([]byte(doc), &m); err == nil && m.Kind == "ConfigMap" {
			found = true
			if err := os.WriteFile(conf, []byte(m.Data["nats.conf"]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !found {
		t.Fatal("no ConfigMap")
	}
	if out, err := exec.Command(filepath.Join(built.bin, "nats-server"), "-t", "-c", conf).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	version, err := exec.Command(filepath.Join(built.bin, "nats-server"), "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, v, _ := strings.Cut(strings.TrimSpace(string(version)), ": v")
	values, err := os.ReadFile("../deploy/k8s/overlays/cluster/nats-values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if v == "" || !strings.Contains(string(text), "image: nats:"+v+"-alpine ") || !strings.Contains(string(values), "tag: "+v+"-alpine ") {
		t.Errorf("the manifests want another version than %s", version)
	}
}
