package main

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow/winnow/deploy/rows"
)

// cloud is what the overlays for a cluster need beside it: buckets, and a broker with
// users and certificates.
type cloud struct {
	store *objectStore
	users map[string][]byte // their seeds
	ca    []byte
	dir   string // for copies of output folders
}

// nodeAddress is the address of the node at the pods' bridge, which up.sh sets.
const nodeAddress = "10.244.0.1"

//go:embed broker.yaml
var broker []byte

//go:embed operators.yaml
var operators []byte

// prepareCloud makes the cloud, if there is none, and a new namespace for a trial.
func (l *lab) prepareCloud(ctx context.Context, c *cluster) error {
	if _, err := c.kubectl(ctx, "delete", "namespace", "winnow", "--ignore-not-found", "--timeout=5m"); err != nil {
		return err
	}
	if l.cloud == nil {
		cloud, err := l.newCloud(ctx, c)
		if err != nil {
			return err
		}
		l.cloud = cloud
	}
	// As the handbook says.
	if _, err := c.kubectl(ctx, "apply", "-f", filepath.Join(l.overlays, "cluster", "namespace.yaml")); err != nil {
		return err
	}
	for _, user := range []string{"ingest", "worker", "aggregate"} {
		if err := c.secret(ctx, "winnow", "winnow-nats-"+user, map[string][]byte{"seed": l.cloud.users[user], "ca.crt": l.cloud.ca}); err != nil {
			return err
		}
	}
	return c.secret(ctx, "winnow", "winnow-bucket", map[string][]byte{"AWS_ACCESS_KEY_ID": []byte("trial"), "AWS_SECRET_ACCESS_KEY": []byte("trial")})
}

// newCloud fills the bucket of crawls and starts the broker.
func (l *lab) newCloud(ctx context.Context, c *cluster) (_ *cloud, err error) {
	cloud := &cloud{users: map[string][]byte{}, dir: filepath.Join(l.work, "copies")}
	if cloud.store, err = newObjectStore(nodeAddress); err != nil {
		return nil, err
	}
	for i := range copies {
		name := filepath.Join("in", fmt.Sprintf("crawl-%02d.warc.gz", i))
		data, err := os.ReadFile(filepath.Join(l.data, name))
		if err != nil {
			return nil, err
		}
		if err := cloud.store.put(crawls, filepath.ToSlash(name), data); err != nil {
			return nil, err
		}
	}
	public := map[string][]byte{}
	for _, user := range []string{"operator", "ingest", "worker", "aggregate"} {
		if cloud.users[user], public[user], err = newUser(); err != nil {
			return nil, err
		}
	}
	certificate, err := certify("nats.nats.svc", "*.nats-headless.nats.svc.cluster.local")
	if err != nil {
		return nil, err
	}
	cloud.ca = certificate["ca.crt"]
	if _, err := c.kubectl(ctx, "apply", "-k", filepath.Join(l.overlays, "..", "..", "nats"), "-n", "nats"); err != nil {
		return nil, err
	}
	for name, files := range map[string]map[string][]byte{"nats-users": public, "nats-tls": certificate} {
		if err := c.secret(ctx, "nats", name, files); err != nil {
			return nil, err
		}
	}
	for i := range 3 {
		dir := filepath.Join(l.work, "brokers", fmt.Sprint(i))
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := c.volume(ctx, "nats", fmt.Sprintf("store-nats-%d", i), dir, "2Gi"); err != nil {
			return nil, err
		}
	}
	if err := c.define(ctx); err != nil {
		return nil, err
	}
	if _, err := c.apply(ctx, broker, "apply", "-n", "nats", "-f", "-"); err != nil {
		return nil, err
	}
	_, err = c.kubectl(ctx, "-n", "nats", "rollout", "status", "statefulset/nats", "--timeout=3m")
	return cloud, err
}

// define makes the API server take the objects of the operators.
func (c *cluster) define(ctx context.Context) error {
	if _, err := c.apply(ctx, operators, "apply", "-f", "-"); err != nil {
		return err
	}
	_, err := c.apply(ctx, operators, "wait", "--for=condition=Established", "--timeout=1m", "-f", "-")
	return err
}

// secret makes a secret of some files.
func (c *cluster) secret(ctx context.Context, namespace, name string, files map[string][]byte) error {
	dir, err := os.MkdirTemp(c.dir, "secret-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	args := []string{"-n", namespace, "create", "secret", "generic", name}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, files[file], 0o600); err != nil {
			return err
		}
		args = append(args, "--from-file="+path)
	}
	_, err = c.kubectl(ctx, args...)
	return err
}

// output is the folder of a run in the bucket of tables.
func (c *cloud) output(run string) output {
	return remoteFolder{store: c.store, name: run, copy: filepath.Join(c.dir, run)}
}

func (c *cloud) close() error {
	if c == nil {
		return nil
	}
	return c.store.close()
}

// nightSettings are those of the overlay "nightly" as shipped.
var nightSettings = [][2]string{{"texts", "parquet"}, {"scorers", "none"}, {"keep-going", "true"}}

// nightly starts the CronJob's Job by hand, four times: with an empty inbox, with files,
// with some more files, and with nothing new.
func nightly(ctx context.Context, l *lab, c *cluster, t trial) (n int, problems []string) {
	kustomization, err := l.kustomize(t)
	if err == nil {
		_, err = c.kubectl(ctx, "apply", "-k", kustomization)
	}
	if err != nil {
		return 0, []string{err.Error()}
	}
	arrived := 0
	for night, files := range []int{0, 6, 3, 0} {
		name := fmt.Sprintf("night-%d", night)
		got, want, err := l.night(ctx, c, name, arrived, files)
		if err != nil {
			return n, append(problems, fmt.Sprintf("%s: %v", name, err))
		}
		for _, d := range got.Difference(want) {
			problems = append(problems, name+": "+d)
		}
		if files == 0 && got.Rows() > 0 {
			problems = append(problems, fmt.Sprintf("%s: %d rows without files", name, got.Rows()))
		}
		n += got.Rows()
		arrived += files
	}
	return n, problems
}

// night puts files into the inbox, plans a run and waits for its end. want are the tables
// of these files alone.
func (l *lab) night(ctx context.Context, c *cluster, name string, first, files int) (got, want rows.Tables, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.patience, fmt.Errorf("the run has not ended within %s", l.patience))
	defer cancel()
	var inputs []string
	for i := first; i < first+files; i++ {
		file := filepath.Join(l.data, "in", fmt.Sprintf("crawl-%02d.warc.gz", i))
		inputs = append(inputs, file)
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		if err := l.cloud.store.put(crawls, "inbox/"+filepath.Base(file), data); err != nil {
			return nil, nil, err
		}
	}
	if files > 0 {
		if want, err = l.oneMachine(ctx, name, nightSettings, inputs...); err != nil {
			return nil, nil, err
		}
	}
	if _, err := c.kubectl(ctx, "create", "job", name, "--from=cronjob/winnow-nightly"); err != nil {
		return nil, nil, err
	}
	if got, err = finished(ctx, l.cloud.output(name)); err != nil {
		return nil, nil, err
	}
	_, err = c.kubectl(ctx, "wait", "--for=condition=complete", "job/"+name, "--timeout=1m")
	return got, want, err
}
