package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow/winnow/deploy/monitor"
)

// kind says which costs a trial shows.
type kind string

const (
	pagesKind kind = "pages" // few files of many pages
	filesKind kind = "files" // many files of one page
	mixedKind kind = "mixed" // files of 100 pages
	crawlKind kind = "crawl" // real pages
)

// pagesPerFile is the number of pages in a file of pagesKind.
const pagesPerFile = 10_000

// recipe is that of all trials: the accurate extractor, with its texts.
var recipe = []string{"--extractors", "winnow", "--scorers", "none", "--texts", "jsonl"}

// programs of a trial, in the order of the tables.
var programs = []string{"ingest", "worker", "aggregate"}

// trial is one run that is measured.
type trial struct {
	Kind  kind
	Files int
	Pages int
	input string // archive, for crawlKind
}

// result is what a trial took.
type result struct {
	Kind      kind               `json:"kind"`
	Files     int64              `json:"files"`
	Items     int64              `json:"items"`
	Pages     int64              `json:"pages"`
	Input     int64              `json:"input_bytes"`
	Output    int64              `json:"output_bytes"` // parts of the tables
	Seconds   float64            `json:"seconds"`      // that passed, without making pages
	Processes map[string]spent   `json:"processes"`    // ingest, worker, aggregate, broker
	Requests  map[string]traffic `json:"requests"`     // by program
	Messages  int64              `json:"messages"`     // to and from the broker
	Traffic   int64              `json:"message_bytes"`
	Stored    int64              `json:"broker_store_bytes"` // most at one time
	Manifest  manifest           `json:"manifest"`
}

// manifest is the size of run.json.
type manifest struct {
	Bytes     int64 `json:"bytes"`
	FileBytes int64 `json:"files_bytes"` // of its list of files
	PartBytes int64 `json:"parts_bytes"` // of its list of parts, which has all items
	Parts     int64 `json:"parts"`
}

// measure makes the pages, carries out the run and returns what it took.
func (t *trial) measure(ctx context.Context, bin, dir string) (r *result, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	store, err := newObjectStore()
	if err != nil {
		return nil, err
	}
	defer store.close()
	r = &result{Kind: t.Kind, Processes: map[string]spent{}, Requests: map[string]traffic{}}
	if err := t.fill(store, r); err != nil {
		return nil, err
	}
	began := time.Now()
	w := world{dir: dir, program: filepath.Join(bin, "winnow"), store: store, result: r}
	defer func() {
		if w.broker != nil {
			w.broker.stop()
		}
	}()
	if err := w.startBroker(ctx, filepath.Join(bin, "nats-server")); err != nil {
		return nil, err
	}
	common := []string{"--nats", w.nats, "--run", "scale", "--log-level", "warn"}
	args := append([]string{"--out", store.url("out"), "--nats-storage", "6GiB"}, recipe...)
	if err := w.carryOut(ctx, map[string][]string{"ingest": append(append(common[:len(common):len(common)], args...), store.url("in/"))}); err != nil {
		return nil, err
	}
	if err := w.carryOut(ctx, map[string][]string{
		"worker":    append(common[:len(common):len(common)], "--exit-when-done", "--slots", "2"),
		"aggregate": append(common[:len(common):len(common)], "--exit-when-done", "--temp", dir),
	}); err != nil {
		return nil, err
	}
	r.Seconds = time.Since(began).Seconds()
	if err := w.endBroker(ctx); err != nil {
		return nil, err
	}
	for _, name := range programs {
		r.Requests[name] = store.of(name)
	}
	return r, w.readManifest()
}

// fill puts the input into the store.
func (t *trial) fill(store *objectStore, r *result) error {
	var real []byte
	if t.Kind == crawlKind {
		var err error
		if real, err = os.ReadFile(t.input); err != nil {
			return err
		}
	}
	for i := range t.Files {
		data := real
		if t.Kind != crawlKind {
			var err error
			if data, err = archive(i*t.Pages/t.Files, t.Pages/t.Files); err != nil {
				return err
			}
		}
		r.Input += int64(len(data))
		if err := store.put(fmt.Sprintf("in/%06d.warc.gz", i), data); err != nil {
			return err
		}
	}
	return nil
}

// world is what belongs to one trial.
type world struct {
	dir, program  string
	nats, monitor string
	store         *objectStore
	broker        *process
	result        *result
}

