package commit

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// world is a run with workers that need no archives: a file is a row of records
// of 10 bytes each, of which some hold records themselves, 5 bytes into them,
// which a scan cannot tell from real ones.
type world struct {
	t     testing.TB
	run   schemas.Run
	store *blobtest.Memory
	disk  blob.Store // instead of store, for runs whose memory is looked at
	log   []queue.Report
	ends  int // how often the broker was told that the run is over

	inner   map[int64]bool   // records (by number) with a record within
	lost    map[itemKey]bool // items whose reports get lost
	killers map[itemKey]bool // items that are given up
	jitter  int64            // added to times
	byFile  bool             // every file is a package
	reports *logReader       // the open stream of reports
}

const recordSize = 10

var (
	fastLayout  = columnar.Size{Fast: true}
	scoresTable = columnar.Scores
)

// newWorld plans files of so many records each, cut into items of about
// itemBytes.
func newWorld(t testing.TB, itemBytes int64, records ...int) *world {
	w := &world{t: t, store: new(blobtest.Memory), inner: map[int64]bool{}, lost: map[itemKey]bool{}, killers: map[itemKey]bool{}}
	w.run = schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash", Phases: []schemas.Phase{schemas.PhaseExtract}, Phase: schemas.PhaseExtract, State: schemas.RunPlanned,
		Recipe: schemas.Recipe{Version: schemas.Version, Extractors: []schemas.Method{{Name: "dsc"}, {Name: "bte"}}, Scorers: []schemas.Method{{Name: "str"}, {Name: "seq"}}, Texts: "parquet",
			Facts: []schemas.Fact{{Name: "f", Pages: []schemas.FactColumn{{Name: "size", Kind: schemas.FactInt}}, Documents: []schemas.FactColumn{{Name: "words", Kind: schemas.FactText}}}}}}
	for i, n := range records {
		size := int64(n) * recordSize
		w.run.Files = append(w.run.Files, schemas.File{URL: fmt.Sprintf("file:///%d.warc", i), Size: size, Items: int(max(1, size/itemBytes))})
	}
	return w
}

// begin writes the manifest, and works on all items.
func (w *world) begin() *world {
	w.t.Helper()
	m := schemas.Manifest{Version: schemas.Version, Run: w.run}
	data, err := m.Encode()
	if err == nil {
		_, err = blob.WriteAll(context.Background(), w.to(), schemas.ManifestFile, data)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	for f := range w.run.Files {
		for s := range w.run.Files[f].Items {
			it := w.run.Item(f, s)
			w.work(&it)
		}
	}
	return w
}

// clone is a world with the same past and a future of its own.
func (w *world) clone() *world {
	c := *w
	c.reports = nil
	c.store = new(blobtest.Memory)
	c.log = slices.Clone(w.log)
	for name, data := range w.store.Files() {
		if _, err := blob.WriteAll(context.Background(), c.store, name, data); err != nil {
			w.t.Fatal(err)
		}
	}
	return &c
}

// starts yields the positions at which something like a record begins, ascending.
func (w *world) starts(size int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for o := int64(0); o < size; o += recordSize {
			if !yield(o) || w.inner[o/recordSize] && !yield(o+5) {
				return
			}
		}
	}
}

// work carries out an item, as a worker would, and reports it.
func (w *world) work(it *schemas.Item) {
	p := itemKey{it.File.Index, it.Seq}
	if w.killers[p] {
		w.log = append(w.log, queue.Report{Dead: &schemas.Dead{Version: schemas.Version, Item: *it, Offset: it.File.Start, Length: it.File.Length(),
			Stage: queue.StageItem, Reason: "crash", Detail: "it kills", Attempts: 4}})
		return
	}
	d := w.process(it, len(w.log)+1)
	if w.lost[p] {
		delete(w.lost, p)
		return
	}
	w.log = append(w.log, queue.Report{Done: d})
}

