package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// The programs are built once. The one-machine command makes the expected rows.
var built struct {
	once sync.Once
	err  error
	bin  string // folder
	task
}

// task is a run and its expected rows.
type task struct {
	in     string // folder with the crawl
	recipe []string
	want   string                   // all rows as text
	view   func(rows string) string // the part of the rows that is compared with want; nil for all of them
}

func TestMain(m *testing.M) {
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "eu-west-1", "AWS_EC2_METADATA_DISABLED": "true"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if built.bin != "" {
		os.RemoveAll(filepath.Dir(built.bin))
	}
	os.Exit(code)
}

// recipe holds the flags of every run here. The filter leaves out some of the texts.
var recipe = []string{"--extractors", "plain,bte,density,justext", "--scorers", "vec,set", "--texts", "jsonl,markdown", "--respect-optout", "--keep", "text_chars > 9000", "--package-by", "host", "--item-size", "24KiB"}

// long skips the test unless WINNOW_LONG_TESTS is set. It is for tests of faults that the trials
// of deploy/faults inject, too.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("WINNOW_LONG_TESTS") == "" {
		t.Skip("WINNOW_LONG_TESTS is not set")
	}
}

// setup builds the programs and the NATS server, writes the crawl, and makes the
// expected rows in one process.
func setup(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs and runs them")
	}
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "winnow-programs-")
		if err != nil {
			built.err = err
			return
		}
		built.bin, built.in, built.recipe = filepath.Join(dir, "bin"), filepath.Join(dir, "in"), recipe
		text, err := exec.Command("go", "build", "-o", built.bin+string(filepath.Separator),
			"./ingest", "./worker", "./aggregate", "./winnow", "github.com/nats-io/nats-server/v2").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("build: %w\n%s", err, text)
			return
		}
		if built.err = crawl(built.in); built.err != nil {
			return
		}
		out := filepath.Join(dir, "out")
		args := append([]string{"run", "--run", "r", "--out", out}, recipe...)
		if text, err := exec.Command(filepath.Join(built.bin, "winnow"), append(args, built.in)...).CombinedOutput(); err != nil {
			built.err = fmt.Errorf("winnow run: %w\n%s", err, text)
			return
		}
		built.want, built.err = tables(out)
		if built.err == nil && !(strings.Contains(built.want, "Kept:1 ") && strings.Contains(built.want, "Kept:-1 LeftOutBy:clause 9: text_chars > 9000")) {
			built.err = errors.New("the filter does not leave out some texts and keep others")
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
}

