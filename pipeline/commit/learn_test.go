package commit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// learningWorld is a world whose run learns first. Its workers know no methods: a scan
// finds sites of its own, each with as many candidates as are used, and learning makes a
// template that says how many candidates there are.
type learningWorld struct {
	*world
	phase       schemas.Phase
	entered     []schemas.Phase
	tries       int
	unlearnable map[int]bool // items of the phase learn that are given up
}

func newLearningWorld(t testing.TB) *learningWorld {
	w := newWorld(t, 50, 40, 23)
	r := &w.run
	r.Phases = []schemas.Phase{schemas.PhaseScan, schemas.PhaseLearn, schemas.PhaseExtract}
	r.Phase = schemas.PhaseScan
	r.Recipe.Learn, r.Recipe.SiteBy = &schemas.Learn{Sites: "list"}, "host"
	s := &learningWorld{world: w, unlearnable: map[int]bool{}}
	m := schemas.Manifest{Version: schemas.Version, Run: w.run}
	s.write(schemas.ManifestFile, must(m.Encode()))
	return s
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func (s *learningWorld) write(name string, data []byte) schemas.Shard {
	w, err := blob.WriteAll(context.Background(), s.store, name, data)
	if err != nil {
		s.t.Fatal(err)
	}
	return schemas.Shard{Name: w.Name, Bytes: w.Bytes, SHA256: w.SHA256}
}

// Reconcile implements Broker: as a queue, it publishes the items of a phase once, and
// lost items when nothing is reported.
func (s *learningWorld) Reconcile(_ context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	if s.phase == run.Phase && !s.quiet() {
		return nil
	}
	if s.phase != run.Phase {
		s.phase = run.Phase
		s.entered = append(s.entered, run.Phase)
	}
	for it := range items {
		s.do(it)
	}
	return nil
}

func (s *learningWorld) Reports(ctx context.Context) (Reports, error) {
	return broker{s.world}.Reports(ctx)
}

func (s *learningWorld) Publish(_ context.Context, items ...*schemas.Item) error {
	for _, it := range items {
		s.do(it)
	}
	return nil
}

func (s *learningWorld) End(context.Context) error {
	s.ends++
	return nil
}

// do carries an item out, and reports it twice.
func (s *learningWorld) do(it *schemas.Item) {
	var d *schemas.Done
	switch it.Phase {
	case schemas.PhaseScan:
		d = s.scan(it)
	case schemas.PhaseLearn:
		if s.unlearnable[it.Seq] {
			s.log = append(s.log, queue.Report{Dead: &schemas.Dead{Version: schemas.Version, Item: *it, Stage: queue.StageItem, Reason: "crash"}})
			return
		}
		d = s.learn(it)
	default:
		s.work(it)
		return
	}
	s.log = append(s.log, queue.Report{Done: d}, queue.Report{Done: d})
}

func (s *learningWorld) shard(it *schemas.Item, table schemas.Table) string {
	s.tries++
	return fmt.Sprintf("%s%d-%s.parquet", schemas.ShardPrefix("hash", it.ID()), s.tries, table)
}

// sitesOfItem is how many sites a scan finds. With a full sample of each there are several
// items of the phase learn.
const sitesOfItem = 1

func (s *learningWorld) scan(it *schemas.Item) *schemas.Done {
	up := func(o int64) int64 { return (o + recordSize - 1) / recordSize * recordSize }
	d := &schemas.Done{Version: schemas.Version, Item: *it, ID: it.ID(), First: up(it.File.Start), Next: up(it.File.End)}
	n := (d.Next - d.First) / recordSize
	d.Counts = schemas.Counts{Records: n, Pages: n, Bytes: d.Next - d.First, BytesUnits: d.Next - d.First, Rows: map[schemas.Table]int64{}}
	var rows []schemas.Candidate
	for i := range sitesOfItem * schemas.SitePages {
		rows = append(rows, schemas.Candidate{Site: fmt.Sprintf("site-%d-%d-%d", i%sitesOfItem, it.File.Index, it.Seq), Kind: schemas.KindPage, Rank: uint64(i), Copy: -1})
	}
	sh, err := tables.Write(context.Background(), s.store, columnar.Candidates, s.shard(it, schemas.TableCandidates), &s.run, fastLayout, all(rows))
	if err != nil {
		s.t.Fatal(err)
	}
	d.Counts.Rows[schemas.TableCandidates] = sh.Rows
	d.Shards = []schemas.Shard{*sh}
	return d
}

func (s *learningWorld) learn(it *schemas.Item) *schemas.Done {
	d := &schemas.Done{Version: schemas.Version, Item: *it, ID: it.ID(), Learned: &schemas.Learned{}}
	var rows []schemas.TemplateRow
	for c, err := range tables.Rows(context.Background(), s.store, columnar.Candidates, it.Sites.Candidates) {
		if err != nil {
			s.t.Fatal(err)
		}
		if len(rows) == 0 || rows[len(rows)-1].Site != c.Site {
			rows = append(rows, schemas.TemplateRow{Run: "r", Site: c.Site, Method: "m", Status: "ok"})
		}
		rows[len(rows)-1].Pages++
	}
	table, err := tables.Write(context.Background(), s.store, columnar.Templates, s.shard(it, schemas.TableTemplates), &s.run, fastLayout, all(rows))
	if err != nil {
		s.t.Fatal(err)
	}
	d.Shards = []schemas.Shard{*table}
	d.Learned.Sites, d.Learned.Statuses = int64(len(rows)), map[string]int64{"ok": int64(len(rows))}
	return d
}

func (s *learningWorld) aggregate(store blob.Store) (*stats.Summary, error) {
	return s.world.aggregate(store, func(o *Options) { o.Broker = s })
}

// learned is what the phases before the last left, and what the last made.
type learned struct {
	templates schemas.Templates
	rows      []string
	tables    tableRows
}

func (s *learningWorld) learned() (out learned) {
	s.t.Helper()
	m, err := tables.Manifest(context.Background(), s.store)
	if err != nil {
		s.t.Fatal(err)
	}
	if m.Templates == nil || m.Run.Phase != schemas.PhaseExtract || m.Finished.IsZero() {
		s.t.Fatalf("manifest: phase %s, templates %v", m.Run.Phase, m.Templates)
	}
	out.templates = *m.Templates
	out.templates.Ranges = slices.Clone(m.Templates.Ranges)
	for i := range out.templates.Ranges { // terms differ
		if _, file, ok := strings.Cut(out.templates.Ranges[i].File.Name, "/"); ok {
			out.templates.Ranges[i].File.Name = file[:len("part-00000")]
		}
	}
	for row, err := range tables.TableRows(context.Background(), s.store, columnar.Templates, m) {
		if err != nil {
			s.t.Fatal(err)
		}
		out.rows = append(out.rows, fmt.Sprintf("%+v", *row))
	}
	for _, name := range names(s.store) {
		if schemas.IsPart(schemas.TableTemplates, name) && !slices.Contains(m.FilesOf(schemas.TableTemplates), name) {
			s.t.Errorf("%s is of no part", name)
		}
		if strings.HasPrefix(name, schemas.ShardFolder) {
			s.t.Errorf("%s is left", name)
		}
	}
	out.tables = s.tables(s.store)
	return out
}

// crashing is a store in front of which the process ends before a write.
type crashing struct {
	blob.Store
	after int // writes
}

var errCrash = errors.New("the process ends")

func (c *crashing) Create(ctx context.Context, name string) (*blob.Writer, error) {
	if c.after--; c.after < 0 {
		return nil, errCrash
	}
	return c.Store.Create(ctx, name)
}

func (c *crashing) CreateNew(ctx context.Context, name string) (*blob.Writer, error) {
	if c.after--; c.after < 0 {
		return nil, errCrash
	}
	return c.Store.CreateNew(ctx, name)
}

func TestLearningRunSurvivesCrashesBeforeEveryWrite(t *testing.T) {
	ref := newLearningWorld(t)
	if _, err := ref.aggregate(ref.store); err != nil {
		t.Fatal(err)
	}
	want := ref.learned()
	sites := int64(12 * sitesOfItem)
	if len(want.templates.Ranges) < 3 || int64(len(want.rows)) != sites || want.templates.Sites != sites || want.templates.Scanned.Records != 63 || len(want.tables.documents) == 0 {
		t.Fatalf("%+v", want)
	}
	if fmt.Sprint(ref.entered) != "[scan learn extract]" {
		t.Errorf("phases %v", ref.entered)
	}
	crashes, step := 0, 18
	if os.Getenv("WINNOW_LONG_TESTS") != "" {
		step = 1
	}
	for n := 0; ; n += step {
		s := newLearningWorld(t)
		_, err := s.aggregate(&crashing{s.store, n})
		if err == nil {
			break
		}
		if !errors.Is(err, errCrash) {
			t.Fatalf("before write %d: %v", n, err)
		}
		crashes++
		if _, err := s.aggregate(s.store); err != nil {
			t.Fatalf("after a crash before write %d: %v", n, err)
		}
		if got := s.learned(); !reflect.DeepEqual(got, want) {
			t.Fatalf("after a crash before write %d:\n%+v\nwant\n%+v", n, got, want)
		}
	}
	if crashes*step < 10 {
		t.Errorf("%d crashes, want one for every %d writes", crashes, step)
	}
}

func TestLearningRunRepairsWhatWasLost(t *testing.T) {
	ref := newLearningWorld(t)
	if _, err := ref.aggregate(ref.store); err != nil {
		t.Fatal(err)
	}
	want := ref.learned()
	for name, harm := range map[string]func(*learningWorld){
		"scan shards are gone": func(s *learningWorld) {
			remove(s, schemas.TableCandidates, 3)
		},
		"templates are gone before they are put in place": func(s *learningWorld) {
			remove(s, schemas.TableTemplates, 1)
		},
		"rows of templates are damaged": func(s *learningWorld) {
			for name := range s.store.Files() {
				if strings.HasSuffix(name, "-"+string(schemas.TableTemplates)+".parquet") {
					s.write(name, []byte("nothing"))
					return
				}
			}
			s.t.Error("there are none")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newLearningWorld(t)
			// The worker loses it between two starts of the process: after the items
			// of the phase are done, before the phase ends.
			broken := &brokenBroker{learningWorld: s, harm: harm, in: schemas.PhaseLearn}
			if strings.HasPrefix(name, "scan") {
				broken.in = schemas.PhaseScan
			}
			_, err := s.world.aggregate(s.store, func(o *Options) { o.Broker = broken })
			if err != nil {
				t.Fatal(err)
			}
			got := s.learned()
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v\nwant\n%+v", got, want)
			}
			if !broken.done {
				t.Error("nothing was lost")
			}
		})
	}
}