func (w *world) process(it *schemas.Item, attempt int) *schemas.Done {
	d := &schemas.Done{Version: schemas.Version, Item: *it, ID: it.ID(), Attempt: attempt, First: -1, Next: -1}
	d.Counts.Rows = map[schemas.Table]int64{}
	if it.File.First >= 0 {
		d.First = it.File.First
	} else {
		for o := range w.starts(it.File.Total) {
			if it.File.Start <= o && o < it.File.End {
				d.First = o
				break
			}
		}
	}
	if d.First >= 0 {
		d.Next = it.File.Total
		at := d.First
		for o := range w.starts(it.File.Total) {
			// A real record ends where the next real one begins; one within ends with
			// the record around it.
			if o < d.First || o > at && o%recordSize != 0 {
				continue
			}
			if o >= it.File.End {
				d.Next = o
				break
			}
			at = o
		}
	}
	s := newAttempt(w, fmt.Sprintf("%s%d-", schemas.ShardPrefix("hash", it.ID()), attempt))
	for o := d.First; o >= 0 && o < d.Next; o = o/recordSize*recordSize + recordSize {
		s.record(it, o, &d.Counts)
	}
	if d.First >= 0 {
		d.Counts.Bytes = d.Next - d.First
		d.Counts.BytesUnits = d.Counts.Bytes
	}
	d.Shards = s.publish(&d.Counts)
	return d
}

// attempt gathers the rows of an item.
type attempt struct {
	w         *world
	prefix    string
	pages     []schemas.Page
	documents []schemas.Document
	scores    []schemas.ScoreRow
	failures  []schemas.Failure
	texts     []schemas.Text
	agreement []schemas.AgreementRow
}

func newAttempt(w *world, prefix string) *attempt { return &attempt{w: w, prefix: prefix} }

// record makes the rows of the record at o: every fifth is no page, every
// seventh is refused.
func (s *attempt) record(it *schemas.Item, o int64, c *schemas.Counts) {
	c.Records++
	n := o / recordSize
	switch {
	case n%5 == 4:
		account.AddMap(&c.NotHTML, map[string]int64{"request": 1})
		return
	case n%7 == 6:
		account.AddMap(&c.Refused, map[string]int64{"empty": 1})
		s.failures = append(s.failures, schemas.Failure{Run: "r", File: it.File.URL, Offset: o, Length: recordSize, Stage: "page", Reason: "empty", Severity: "lost", Attempts: 1})
		return
	}
	c.Pages++
	pkg, doc := fmt.Sprint("p", n%3), fmt.Sprintf("d%03d-%d", 997*n%1000, o)
	if s.w.byFile {
		pkg = it.File.URL
	}
	s.agree(pkg, n)
	hasGold := n%13 != 0
	if hasGold {
		c.WithGold++
	}
	page := schemas.Page{Run: "r", Package: pkg, DocID: doc, URL: "http://x/" + doc, PageID: uint64(o), File: it.File.URL, Offset: o,
		HTMLBytes: 1000 + n, Complexity: float64(n%3) / 3, PageConsensus: float64(n%7) / 7, Facts: []schemas.Value{{Known: n%3 > 0}}}
	if n%3 > 0 {
		page.Facts[0].Number = uint64(n)
	}
	s.pages = append(s.pages, page)
	for i, e := range s.w.run.Recipe.Extractors {
		row := schemas.Document{PageID: uint64(o), Facts: []schemas.Value{{Known: true, Text: doc + e.Name}}, Run: "r", Package: pkg, DocID: doc, URL: "http://x/" + doc, File: it.File.URL, Offset: o,
			Extractor: e.Name, Outcome: "ok", HasGold: hasGold, HTMLBytes: 1000 + n, ExtractNS: 500 + o + s.w.jitter,
			Consensus: float64(n%7) / 7, ConsensusF1: float64(n%9) / 9}
		if n%2 == 0 {
			row.PageType = fmt.Sprint("type", n%4)
		}
		if (n+int64(i))%11 == 0 {
			row.Outcome, row.Reason = "failed", "panic"
		}
		account.AddMap(&c.Outcomes, map[string]int64{account.OutcomeKey(e.Name, row.Outcome, row.Reason): 1})
		s.documents = append(s.documents, row)
		for j, m := range s.w.run.Recipe.Scorers {
			if !hasGold {
				break
			}
			score := schemas.ScoreRow{Run: "r", Package: pkg, DocID: doc, Extractor: e.Name, Scorer: m.Name}
			switch {
			case n%17 == 0: // the gold is not of the kind that the scorer needs
				score.Reason = "no_gold"
			case row.Outcome == "failed":
				score.Reason = "no_answer"
			default:
				x := float64((n*31+int64(i)*7+int64(j)*3)%101) / 100
				score.Precision, score.Recall, score.F1 = x, x/2, x*3/4
				score.Common, score.Extracted, score.Gold = n, 2*n, 3*n
			}
			s.scores = append(s.scores, score)
		}
		if row.Outcome == "ok" {
			s.texts = append(s.texts, schemas.Text{Run: "r", Package: pkg, DocID: doc, URL: row.URL, Extractor: e.Name, Text: "text of " + doc})
		}
	}
}

