package commit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

func mustAggregate(t *testing.T, w *world, change ...func(*Options)) *stats.Summary {
	t.Helper()
	s, err := w.aggregate(w.store, change...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRunPublishesTables(t *testing.T) {
	w := newWorld(t, 50, 37, 12, 0, 20).begin()
	w.run.Files[2].Items = 0 // nothing but its size counts
	s := mustAggregate(t, w)
	m, err := tables.Manifest(t.Context(), w.store)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range m.Parts {
		for _, f := range p.Files {
			want = append(want, f.Name)
		}
	}
	want = append(want, schemas.ManifestFile, schemas.PackagesFile, schemas.SpeedFile, schemas.AgreementFile, schemas.FailuresFile, schemas.SuccessFile)
	slices.Sort(want)
	if got := names(w.store); !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	if len(m.Parts) < 3 || m.Run.State != schemas.RunDone || m.Finished.IsZero() {
		t.Errorf("%d parts, state %s, finished %v", len(m.Parts), m.Run.State, m.Finished)
	}
	if w.ends != 1 {
		t.Errorf("told the broker %d times that the run is over", w.ends)
	}
	got := w.tables(w.store)
	if int64(len(got.pages)) != s.Pages || int64(len(got.documents)) != 2*s.Pages || int64(len(got.scores)) != 4*m.Totals.WithGold || m.Totals.WithGold == 0 || m.Totals.WithGold == s.Pages || s.Records != 69 || s.Pages+s.NotHTML+s.Refused != 69 {
		t.Errorf("%d pages, %d documents, %d scores for %+v", len(got.pages), len(got.documents), len(got.scores), s)
	}
	if int64(len(got.failures)) != s.Refused {
		t.Errorf("%d failures, want %d", len(got.failures), s.Refused)
	}
	// Within a part rows are sorted.
	for _, p := range m.Parts {
		var last *schemas.ScoreRow
		for row, err := range tables.PartRows(t.Context(), w.store, scoresTable, &p) {
			if err != nil {
				t.Fatal(err)
			}
			if last != nil && schemas.CompareScores(last, row) > 0 {
				t.Fatalf("part %d: %v after %v", p.Seq, row, last)
			}
			c := *row
			last = &c
		}
	}
	// A second time there is nothing to do.
	before := w.store.Files()
	if again := mustAggregate(t, w); !reflect.DeepEqual(again, s) {
		t.Errorf("again: %+v, want %+v", again, s)
	}
	if !reflect.DeepEqual(w.store.Files(), before) {
		t.Error("a second run changed files")
	}
}

// sortTables makes tables comparable that are cut into parts differently.
func sortTables(t tableRows) tableRows {
	slices.SortStableFunc(t.pages, func(a, b schemas.Page) int { return schemas.ComparePages(&a, &b) })
	slices.SortStableFunc(t.documents, func(a, b schemas.Document) int { return schemas.CompareDocuments(&a, &b) })
	slices.SortStableFunc(t.scores, func(a, b schemas.ScoreRow) int { return schemas.CompareScores(&a, &b) })
	slices.SortStableFunc(t.failures, func(a, b schemas.Failure) int { return schemas.CompareFailures(&a, &b) })
	slices.SortStableFunc(t.texts, func(a, b schemas.Text) int {
		return cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Extractor, b.Extractor))
	})
	return t
}