// startBroker starts a broker and waits until it answers.
func (w *world) startBroker(ctx context.Context, program string) error {
	var ports [2]string
	var listeners []net.Listener
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		_, ports[i], _ = net.SplitHostPort(l.Addr().String())
		listeners = append(listeners, l)
	}
	for _, l := range listeners { // not before, or both ports might be the same
		l.Close()
	}
	w.nats, w.monitor = "nats://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1]
	config := filepath.Join(w.dir, "nats.conf")
	text := fmt.Sprintf("listen: 127.0.0.1:%s\nhttp: 127.0.0.1:%s\njetstream {store_dir: %q, max_file_store: 8GB}\n", ports[0], ports[1], filepath.Join(w.dir, "nats"))
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		return err
	}
	return w.launch(ctx, program, config)
}

// launch starts the broker and waits until it answers.
func (w *world) launch(ctx context.Context, program, config string) (err error) {
	if w.broker, err = start(context.WithoutCancel(ctx), w.dir, "broker", nil, program, "--config", config); err != nil {
		return err
	}
	for monitor.Get(ctx, w.monitor+"/healthz", nil) != nil {
		select {
		case err := <-w.broker.ended:
			p := w.broker
			w.broker = nil
			return p.failed(err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// carryOut runs programs side by side until all have ended.
func (w *world) carryOut(ctx context.Context, commands map[string][]string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running := map[string]*process{}
	for name, args := range commands {
		p, err := start(ctx, w.dir, name, w.store.env(name), append([]string{w.program, name}, args...)...)
		if err != nil {
			return err
		}
		running[name] = p
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	var failed error
	for len(running) > 0 {
		w.look(ctx)
		for name, p := range running {
			p.look()
			select {
			case err := <-p.ended:
				if err != nil && failed == nil {
					failed = p.failed(err)
					cancel()
				}
				w.result.Processes[name] = p.spent()
				delete(running, name)
			default:
			}
		}
		if len(running) > 0 {
			<-tick.C
		}
	}
	return failed
}

// look notes what the broker holds.
func (w *world) look(ctx context.Context) {
	w.broker.look()
	var js struct {
		Storage int64 `json:"storage"`
	}
	if monitor.Get(ctx, w.monitor+"/jsz", &js) == nil {
		w.result.Stored = max(w.result.Stored, js.Storage)
	}
}

// endBroker notes what the broker has done and ends it.
func (w *world) endBroker(ctx context.Context) error {
	var v struct {
		InMsgs   int64 `json:"in_msgs"`
		OutMsgs  int64 `json:"out_msgs"`
		InBytes  int64 `json:"in_bytes"`
		OutBytes int64 `json:"out_bytes"`
	}
	if err := monitor.Get(ctx, w.monitor+"/varz", &v); err != nil {
		return err
	}
	w.result.Messages, w.result.Traffic = v.InMsgs+v.OutMsgs, v.InBytes+v.OutBytes
	w.broker.stop()
	w.result.Processes["broker"] = w.broker.spent()
	w.broker = nil
	return nil
}

// readManifest notes what run.json says and how large it is.
func (w *world) readManifest() error {
	data, err := w.store.get("out/run.json")
	if err != nil {
		return err
	}
	var m struct {
		Run struct {
			Files  json.RawMessage `json:"files"`
			Sealed struct {
				Files, Items, Bytes int64
			} `json:"sealed"`
		} `json:"run"`
		Parts    json.RawMessage `json:"parts"`
		Totals   struct{ Pages int64 }
		Finished time.Time `json:"finished"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("run.json: %w", err)
	}
	var parts []struct {
		Files []struct{ Bytes int64 } `json:"files"`
	}
	if err := json.Unmarshal(m.Parts, &parts); err != nil {
		return fmt.Errorf("run.json: parts: %w", err)
	}
	r := w.result
	r.Files, r.Items, r.Pages = m.Run.Sealed.Files, m.Run.Sealed.Items, m.Totals.Pages
	r.Manifest = manifest{Bytes: int64(len(data)), FileBytes: int64(len(m.Run.Files)), PartBytes: int64(len(m.Parts)), Parts: int64(len(parts))}
	for _, p := range parts {
		for _, f := range p.Files {
			r.Output += f.Bytes
		}
	}
	if m.Finished.IsZero() || m.Run.Sealed.Bytes != r.Input || r.Pages == 0 {
		return fmt.Errorf("the run has %d pages of %d bytes, finished %v; its input has %d bytes", r.Pages, m.Run.Sealed.Bytes, m.Finished, r.Input)
	}
	return nil
}