// crawl writes archives of pages of different sizes, every fourth with gold.
func crawl(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, host := range []string{"a.example", "b.example", "c.example"} {
		f, err := os.Create(filepath.Join(dir, host+".warc.gz"))
		if err != nil {
			return err
		}
		w := write.NewWriter(f)
		for n := range 320 {
			url := fmt.Sprintf("http://%s/%d", host, n)
			var text strings.Builder
			for i := range 30 + (n*37)%170 {
				fmt.Fprintf(&text, "<p>Sentence %d of page %d on %s is about the grain of %d fields and about the wind that parts it.</p>\n", i, n, host, (i*n*7919)%1009)
			}
			block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
				[]byte("<html><body><ul><li><a href=/>menu</a></ul><div>"+text.String()+"</div></body></html>"))
			if err != nil {
				return err
			}
			id := write.ID(host, fmt.Sprint(n))
			if err := w.Write(&write.Record{Type: "response", ID: id, Date: time.Unix(0, 0), TargetURI: url,
				ContentType: "application/http; msgtype=response", Block: block}); err != nil {
				return err
			}
			if n%4 == 0 {
				content := strings.NewReplacer("<p>", "", "</p>", "").Replace(text.String())
				g := &schemas.Gold{Version: 1, Package: "pack", ID: fmt.Sprintf("%s-%d", host, n), URL: url, Text: &content}
				if err := gold.WriteGold(w, g, id, url, time.Unix(0, 0)); err != nil {
					return err
				}
			}
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// tables returns all rows of a finished run as text, without timings.
func tables(out string) (string, error) {
	ctx := context.Background()
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(ctx, out)
	if err != nil {
		return "", err
	}
	m, err := ingest.Manifest(ctx, store)
	if err != nil {
		return "", err
	}
	if m.Finished.IsZero() {
		return "", errors.New("the run is not finished")
	}
	var b strings.Builder
	for _, p := range m.Parts {
		for _, f := range p.Files {
			switch f.Table {
			case schemas.TablePages:
				err = rows(ctx, store, f.Name, columnar.PagesOf(&m.Run.Recipe), func(r *schemas.Page) {
					r.ParseNS, r.FactsNS = 0, 0
					fmt.Fprintf(&b, "%+v\n", *r)
				})
			case schemas.TableDocuments:
				err = rows(ctx, store, f.Name, columnar.DocumentsOf(&m.Run.Recipe), func(r *schemas.Document) {
					r.ParseNS, r.FeatureNS, r.ExtractNS = 0, 0, 0
					fmt.Fprintf(&b, "%+v\n", *r)
				})
			case schemas.TableScores:
				err = rows(ctx, store, f.Name, columnar.Scores, func(r *schemas.ScoreRow) { fmt.Fprintf(&b, "%+v\n", *r) })
			case schemas.TableLinks:
				err = rows(ctx, store, f.Name, columnar.Links, func(r *schemas.LinkRow) { fmt.Fprintf(&b, "%+v\n", *r) })
			case schemas.TableTexts:
				err = texts(ctx, store, f.Name, &b)
			}
			if err != nil {
				return "", err
			}
		}
	}
	left, err := store.List(ctx, "shards/")
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%d shards are left behind, such as %s", len(left), left[0].Name)
	}
	if _, serr := os.Stat(filepath.Join(out, "shards")); serr == nil && err == nil { // a bucket has no folder to check
		err = errors.New("folders of shards are left behind")
	}
	return b.String(), err
}

// texts appends the JSON lines of a file to b.
func texts(ctx context.Context, store blob.Store, name string, b *strings.Builder) error {
	data, err := blob.ReadAll(ctx, store, name, 1<<30)
	if err != nil {
		return err
	}
	z, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = z.WriteTo(b)
	return err
}

func rows[T any](ctx context.Context, store blob.Store, name string, table *columnar.Table[T], f func(*T)) error {
	file, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := columnar.NewReader(table, file, file.Size())
	if err != nil {
		return err
	}
	for row, err := range r.All(ctx) {
		if err != nil {
			return err
		}
		f(row)
	}
	return nil
}

// process is a program that runs until it ends or is killed.
type process struct {
	t    *testing.T
	name string
	args []string
	cmd  *exec.Cmd
	out  *output
	done chan struct{}
}

// output collects the output of a process. It can be read while the process runs.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func start(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{t: t, name: name, args: args}
	p.start()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s %s:\n%s", name, strings.Join(args, " "), tail(p.out.String()))
		}
		_ = p.cmd.Process.Kill()
		<-p.done
	})
	return p
}

func tail(s string) string {
	if len(s) > 3000 {
		return "..." + s[len(s)-3000:]
	}
	return s
}

func (p *process) start() {
	p.t.Helper()
	p.out, p.done = new(output), make(chan struct{})
	p.cmd = exec.Command(filepath.Join(built.bin, p.name), p.args...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	cmd, done := p.cmd, p.done
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
}

// kill ends the process without a warning and waits until it has ended.
func (p *process) kill() {
	p.t.Helper()
	select {
	case <-p.done:
		p.t.Fatalf("%s ended before it was killed:\n%s", p.name, tail(p.out.String()))
	default:
	}
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	<-p.done
}

// ends waits for the process to end and checks its exit code.
func (p *process) ends(code int) {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(90 * time.Second):
		p.t.Fatalf("%s does not end:\n%s", p.name, tail(p.out.String()))
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Fatalf("%s: exit code %d, want %d:\n%s", p.name, got, code, tail(p.out.String()))
	}
}

// cluster is a broker and the three programs.
type cluster struct {
	t         *testing.T
	url, out  string
	nats      *process
	workers   []*process
	aggregate *process
	q         *queue.Queue
	task      *task

	js    jetstream.JetStream
	state jetstream.StreamState // state of the stream of reports when they were read last
	read  map[schemas.Phase]map[schemas.ItemID]bool
}

// freePort returns a port that is not in use at this moment.
func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	return port
}

// newCluster starts all programs except ingest. Workers and aggregator wait for a run
// that does not exist yet.
func newCluster(t *testing.T, workers int, extra ...string) *cluster {
	t.Helper()
	setup(t)
	return newClusterFor(t, &built.task, workers, extra...)
}

// newClusterFor is newCluster for another run.
func newClusterFor(t *testing.T, of *task, workers int, extra ...string) *cluster {
	t.Helper()
	return newClusterTo(t, of, t.TempDir(), workers, extra...)
}