// Promise 2: any split, any order of reports, any size of parts, the same rows
// and the same package table.
func TestRowsDoNotDependOnTheWay(t *testing.T) {
	ref := newWorld(t, 1<<20, 60, 25).begin()
	mustAggregate(t, ref)
	want := sortTables(ref.tables(ref.store))
	packages, agreed := ref.store.Files()[schemas.PackagesFile], ref.store.Files()[schemas.AgreementFile]
	if len(want.documents) == 0 || len(packages) == 0 || len(agreed) == 0 {
		t.Fatal("nothing to compare with")
	}
	seeds := uint64(12)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, int64(r.IntN(150)+11), 60, 25)
		for range 10 {
			w.inner[r.Int64N(60)] = true
		}
		w.begin()
		r.Shuffle(len(w.log), func(i, j int) { w.log[i], w.log[j] = w.log[j], w.log[i] })
		for range 5 { // delivered twice: a report, or the item
			d := w.log[r.IntN(len(w.log))].Done
			w.log = append(w.log, queue.Report{Done: d})
			w.work(&d.Item)
		}
		mustAggregate(t, w, func(o *Options) { o.PartRows, o.SortRows = int64(r.IntN(400)), r.IntN(50)+1 })
		if got := sortTables(w.tables(w.store)); !reflect.DeepEqual(got, want) {
			differ(t, "pages", got.pages, want.pages)
			differ(t, "documents", got.documents, want.documents)
			differ(t, "scores", got.scores, want.scores)
			differ(t, "failures", got.failures, want.failures)
			differ(t, "texts", got.texts, want.texts)
			t.Fatalf("seed %d: other rows", seed)
		}
		if got := w.store.Files()[schemas.PackagesFile]; !bytes.Equal(got, packages) {
			t.Fatalf("seed %d: another package table", seed)
		}
		if got := w.store.Files()[schemas.SpeedFile]; !bytes.Equal(got, ref.store.Files()[schemas.SpeedFile]) {
			t.Fatalf("seed %d: another table of speed", seed)
		}
		if got := w.store.Files()[schemas.AgreementFile]; !bytes.Equal(got, agreed) {
			t.Fatalf("seed %d: another agreement table", seed)
		}
		for _, name := range names(w.store) {
			if hasFolder(name, schemas.ShardFolder) {
				t.Errorf("seed %d: left %s", seed, name)
			}
		}
	}
}

// differ shows the first difference.
func differ[T any](t *testing.T, table string, got, want []T) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%s, row %d:\n got %+v\nwant %+v", table, i, got[i], want[i])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", table, len(got), len(want))
	}
}

func TestWrongGuessesAreRunAgain(t *testing.T) {
	w := newWorld(t, 25, 40)
	for n := range int64(40) {
		w.inner[n] = true // every scan that begins within a record guesses wrong
	}
	w.begin()
	reports := len(w.log)
	mustAggregate(t, w)
	if len(w.log) == reports {
		t.Error("no item was run again")
	}
	m, err := tables.Manifest(t.Context(), w.store)
	if err != nil || m.Totals.Records != 40 || m.Totals.Bytes != 400 {
		t.Errorf("%+v, %v; want 40 records, 400 bytes", m.Totals, err)
	}
}

func TestLostReportsAreAskedFor(t *testing.T) {
	w := newWorld(t, 50, 40)
	w.lost[itemKey{0, 0}], w.lost[itemKey{0, 3}], w.lost[itemKey{0, 7}] = true, true, true
	if s := mustAggregate(t, w.begin()); s.Records != 40 {
		t.Errorf("%d records, want 40", s.Records)
	}
}

func TestCanceledRunEnds(t *testing.T) {
	w := newWorld(t, 50, 40)
	w.lost[itemKey{0, 0}] = true
	w.begin()
	// It is canceled while a report is waited for, and stays so.
	cancel := func(o *Options) { o.Broker = canceling{broker{w}} }
	for _, change := range []func(*Options){cancel, func(*Options) {}} {
		_, err := w.aggregate(w.store, change)
		var ended *manifest.EndedError
		if !errors.As(err, &ended) || ended.State != schemas.RunCanceled || w.ends == 0 {
			t.Errorf("%v; the broker was told %d times that the run is over", err, w.ends)
		}
		w.ends = 0
	}
	if _, err := w.store.Stat(t.Context(), schemas.SuccessFile); err == nil {
		t.Error("a canceled run says that it succeeded")
	}
}

// canceling is a broker whose run is canceled when it is first compared with the manifest.
type canceling struct{ broker }

func (c canceling) Reconcile(ctx context.Context, run *schemas.Run, waiting iter.Seq2[*schemas.Item, error]) error {
	if err := manifest.End(ctx, c.store, run.ID, schemas.RunCanceled, ""); err != nil {
		return err
	}
	return c.broker.Reconcile(ctx, run, waiting)
}