// agree adds a page to the sums of its package, or begins a row of its own, as a
// worker does that has too many.
func (s *attempt) agree(pkg string, n int64) {
	if len(s.w.run.Recipe.Extractors) < 2 {
		return
	}
	i := slices.IndexFunc(s.agreement, func(r schemas.AgreementRow) bool { return r.Package == pkg })
	if i < 0 || n%4 == 1 {
		i = len(s.agreement)
		s.agreement = append(s.agreement, schemas.AgreementRow{Run: "r", Package: pkg, ExtractorA: "bte", ExtractorB: "dsc"})
	}
	r := &s.agreement[i]
	switch {
	case n%11 == 0:
		r.Failed++
	case n%6 == 0:
		r.BothEmpty++
	default:
		r.Documents++
		r.SumE9 += n * 10_000_019 % 1_000_000_001
		r.MeanF1 = float64(r.SumE9) / 1e9 / float64(r.Documents)
	}
}

func (s *attempt) publish(c *schemas.Counts) []schemas.Shard {
	var out []schemas.Shard
	out = publishRows(s, columnar.PagesOf(&s.w.run.Recipe), s.pages, c, out)
	out = publishRows(s, columnar.DocumentsOf(&s.w.run.Recipe), s.documents, c, out)
	out = publishRows(s, columnar.Scores, s.scores, c, out)
	out = publishRows(s, columnar.Failures, s.failures, c, out)
	out = publishRows(s, columnar.TextsOf(&s.w.run.Recipe), s.texts, c, out)
	return publishRows(s, columnar.Agreement, s.agreement, c, out)
}

func publishRows[T any](s *attempt, table *columnar.Table[T], rows []T, c *schemas.Counts, out []schemas.Shard) []schemas.Shard {
	if len(rows) == 0 {
		return out
	}
	c.Rows[table.Name()] += int64(len(rows))
	shard, err := tables.Write(context.Background(), s.w.to(), table, s.prefix+string(table.Name())+".parquet", &s.w.run, fastLayout, all(rows))
	if err != nil {
		s.w.t.Fatal(err)
	}
	return append(out, *shard)
}