// newClusterTo is newClusterFor with a chosen output folder.
func newClusterTo(t *testing.T, of *task, out string, workers int, extra ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, out: out, task: of}
	port := freePort(t)
	c.url = "nats://127.0.0.1:" + port
	c.nats = start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	for range workers {
		c.workers = append(c.workers, c.worker(extra...))
	}
	c.aggregate = start(t, "aggregate", "--nats", c.url, "--run", "r", "--exit-when-done", "--quiet", "1s")
	var err error
	if c.q, err = queue.Dial(t.Context(), queue.Options{URL: c.url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.q.Close)
	nc, err := nats.Connect(c.url, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if c.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--nats", c.url, "--run", "r", "--out", c.out, "--lease", "2s"}, of.recipe...)
	start(t, "ingest", append(args, of.in)...).ends(0)
	return c
}

func (c *cluster) worker(extra ...string) *process {
	return start(c.t, "worker", append([]string{"--nats", c.url, "--run", "r", "--exit-when-done", "--slots", "1"}, extra...)...)
}

// reach waits until the given number of items is reported.
func (c *cluster) reach(items int) {
	c.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		n := 0
		for _, items := range c.reported() {
			n += len(items)
		}
		if n >= items {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%d items are reported", n)
		}
	}
}

// reported returns the items that the broker holds a report of, by phase. It is asked many times
// a second, so it reads the reports again only if there are others than the last time.
func (c *cluster) reported() map[schemas.Phase]map[schemas.ItemID]bool {
	s, err := c.js.Stream(c.t.Context(), "WINNOW_DONE")
	if err != nil {
		return nil
	}
	state := s.CachedInfo().State
	if c.read != nil && state.Msgs == c.state.Msgs && state.FirstSeq == c.state.FirstSeq && state.LastSeq == c.state.LastSeq {
		return c.read
	}
	c.read = nil
	all := map[schemas.Phase]map[schemas.ItemID]bool{}
	for seq := uint64(1); ; {
		msg, err := s.GetMsg(c.t.Context(), seq, jetstream.WithGetMsgSubject("winnow.done.r"))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			c.state, c.read = state, all
			return all
		}
		if err != nil {
			return nil // the broker has been killed
		}
		seq = msg.Sequence + 1
		if d, err := schemas.DecodeDone(msg.Data); err == nil {
			if all[d.Item.Phase] == nil {
				all[d.Item.Phase] = map[schemas.ItemID]bool{}
			}
			all[d.Item.Phase][d.ID] = true
		}
	}
}

// finish waits for the end of the run and compares its rows with the expected ones.
func (c *cluster) finish() {
	c.t.Helper()
	c.aggregate.ends(0)
	for _, w := range c.workers {
		w.ends(0)
	}
	got, err := tables(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.task.view != nil {
		got = c.task.view(got)
	}
	if got == c.task.want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(c.task.want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			c.t.Fatalf("%d and %d rows; row %d:\n%.600s\nwant\n%.600s", len(g), len(w), i, g[i], w[i])
		}
	}
	c.t.Fatalf("%d rows, want %d", len(g), len(w))
}

func TestProgramsGiveTheRowsOfOneMachine(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.reach(10)
	c.workers = append(c.workers, c.worker()) // joins late
	c.finish()
	if sum := c.aggregate.out.String(); !strings.Contains(sum, "pack ") || !strings.Contains(sum, "960 pages") {
		t.Errorf("summary:\n%s", tail(sum))
	}
	samePlan(c)
}

// samePlan checks that "winnow plan" has the files, items and bytes of the cluster's run.
func samePlan(c *cluster) {
	c.t.Helper()
	args := append([]string{"plan", "--cluster", "--sample", "64KiB", "--format", "json"}, c.task.recipe...)
	var planned struct {
		Sealed schemas.Sealed `json:"sealed"`
	}
	var m schemas.Manifest
	data, err := os.ReadFile(filepath.Join(c.out, schemas.ManifestFile))
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err == nil {
		err = json.Unmarshal([]byte(winnow(c.t, 0, append(args, c.task.in)...)), &planned)
	}
	if err != nil || planned.Sealed != m.Run.Sealed || planned.Sealed.Items == 0 {
		c.t.Errorf("planned %+v, run %+v: %v", planned.Sealed, m.Run.Sealed, err)
	}
}