func TestLostAndDamagedShardsAreMadeAgain(t *testing.T) {
	for name, harm := range map[string]func(s blob.Store, shard string) error{
		"deleted": func(s blob.Store, shard string) error { return s.Delete(context.Background(), shard) },
		"changed": func(s blob.Store, shard string) error {
			data, err := blob.ReadAll(context.Background(), s, shard, 1<<20)
			if err == nil {
				data[len(data)/2] ^= 1
				_, err = blob.WriteAll(context.Background(), s, shard, data)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 50, 40).begin()
			for _, i := range []int{1, 2, 6} {
				if err := harm(w.store, w.log[i].Done.Shards[0].Name); err != nil {
					t.Fatal(err)
				}
			}
			if s := mustAggregate(t, w); s.Records != 40 {
				t.Errorf("%d records, want 40", s.Records)
			}
		})
	}
}

// A worker that always reports what it did not write does not keep the run for
// ever: its item is given up, and all others are there.
func TestItemWhoseShardsAreNeverGoodIsDead(t *testing.T) {
	w := newWorld(t, 50, 40).begin()
	w.log[1].Done.Shards[0].SHA256 = strings.Repeat("0", 64)
	s := mustAggregate(t, w, func(o *Options) { o.Broker = liar{broker{w}} })
	w.lostOne(s, 50, reasonShards)
}

// lostOne verifies that a run of 40 records in one file lost the second item, and
// nothing else.
func (w *world) lostOne(s *stats.Summary, bytes int64, reason string) {
	w.t.Helper()
	m, err := tables.Manifest(context.Background(), w.store)
	if err != nil {
		w.t.Fatal(err)
	}
	if s.Dead != 1 || len(m.Dead) != 1 || m.Dead[0].Item.Seq != 1 || m.Totals.Bytes != 400-bytes {
		w.t.Errorf("%d items dead (%+v), %d bytes read", s.Dead, m.Dead, m.Totals.Bytes)
	}
	var lost []schemas.Failure
	for _, f := range w.tables(w.store).failures {
		if f.Stage == queue.StageItem {
			lost = append(lost, f)
		}
	}
	if len(lost) != 1 || lost[0].Length != bytes || lost[0].Reason != reason || lost[0].Detail == "" || lost[0].Severity != "lost" {
		w.t.Errorf("failures %+v, want one of %d bytes with reason %s", lost, bytes, reason)
	}
	if _, ok := w.store.Files()[schemas.SuccessFile]; !ok {
		w.t.Error("the run did not end")
	}
	for name := range w.store.Files() {
		if hasFolder(name, schemas.ShardFolder) {
			w.t.Errorf("left %s", name)
		}
	}
}

// The input is gone when lost shards are to be made again: the items that cannot be
// read any more are given up, and the run ends.
func TestLostShardsWhoseInputIsGoneAreDead(t *testing.T) {
	for name, inner := range map[string]bool{"plain": false, "records within records": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 50, 40)
			for n := range int64(40) {
				w.inner[n] = inner
			}
			w.begin()
			for _, s := range w.log[1].Done.Shards {
				if err := w.store.Delete(t.Context(), s.Name); err != nil {
					t.Fatal(err)
				}
			}
			w.killers[itemKey{0, 1}] = true
			s := mustAggregate(t, w)
			w.lostOne(s, 50, "crash")
		})
	}
}

// All lost shards of a part are found by one pass over it, and their items
// published together.
func TestLostShardsAreRepairedAtOnce(t *testing.T) {
	pass := func(lost ...int) (opens, rounds int) {
		w := newWorld(t, 50, 400).begin()
		for _, i := range lost {
			shards := w.log[i].Done.Shards
			if err := w.store.Delete(t.Context(), shards[i%len(shards)].Name); err != nil {
				t.Fatal(err)
			}
		}
		b := &publishCounter{broker: broker{w}}
		store := &openCounter{Store: w.store}
		if _, err := w.aggregate(store, func(o *Options) { o.Broker, o.PartRows = b, 0 }); err != nil {
			t.Fatal(err)
		}
		return int(store.opens.Load()), b.publishes
	}
	undisturbed, rounds := pass()
	if rounds != 0 {
		t.Fatalf("items of an undisturbed run were published %d times", rounds)
	}
	for _, lost := range [][]int{{3}, {3, 4, 5, 11, 17, 30, 31, 48, 55, 60, 61, 62, 70, 71, 75, 79}} {
		opens, rounds := pass(lost...)
		if rounds != 1 || opens > 2*undisturbed {
			t.Errorf("%d lost shards: items were published %d times, files opened %d times; undisturbed %d", len(lost), rounds, opens, undisturbed)
		}
	}
}