func all[T any](rows []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

// broker is the world as an aggregator sees it.
type broker struct{ *world }

func (b broker) Reports(ctx context.Context) (Reports, error) {
	b.reports = &logReader{b.world, 0}
	return b.reports, nil
}

func (b broker) Publish(ctx context.Context, items ...*schemas.Item) error {
	for _, it := range items {
		b.work(it)
	}
	return nil
}

// Reconcile publishes all items that are waited for, unless the stage begins: all items
// were published with the run.
func (b broker) Reconcile(ctx context.Context, run *schemas.Run, waiting iter.Seq2[*schemas.Item, error]) error {
	if !b.quiet() {
		return nil
	}
	return b.Publish(ctx, slices.Collect(first(waiting))...)
}

// quiet reports whether all reports were read.
func (w *world) quiet() bool { return w.reports != nil && w.reports.at == len(w.log) }

// first yields the items of a sequence that has no errors.
func first(items iter.Seq2[*schemas.Item, error]) iter.Seq[*schemas.Item] {
	return func(yield func(*schemas.Item) bool) {
		for it := range items {
			if !yield(it) {
				return
			}
		}
	}
}

func (b broker) End(context.Context) error {
	b.ends++
	return nil
}

type logReader struct {
	w  *world
	at int
}

func (r *logReader) Next(ctx context.Context) (queue.Report, error) {
	if r.at < len(r.w.log) {
		r.at++
		return decoded(r.w.log[r.at-1]), nil
	}
	<-ctx.Done()
	return queue.Report{}, ctx.Err()
}

// decoded is a report as a queue hands it over.
func decoded(rep queue.Report) queue.Report {
	var err error
	if rep.Done != nil {
		data := mustJSON(rep.Done)
		if rep.Done, err = schemas.DecodeDone(data); err != nil {
			rep.About = schemas.About(data)
		}
	}
	if rep.Dead != nil {
		rep.Dead, err = schemas.DecodeDead(mustJSON(rep.Dead))
	}
	rep.Refused = err
	return rep
}

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func (r *logReader) Close() { r.w.reports = nil }

// aggregate runs the aggregator over store.
func (w *world) aggregate(store blob.Store, change ...func(*Options)) (*stats.Summary, error) {
	opt := Options{Store: store, Broker: broker{w}, PartRows: 60, SortRows: 1000, Quiet: time.Millisecond, TempDir: w.t.TempDir(),
		layout: fastLayout}
	for _, f := range change {
		f(&opt)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return Run(ctx, opt)
}

// tableRows are the rows of a finished run, by table, in order.
type tableRows struct {
	pages     []schemas.Page
	documents []schemas.Document
	scores    []schemas.ScoreRow
	failures  []schemas.Failure
	texts     []schemas.Text
}

func (w *world) tables(store blob.Store) (out tableRows) {
	w.t.Helper()
	defer func() { // NaN is not equal to itself
		for i := range out.scores {
			if r := &out.scores[i]; r.Reason != "" {
				r.Precision, r.Recall, r.F1, r.Value, r.Coverage = -1, -1, -1, -1, -1
			}
		}
	}()
	files, err := store.List(context.Background(), "")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range files {
		out.pages = appendTable(w, store, columnar.PagesOf(&w.run.Recipe), f.Name, out.pages)
		out.documents = appendTable(w, store, columnar.DocumentsOf(&w.run.Recipe), f.Name, out.documents)
		out.scores = appendTable(w, store, columnar.Scores, f.Name, out.scores)
		out.texts = appendTable(w, store, columnar.TextsOf(&w.run.Recipe), f.Name, out.texts)
		if f.Name == schemas.FailuresFile {
			for row, err := range tables.Rows(context.Background(), store, columnar.Failures, f.Name) {
				if err != nil {
					w.t.Fatal(err)
				}
				out.failures = append(out.failures, *row)
			}
		}
	}
	return out
}

func appendTable[T any](w *world, store blob.Store, table *columnar.Table[T], name string, rows []T) []T {
	w.t.Helper()
	if !hasFolder(name, string(table.Name())) {
		return rows
	}
	for row, err := range tables.Rows(context.Background(), store, table, name) {
		if err != nil {
			w.t.Fatal(err)
		}
		rows = append(rows, *row)
	}
	return rows
}

func hasFolder(name, folder string) bool {
	return len(name) > len(folder) && name[:len(folder)+1] == folder+"/"
}

// names of a store's files.
func names(s *blobtest.Memory) []string { return slices.Sorted(maps.Keys(s.Files())) }

// to is where files are written.
func (w *world) to() blob.Store {
	if w.disk != nil {
		return w.disk
	}
	return w.store
}
