package worker

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/pack"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// world is a broker, an output folder and a run, with real files.
type world struct {
	t      *testing.T
	url    string // address of the broker
	q      *queue.Queue
	client *blob.Client
	store  blob.Store
	dir    string // folder of the input
	plan   ingest.Options
	opt    Options
	tasks  TaskOptions // opt.Tasks is made from them
}

// TaskOptions are what these tests choose of the tasks.
type TaskOptions struct {
	Extractors []*algorithms.Extractor
	Scorers    []*algorithms.Scorer
	BeforePage func(file string, at schemas.Location)
}

// NewTasks returns the tasks of every phase. TestMain sets it, because the packages of
// the tasks import this one.
var NewTasks func(TaskOptions) map[schemas.Phase]Task

const build = "test"

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("server does not start")
	}
	w := &world{t: t, url: s.ClientURL(), client: blob.New(blob.Options{}), dir: t.TempDir()}
	t.Cleanup(func() { w.client.Close() })
	if w.q, err = queue.Dial(t.Context(), queue.Options{URL: w.url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.q.Close)
	if err := w.q.Setup(t.Context(), queue.Limits{Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	if w.store, err = w.client.Store(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	w.choose("bte,plain", "str")
	w.plan.Run, w.plan.Inputs, w.plan.Out, w.plan.Lease = "r", []string{w.dir}, w.store.URL(), time.Minute
	w.opt = Options{Queue: w.q, Blobs: w.client, Build: build, Slots: 2, ExitWhenDone: true}
	w.equip(TaskOptions{Extractors: suite.Extractors(), Scorers: suite.Scorers()})
	return w
}

func (w *world) equip(o TaskOptions) { w.tasks, w.opt.Tasks = o, NewTasks(o) }

func (w *world) choose(extractors, scorers string) {
	w.t.Helper()
	x, err := choose.Extractors(suite.Extractors(), extractors)
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := choose.Scorers(suite.Scorers(), scorers)
	if err != nil {
		w.t.Fatal(err)
	}
	r := &w.plan.Recipe
	r.Build, r.PackageBy, r.SiteBy = build, schemas.ByFile, schemas.ByHost
	r.Extractors, r.Scorers = recipe.Methods(x, s)
}

func (w *world) submit() *schemas.Run {
	w.t.Helper()
	run, err := ingest.Plan(w.t.Context(), w.client, w.plan)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := ingest.Submit(w.t.Context(), w.q, w.store, run); err != nil {
		w.t.Fatal(err)
	}
	if err := w.q.StartPhase(w.t.Context(), run, itemsOf(run)); err != nil { // as the aggregator does
		w.t.Fatal(err)
	}
	return run
}

// itemsOf yields the items of a run's phase.
func itemsOf(run *schemas.Run) iter.Seq2[*schemas.Item, error] {
	return func(yield func(*schemas.Item, error) bool) {
		for f := range run.Files {
			for i := range run.Files[f].Items {
				if it := run.Item(f, i); !yield(&it, nil) {
					return
				}
			}
		}
	}
}

// end ends a run, as the aggregator does.
func (w *world) end(id schemas.RunID) {
	w.t.Helper()
	if _, err := blob.WriteAll(w.t.Context(), w.store, schemas.SuccessFile, nil); err != nil {
		w.t.Fatal(err)
	}
	if err := w.q.End(w.t.Context(), id); err != nil {
		w.t.Fatal(err)
	}
}

// reports waits until every item of the run is reported, and returns the
// reports by item, and what was given up.
func (w *world) reports(run *schemas.Run) (map[schemas.ItemID]*schemas.Done, []*schemas.Dead) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 60*time.Second)
	defer cancel()
	r, err := w.q.Reports(ctx, run.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Close()
	done, lost := map[schemas.ItemID]*schemas.Done{}, map[schemas.ItemID]bool{}
	var dead []*schemas.Dead
	for len(done)+len(lost) < run.Sealed.Items {
		rep, err := r.Next(ctx)
		if err != nil {
			w.t.Fatalf("%d of %d items are reported: %v", len(done)+len(lost), run.Sealed.Items, err)
		}
		if rep.Done != nil {
			done[rep.Done.ID] = rep.Done
			continue
		}
		dead = append(dead, rep.Dead)
		if rep.Dead.Stage == queue.StageItem {
			lost[rep.Dead.Item.ID()] = true
		}
	}
	return done, dead
}

// work submits the run and has one worker carry it out.
func (w *world) work() (map[schemas.ItemID]*schemas.Done, []*schemas.Dead) {
	w.t.Helper()
	run := w.submit()
	over := make(chan error, 1)
	go func() { over <- Run(w.t.Context(), w.opt) }()
	done, dead := w.reports(run)
	w.end(run.ID)
	if err := <-over; err != nil {
		w.t.Error(err)
	}
	return done, dead
}

// table is all rows of a table in all reported shards, in the order of files
// and offsets, with what may differ between two runs made equal.
func table[T any](w *world, t *columnar.Table[T], reports map[schemas.ItemID]*schemas.Done) []T {
	w.t.Helper()
	var out []T
	for _, id := range slices.Sorted(maps.Keys(reports)) {
		for _, sh := range reports[id].Shards {
			if sh.Table != t.Name() {
				continue
			}
			f, err := w.store.Open(w.t.Context(), sh.Name)
			if err != nil {
				w.t.Fatal(err)
			}
			r, err := columnar.NewReader(t, f, f.Size())
			if err != nil {
				w.t.Fatal(err)
			}
			n := int64(0)
			for row, err := range r.All(w.t.Context()) {
				if err != nil {
					w.t.Fatal(err)
				}
				out = append(out, *row)
				n++
			}
			if n != sh.Rows {
				w.t.Errorf("%s: %d rows, reported %d", sh.Name, n, sh.Rows)
			}
			f.Close()
		}
	}
	return out
}

func (w *world) documents(reports map[schemas.ItemID]*schemas.Done) []schemas.Document {
	rows := table(w, columnar.Documents, reports)
	for i := range rows {
		rows[i].ParseNS, rows[i].FeatureNS, rows[i].ExtractNS = 0, 0, 0
	}
	return rows
}

func (w *world) failures(reports map[schemas.ItemID]*schemas.Done) []schemas.Failure {
	return table(w, columnar.Failures, reports)
}

// conserve checks the law of conservation on every report.
func conserve(t *testing.T, reports map[schemas.ItemID]*schemas.Done, extractors, scorers int64) (total schemas.Counts) {
	t.Helper()
	sum := func(m map[string]int64) (n int64) {
		for _, v := range m {
			n += v
		}
		return n
	}
	for id, d := range reports {
		c := &d.Counts
		if c.Records != c.Pages+sum(c.NotHTML)+sum(c.Refused) || c.Records != sum(c.ByType) {
			t.Errorf("%s: %d records by type %v are %d pages, %v, refused %v", id, c.Records, c.ByType, c.Pages, c.NotHTML, c.Refused)
		}
		if c.Rows[schemas.TablePages] != c.Pages || c.Rows[schemas.TableDocuments] != c.Pages*extractors || c.Rows[schemas.TableScores] != c.WithGold*extractors*scorers {
			t.Errorf("%s: %d pages, rows %v", id, c.Pages, c.Rows)
		}
		if c.Bytes != c.BytesUnits+c.BytesGaps || sum(c.Outcomes) != c.Pages*extractors {
			t.Errorf("%s: %+v", id, c)
		}
		total.Records += c.Records
		total.Pages += c.Pages
		total.Bytes += c.Bytes
	}
	return total
}

// crawl writes archives for tests.
type crawl struct {
	t    *testing.T
	path string
	f    *os.File
	w    *write.Writer
	n    int
}

func newCrawl(t *testing.T, dir, name string) *crawl {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &crawl{t: t, path: path, f: f, w: write.NewWriter(f)}
	c.record(&write.Record{Type: "warcinfo", ContentType: "application/warc-fields", Block: []byte("software: test\r\n")})
	return c
}

func (c *crawl) record(r *write.Record) (offset int64, id string) {
	c.t.Helper()
	offset = c.w.Offset()
	c.n++
	r.ID, r.Date = write.ID(filepath.Base(c.path), fmt.Sprint(c.n)), time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	if err := c.w.Write(r); err != nil {
		c.t.Fatal(err)
	}
	return offset, r.ID
}

func (c *crawl) response(url, status, contentType, body string) (offset int64, id string) {
	c.t.Helper()
	block, err := write.HTTPResponse(status, []write.Field{{Name: "Content-Type", Value: contentType}}, []byte(body))
	if err != nil {
		c.t.Fatal(err)
	}
	c.record(&write.Record{Type: "request", ContentType: "application/http; msgtype=request", TargetURI: url, Block: []byte("GET / HTTP/1.1\r\n\r\n")})
	return c.record(&write.Record{Type: "response", ContentType: "application/http; msgtype=response", TargetURI: url, Block: block})
}

// page writes a page of some paragraphs, with its gold if pkg is not empty.
func (c *crawl) page(host string, number int, pkg string) (offset int64) {
	c.t.Helper()
	url := fmt.Sprintf("http://%s/%d.html", host, number)
	var menu, text strings.Builder
	for i := range 10 + number%7 {
		fmt.Fprintf(&menu, "<li><a href='/%d'>item %d</a></li>", i, i*number)
		fmt.Fprintf(&text, "<p>Paragraph %d of page %d speaks of grain %d, of chaff and of the wind that parts them.</p>\n", i, number, i*number)
	}
	html := fmt.Sprintf("<!DOCTYPE html><title>Page %d</title><body><ul>%s</ul><div>%s</div></body>", number, menu.String(), text.String())
	offset, id := c.response(url, "200 OK", "text/html; charset=utf-8", html)
	if pkg != "" {
		content := strings.NewReplacer("<p>", "", "</p>", "").Replace(text.String())
		g := &schemas.Gold{Version: 1, Package: pkg, ID: fmt.Sprintf("doc-%d", number), URL: url, Text: &content, Language: "en", PageType: "article"}
		if err := gold.WriteGold(c.w, g, id, url, time.Unix(0, 0)); err != nil {
			c.t.Fatal(err)
		}
		c.n++
	}
	return offset
}

// gold writes gold about the record of that id, or about none.
func (c *crawl) gold(about string) {
	c.t.Helper()
	r := &write.Record{Type: "metadata", ContentType: schemas.GoldMediaType, Block: []byte(`{"text":"of nobody"}`)}
	if about != "" {
		r.Fields = []write.Field{{Name: "WARC-Concurrent-To", Value: about}}
	}
	c.record(r)
}

// pack packs a published package.
func packed(t *testing.T, from, to string) {
	t.Helper()
	p, err := gold.Open(from, gold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	f, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pack.Write(t.Context(), write.NewWriter(f), p, pack.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func (c *crawl) close() {
	c.t.Helper()
	if err := c.f.Close(); err != nil {
		c.t.Fatal(err)
	}
}

// WorkerProcess is a worker that dies at the pages whose offsets it is told.
func WorkerProcess(url string) int {
	ctx := context.Background()
	q, err := queue.Dial(ctx, queue.Options{URL: url})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	poison := strings.Split(os.Getenv("WORKER_TEST_POISON"), ",")
	err = Run(ctx, Options{
		Queue: q, Blobs: blob.New(blob.Options{}),
		Build: build, Slots: 1, ExitWhenDone: true, Rest: 10 * time.Millisecond,
		Tasks: NewTasks(TaskOptions{Extractors: suite.Extractors(), Scorers: suite.Scorers(), BeforePage: func(_ string, at schemas.Location) {
			if slices.Contains(poison, fmt.Sprint(at.Offset)) {
				os.Exit(9)
			}
		}}),
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Println(err)
		return 1
	}
	return 0
}