// publishCounter counts how often items are published again.
type publishCounter struct {
	broker
	publishes int
}

func (c *publishCounter) Publish(ctx context.Context, items ...*schemas.Item) error {
	c.publishes++
	return c.broker.Publish(ctx, items...)
}

// openCounter counts the files that are opened.
type openCounter struct {
	blob.Store
	opens atomic.Int64
}

func (c *openCounter) Open(ctx context.Context, name string) (blob.File, error) {
	c.opens.Add(1)
	return c.Store.Open(ctx, name)
}

// liar is a broker whose workers report wrong checksums.
type liar struct{ broker }

func (l liar) Publish(ctx context.Context, items ...*schemas.Item) error {
	n := len(l.log)
	err := l.broker.Publish(ctx, items...)
	for _, rep := range l.log[n:] {
		rep.Done.Shards[0].SHA256 = strings.Repeat("1", 64)
	}
	return err
}

func TestDeadItemsAreListedAsLost(t *testing.T) {
	for name, inner := range map[string]bool{"plain": false, "records within records": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 70, 60)
			w.killers[itemKey{0, 2}], w.killers[itemKey{0, 3}] = true, true
			for n := range int64(60) {
				w.inner[n] = inner
			}
			w.begin()
			s := mustAggregate(t, w)
			m, err := tables.Manifest(t.Context(), w.store)
			if err != nil {
				t.Fatal(err)
			}
			if s.Dead != 2 || len(m.Dead) != 2 {
				t.Errorf("%d items dead, %d in the manifest; want 2", s.Dead, len(m.Dead))
			}
			got := w.tables(w.store)
			var lost int64
			for _, f := range got.failures {
				if f.Stage == "item" {
					lost += f.Length
					if f.Reason != "crash" || f.Severity != "lost" || f.Attempts != 4 {
						t.Errorf("lost range %+v", f)
					}
				}
			}
			if lost+m.Totals.Bytes != 600 || lost < 140 {
				t.Errorf("%d bytes lost, %d read; want 600 together", lost, m.Totals.Bytes)
			}
			flagged := 0
			for _, d := range got.pages {
				if unverified := d.Offset >= 280; (d.Flags == "unverified") != unverified {
					t.Errorf("page at %d has flags %q", d.Offset, d.Flags)
				} else if unverified {
					flagged++
				}
			}
			if flagged == 0 {
				t.Error("no page is flagged")
			}
		})
	}
}

func TestRefusedFilesAreListed(t *testing.T) {
	w := newWorld(t, 50, 10, 5)
	w.run.Files[1].Items, w.run.Files[1].Refused = 0, "not-warc"
	mustAggregate(t, w.begin())
	got := w.tables(w.store).failures
	last := got[len(got)-1]
	if last.File != "file:///1.warc" || last.Length != 50 || last.Reason != "not-warc" || last.Severity != "lost" {
		t.Errorf("%+v", last)
	}
}

func TestWhatDoesNotAddUpIsRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(d *schemas.Done)
		says   string
	}{
		{"a record more", func(d *schemas.Done) { d.Counts.Records++ }, "records read are"},
		{"a page less", func(d *schemas.Done) { d.Counts.Pages--; d.Counts.Records-- }, "rows of pages are"},
		{"a refused record less", func(d *schemas.Done) { d.Counts.NotHTML["request"]-- }, "records read are"},
		{"types", func(d *schemas.Done) { d.Counts.ByType = map[string]int64{"response": 1} }, "records by type"},
		{"a byte more", func(d *schemas.Done) { d.Counts.BytesGaps++ }, "bytes in units and gaps"},
		{"bytes", func(d *schemas.Done) { d.Counts.Bytes++; d.Counts.BytesUnits++ }, "bytes from the first record"},
		{"pages", func(d *schemas.Done) { d.Counts.Rows["pages"]-- }, "rows of pages are"},
		{"documents", func(d *schemas.Done) { d.Counts.Rows["documents"]++ }, "rows of documents are"},
		{"pages with gold", func(d *schemas.Done) { d.Counts.WithGold-- }, "times scorers"},
		{"more gold than pages", func(d *schemas.Done) { d.Counts.WithGold = d.Counts.Pages + 1 }, "pages with gold are"},
		{"scores", func(d *schemas.Done) { d.Counts.Rows["scores"]-- }, "times scorers"},
		{"outcomes", func(d *schemas.Done) { d.Counts.Outcomes["bte/ok"]++ }, "outcomes of bte"},
		{"other outcomes", func(d *schemas.Done) { d.Counts.Outcomes["bte/failed/panic"]--; d.Counts.Outcomes["bte/empty"]++ }, "bte/empty"},
		{"an answer less", func(d *schemas.Done) { d.Counts.Outcomes["bte/ok"]--; d.Counts.Outcomes["bte/empty"]++ }, "answers of extractors are"},
		{"another method", func(d *schemas.Done) { d.Counts.Outcomes["xyz/ok"] = 1 }, "xyz"},
		{"rows of failures", func(d *schemas.Done) { d.Counts.Rows["failures"]++ }, "reported are 2"},
		{"rows of texts", func(d *schemas.Done) { d.Counts.Rows["texts"]-- }, "answers of extractors are"},
		{"texts left out", func(d *schemas.Done) {
			d.Counts.Rows["texts"]--
			d.Counts.LeftOut = map[string]int64{"not noindex": 1}
		}, "texts that the recipe leaves out are 0"},
		{"a table is missing", func(d *schemas.Done) { d.Shards = d.Shards[1:] }, "its shards have 0 rows of pages"},
		{"an agreement less", func(d *schemas.Done) {
			i := slices.IndexFunc(d.Shards, func(s schemas.Shard) bool { return s.Table == schemas.TableAgreement })
			d.Shards = slices.Delete(slices.Clone(d.Shards), i, i+1)
			delete(d.Counts.Rows, schemas.TableAgreement)
		}, "comparisons of extractors"},
		{"a table is there twice", func(d *schemas.Done) { d.Shards = append(d.Shards, d.Shards[2]) }, "two shards of table scores"},
	}
	want := newWorld(t, 100, 40).begin()
	mustAggregate(t, want)
	rows := sortTables(want.tables(want.store))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, 100, 40).begin()
			test.change(w.log[1].Done)
			var log bytes.Buffer
			said := func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) }
			// Another attempt makes it good.
			again := w.clone()
			mustAggregate(t, again, said)
			if got := sortTables(again.tables(again.store)); !reflect.DeepEqual(got, rows) {
				t.Error("the run has other rows")
			}
			if !strings.Contains(log.String(), test.says) || !strings.Contains(log.String(), "f00000-i00001") {
				t.Errorf("the log does not say %q of the item: %s", test.says, log.String())
			}
			// If every attempt does it, the item is given up, and nothing else.
			s := mustAggregate(t, w, func(o *Options) { o.Broker = &forger{broker{w}, test.change} })
			if reason := w.tables(w.store).failures; !slices.ContainsFunc(reason, func(f schemas.Failure) bool { return f.Reason == reasonShards || f.Reason == reasonReport }) {
				t.Errorf("failures %+v", reason)
			}
			if s.Dead != 1 || w.ends != 1 {
				t.Errorf("%d items dead; told the broker %d times that the run is over", s.Dead, w.ends)
			}
		})
	}
}

// forger is a broker whose workers report wrongly about the second item.
type forger struct {
	broker
	change func(*schemas.Done)
}