func TestKilledWorker(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 2)
	c.reach(10)
	c.workers[0].kill()
	c.workers[0].start()
	c.reach(25)
	c.workers[1].kill() // the worker does not come back
	c.workers = c.workers[:1]
	c.finish()
}

func TestKilledAggregator(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 2)
	for _, items := range []int{10, 30} {
		c.reach(items)
		c.aggregate.kill()
		c.aggregate.start()
	}
	c.finish()
}

func TestKilledBroker(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 2)
	c.reach(15)
	c.nats.kill()
	c.nats.start()
	c.finish()
}

// A broker that comes back without its data is filled again from the manifest.
func TestBrokerThatForgetsEverything(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 1)
	c.reach(15)
	c.nats.kill()
	c.aggregate.kill()
	for _, w := range c.workers {
		w.kill()
	}
	for i, arg := range c.nats.args {
		if arg == "--store_dir" {
			c.nats.args[i+1] = t.TempDir()
		}
	}
	c.nats.start()
	c.aggregate.start()
	for _, w := range c.workers {
		w.start()
	}
	args := append([]string{"--nats", c.url, "--run", "r", "--out", c.out, "--lease", "2s"}, recipe...)
	start(t, "ingest", append(args, built.in)...).ends(0)
	c.finish()
}

func TestTermination(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.reach(5)
	w := c.workers[0]
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(0)
	b, err := c.q.Backlog(t.Context(), "r", schemas.PhaseExtract)
	if err != nil || b.Working != 0 || b.Waiting == 0 {
		t.Errorf("after a worker ended in order: %+v %v", b, err)
	}
	if err := c.aggregate.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.aggregate.ends(130)
	c.aggregate.start()
	w.start()
	c.finish()
}

func TestProbesAndMetrics(t *testing.T) {
	t.Parallel()
	addr := "127.0.0.1:" + freePort(t)
	c := newCluster(t, 1, "--metrics", addr)
	c.reach(5)
	get := func(path string) (int, string) {
		client := http.Client{Timeout: 10 * time.Second}
		resp, err := client.Get("http://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	if code, _ := get("/readyz"); code != 200 {
		t.Errorf("ready: %d", code)
	}
	_, text := get("/metrics")
	for _, want := range []string{
		`winnow_documents_total{extractor="bte",outcome="ok"}`, "winnow_extract_duration_seconds_bucket{", "winnow_parse_duration_seconds_sum",
		`winnow_input_bytes_total{stage="raw"}`, "winnow_work_item_duration_seconds_count", "winnow_work_items_in_flight", "winnow_build_info{",
		`winnow_records_total{outcome="page",reason=""}`, "winnow_redeliveries_total", `winnow_output_bytes_total{table="documents"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
	c.nats.kill()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if code, _ := get("/readyz"); code == 503 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("ready without a broker")
		}
	}
	if code, _ := get("/healthz"); code != 200 {
		t.Errorf("health without a broker: %d", code)
	}
	c.nats.start()
	c.finish()
}

func TestMistakesInTheCommandLine(t *testing.T) {
	setup(t)
	f := func(code int, words, name string, args ...string) {
		t.Helper()
		out, err := exec.Command(filepath.Join(built.bin, name), args...).CombinedOutput()
		var exit *exec.ExitError
		got := 0
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		}
		if got != code || !strings.Contains(string(out), words) {
			t.Errorf("%s %v: exit code %d, want %d and %q:\n%s", name, args, got, code, words, out)
		}
	}
	f(2, "--nats is needed", "worker")
	f(2, "no INPUT", "ingest", "--nats", "nats://127.0.0.1:1", "--out", "x")
	f(2, `there are:`, "ingest", "--nats", "nats://127.0.0.1:1", "--out", "x", "--extractors", "nonsense", built.in)
	f(2, `run id "a/b"`, "ingest", "--out", "x", "--run", "a/b", built.in)
	f(1, "missing.warc.gz", "ingest", "--nats", "nats://127.0.0.1:1", "--out", t.TempDir(), "/missing.warc.gz")
	f(1, "127.0.0.1:1", "worker", "--nats", "nats://127.0.0.1:1", "--nats-wait", "100ms")
	f(0, "", "worker", "--check")
	f(0, "", "aggregate", "--check")
	f(2, "--quiet", "aggregate", "--quiet", "-1s")
	f(2, `unexpected argument "surplus"`, "aggregate", "surplus")
	for _, name := range []string{"ingest", "worker", "aggregate"} {
		f(0, name+" devel", name, "--version")
		f(0, "Examples:", name, "--help")
	}
}