func remove(s *learningWorld, table schemas.Table, n int) {
	for name := range s.store.Files() {
		if strings.HasSuffix(name, "-"+string(table)+".parquet") && n > 0 {
			n--
			if err := s.store.Delete(context.Background(), name); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	if n > 0 {
		s.t.Errorf("%d more were to be lost", n)
	}
}

// brokenBroker does harm after the items of a phase are done.
type brokenBroker struct {
	*learningWorld
	harm func(*learningWorld)
	in   schemas.Phase
	done bool
}

func (b *brokenBroker) Reconcile(ctx context.Context, run *schemas.Run, items iter.Seq2[*schemas.Item, error]) error {
	due := run.Phase == b.in && !b.done
	err := b.learningWorld.Reconcile(ctx, run, items)
	if due {
		b.harm(b.learningWorld)
		b.done = true
	}
	return err
}

func TestDeadLearningIsWrittenDown(t *testing.T) {
	s := newLearningWorld(t)
	s.unlearnable[1] = true
	sum, err := s.aggregate(s.store)
	if err != nil || sum.Dead != 1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	data, err := blob.ReadAll(context.Background(), s.store, schemas.TemplateIndexFile, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	x, err := schemas.DecodeTemplateIndex(data)
	if err != nil || len(x.Ranges) < 3 || x.Ranges[0].File.Name == "" || x.Ranges[1].File.Name != "" || x.Ranges[2].File.Name == "" {
		t.Errorf("%+v, %v", x, err)
	}
}