func (f *forger) Publish(ctx context.Context, items ...*schemas.Item) error {
	n := len(f.log)
	err := f.broker.Publish(ctx, items...)
	for _, rep := range f.log[n:] {
		if rep.Done.Item.Seq == 1 {
			f.change(rep.Done)
		}
	}
	return err
}

func (f *forger) Reconcile(ctx context.Context, _ *schemas.Run, waiting iter.Seq2[*schemas.Item, error]) error {
	if !f.quiet() {
		return nil
	}
	return f.Publish(ctx, slices.Collect(first(waiting))...)
}

// Messages that would have made the aggregator panic, or calls a whole file a gap,
// are counted and logged; the run goes on as if they had not been there.
func TestForgedReportsChangeNothing(t *testing.T) {
	w := newWorld(t, 50, 20, 20).begin()
	honest, good := w.log, *w.log[0].Done
	forgeries := []func(d *schemas.Done){
		func(d *schemas.Done) { d.Shards[3].Name = "t" },
		func(d *schemas.Done) { d.Shards[0].Name = honest[1].Done.Shards[0].Name },
		func(d *schemas.Done) { d.Next = 3 },
		func(d *schemas.Done) { d.Counts.Pages = -3 },
		func(d *schemas.Done) { // the whole item is a gap, and nothing says why
			d.Shards = nil
			d.Counts = schemas.Counts{Bytes: d.Counts.Bytes, BytesGaps: d.Counts.Bytes}
		},
		func(d *schemas.Done) { // the whole item is one unit without a record
			d.Shards = nil
			d.Counts = schemas.Counts{Bytes: d.Counts.Bytes, BytesUnits: d.Counts.Bytes}
		},
	}
	w.log = nil
	for _, forge := range forgeries {
		d, err := schemas.DecodeDone(mustJSON(good))
		if err != nil {
			t.Fatal(err)
		}
		forge(d)
		w.log = append(w.log, queue.Report{Done: d})
	}
	w.log = append(w.log, honest...)
	refused := 0
	s := mustAggregate(t, w, func(o *Options) { o.Refused = func() { refused++ } })
	if s.Records != 40 || s.Dead != 0 || refused != len(forgeries) {
		t.Errorf("%d records, %d items dead, %d reports refused; want 40, 0 and %d", s.Records, s.Dead, refused, len(forgeries))
	}
}

func TestReportsOfOthersAreIgnored(t *testing.T) {
	w := newWorld(t, 50, 20).begin()
	good := w.log[0].Done
	for _, change := range []func(d *schemas.Done){
		func(d *schemas.Done) { d.Item.Run = "other" },
		func(d *schemas.Done) { d.Item.Hash = "other" },
		func(d *schemas.Done) { d.Item.File.Index = 7 },
		func(d *schemas.Done) { d.Item.Seq = -1 },
		func(d *schemas.Done) { d.Item.File.End++ },
		func(d *schemas.Done) { d.Item.File.Identity = "etag:x" },
		func(d *schemas.Done) { d.Item.Phase = schemas.PhaseLearn; d.First = 5 },
	} {
		d := *good
		change(&d)
		d.Shards = []schemas.Shard{{Name: schemas.ManifestFile}, {Name: "../x"}}
		w.log = append([]queue.Report{{Done: &d}}, w.log...)
	}
	if s := mustAggregate(t, w); s.Records != 20 {
		t.Errorf("%d records, want 20", s.Records)
	}
}

// Wherever the aggregator is killed, it goes on to the same files.
func TestCrashAnywhereGivesTheSameTables(t *testing.T) {
	base := newWorld(t, 60, 30, 10)
	base.inner[6], base.inner[12] = true, true
	base.killers[itemKey{1, 0}] = true
	base.begin()
	ref := base.clone()
	counter := blobtest.NewFaulty(ref.store, 0, false)
	if _, err := ref.aggregate(counter); err != nil {
		t.Fatal(err)
	}
	want := ref.store.Files()
	ops := counter.Ops()
	if ops < 100 {
		t.Fatalf("only %d operations", ops)
	}
	step := int64(61) // all take minutes
	if os.Getenv("WINNOW_LONG_TESTS") != "" {
		step = 1
	}
	for i, after := range []bool{false, true} {
		for n := 1 + int64(i)*(step/2); n <= ops; n += step {
			w := base.clone()
			_, err := w.aggregate(blobtest.NewFaulty(w.store, n, after))
			if err == nil && n < ops-5 { // shards that stay behind at the end are no error
				t.Fatalf("operation %d of %d: no error", n, ops)
			}
			if _, err := w.aggregate(w.store); err != nil {
				t.Fatalf("operation %d of %d, after=%v: the next start fails: %v", n, ops, after, err)
			}
			got := w.store.Files()
			for name, data := range got { // names of parts say which start made them
				if plain := term.ReplaceAllString(name, ""); plain != schemas.ManifestFile && !bytes.Equal(data, want[plain]) {
					t.Fatalf("operation %d of %d, after=%v: %s differs", n, ops, after, name)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("operation %d of %d, after=%v: %d files, want %d", n, ops, after, len(got), len(want))
			}
			compareManifests(t, got[schemas.ManifestFile], want[schemas.ManifestFile])
		}
	}
}

// term is what tells names of parts of later starts from those of the first.
var term = regexp.MustCompile(`-t\d+`)

func compareManifests(t *testing.T, a, b []byte) {
	t.Helper()
	ma, err := schemas.DecodeManifest(a)
	if err != nil {
		t.Fatal(err)
	}
	mb, err := schemas.DecodeManifest(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*schemas.Manifest{ma, mb} {
		m.Committed, m.Finished, m.Aggregators = m.Started, m.Started, nil
		for i := range m.Parts {
			for j := range m.Parts[i].Files {
				f := &m.Parts[i].Files[j]
				f.Name = term.ReplaceAllString(f.Name, "")
			}
		}
	}
	if !reflect.DeepEqual(ma, mb) {
		t.Fatalf("manifests differ:\n%s\n%s", a, b)
	}
}

func TestRecomputeGivesTheSameBytes(t *testing.T) {
	w := newWorld(t, 50, 60).begin()
	want := mustAggregate(t, w)
	files := []string{schemas.PackagesFile, schemas.SpeedFile, schemas.AgreementFile, schemas.FailuresFile}
	before := w.store.Files()
	for _, name := range files {
		if err := w.store.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	got, err := recomputeFast(t.Context(), w.store)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, name := range files {
		if !bytes.Equal(w.store.Files()[name], before[name]) {
			t.Errorf("recomputed, %s differs", name)
		}
	}
	if got, err := compact.Recompute(t.Context(), w.store); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func recomputeFast(ctx context.Context, store blob.Store) (*stats.Summary, error) {
	m, err := tables.Manifest(ctx, store)
	if err != nil {
		return nil, err
	}
	c := compact.New(store, &m.Run)
	c.Size = fastLayout
	rows, err := c.RunTables(ctx, m, c.Store)
	if err != nil {
		return nil, err
	}
	return stats.NewSummary(m, rows), nil
}

// The picture of the tables is made when they are there, before all is said to
// be done, once; and a run ends without one if need be.
func TestReportIsMadeBeforeTheEnd(t *testing.T) {
	w := newWorld(t, 50, 20).begin()
	calls := 0
	report := func(o *Options) {
		o.Report = func(ctx context.Context, store blob.Store) error {
			calls++
			if _, ok := w.store.Files()[schemas.SuccessFile]; ok {
				t.Error("it is too late")
			}
			if m, err := tables.Manifest(ctx, store); err != nil || m.Finished.IsZero() {
				t.Errorf("it is too early: %v", err)
			}
			if _, err := tables.Packages(ctx, store); err != nil {
				t.Error(err)
			}
			return errors.New("no colours left")
		}
	}
	mustAggregate(t, w, report)
	mustAggregate(t, w, report)
	if _, ok := w.store.Files()[schemas.SuccessFile]; !ok || calls != 1 {
		t.Errorf("done %v after %d reports", ok, calls)
	}
}
