package serve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow/winnow/cmd/winnow/internal/inspector"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// pageIndex holds the data for lists of a run's pages: some 300 bytes a page and
// 5 bytes a page and extractor. The parts of a run are committed one after the other and
// do not change, so a run that goes on is followed by adding its new parts.
type pageIndex struct {
	store  blob.Store
	scorer schemas.Method // the scorer whose figures are held; without gold, the agreement with most others
	table  *columnar.Table[schemas.Page]
	title  int // index of the title among the facts of table, -1 if the run found no titles

	search search

	mu        sync.RWMutex // guards what follows
	m         *schemas.Manifest
	looked    time.Time        // when m was read
	parts     map[int]bool     // by Seq
	names     []string         // names of packages and of files
	named     map[string]int32 // indices of names
	pages     []indexed
	at        map[indexKey]int32
	extractor map[string]int // index into answers
	answers   []answers
}

// indexed is a page of the index.
type indexed struct {
	pkg, file      int32 // indices into names
	id, url, title string
	offset         int64
	ordinal        int32
	bytes          int64
}

type indexKey struct {
	pkg int32
	id  string
}

// answers holds the outcomes and the figures of one extractor, by page.
type answers struct {
	outcome []uint8 // indices into outcomeNames; 0 means unknown
	figure  []float32
}

var outcomeNames = []string{"", "ok", "empty", "skipped", "failed"}

// newPageIndex reads the tables of a run.
func newPageIndex(ctx context.Context, store blob.Store, m *schemas.Manifest) (*pageIndex, error) {
	x := &pageIndex{store: store, parts: map[int]bool{}, named: map[string]int32{}, at: map[indexKey]int32{}, extractor: map[string]int{}}
	for i, e := range m.Run.Recipe.Extractors {
		x.extractor[e.Name] = i
	}
	x.answers = make([]answers, len(m.Run.Recipe.Extractors))
	if x.scorer = m.Run.Recipe.DefaultScorer(); x.scorer.Name == "" {
		x.scorer.Name = inspector.Consensus
	}
	facts := m.Run.Recipe.PageColumns()
	x.title = slices.IndexFunc(facts, func(c schemas.FactColumn) bool { return c.Name == "title" })
	if x.title >= 0 {
		facts, x.title = facts[x.title:x.title+1], 0
	} else {
		facts = nil
	}
	x.table = columnar.PageColumns(facts, "package", "doc_id", "url", "file", "offset", "ordinal", "html_bytes")
	return x, x.follow(ctx, m)
}

// titleLength is how many characters of a title the index holds.
const titleLength = 120

// lookAgain is how often the manifest of a run that goes on is read.
const lookAgain = 2 * time.Second

// refresh adds what was committed since the last time, if the run goes on.
func (x *pageIndex) refresh(ctx context.Context) error {
	x.mu.RLock()
	current := !x.m.Finished.IsZero() || time.Since(x.looked) < lookAgain
	x.mu.RUnlock()
	if current {
		return nil
	}
	m, err := tables.Manifest(ctx, x.store)
	if err != nil {
		return err
	}
	return x.follow(ctx, m)
}

// follow adds the parts of a manifest that are new.
func (x *pageIndex) follow(ctx context.Context, m *schemas.Manifest) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range m.Parts {
		if p := &m.Parts[i]; !x.parts[p.Seq] {
			if err := x.add(ctx, p); err != nil {
				return err
			}
			x.parts[p.Seq] = true
		}
	}
	x.m, x.looked = m, time.Now()
	return nil
}

func (x *pageIndex) intern(name string) int32 {
	n, known := x.named[name]
	if !known {
		n = int32(len(x.names))
		name = strings.Clone(name)
		x.names, x.named[name] = append(x.names, name), n
	}
	return n
}

func (x *pageIndex) add(ctx context.Context, p *schemas.Part) error {
	for row, err := range tables.PartRows(ctx, x.store, x.table, p) {
		if err != nil {
			return err
		}
		e := indexed{pkg: x.intern(row.Package), file: x.intern(row.File), id: strings.Clone(row.DocID), url: strings.Clone(row.URL), offset: row.Offset, ordinal: row.Ordinal, bytes: row.HTMLBytes}
		if x.title >= 0 {
			e.title = strings.Clone(schemas.Shorten(row.Facts[x.title].Text, titleLength))
		}
		key := indexKey{e.pkg, e.id}
		if _, known := x.at[key]; known { // a part that was added in part, before an error
			continue
		}
		x.at[key] = int32(len(x.pages))
		x.pages = append(x.pages, e)
	}
	for i := range x.answers {
		a := &x.answers[i]
		for len(a.outcome) < len(x.pages) {
			a.outcome, a.figure = append(a.outcome, 0), append(a.figure, float32(math.NaN()))
		}
	}
	for row, err := range tables.PartRows(ctx, x.store, columnar.DocumentColumns(nil, "package", "doc_id", "extractor", "outcome", "consensus_f1"), p) {
		if err != nil {
			return err
		}
		if at, e, ok := x.answer(row.Package, row.DocID, row.Extractor); ok {
			x.answers[e].outcome[at] = uint8(max(0, slices.Index(outcomeNames, row.Outcome)))
			if x.scorer.Name == inspector.Consensus {
				x.answers[e].figure[at] = float32(row.ConsensusF1)
			}
		}
	}
	for row, err := range tables.PartRows(ctx, x.store, columnar.Scores, p) {
		if err != nil {
			return err
		}
		if row.Scorer != x.scorer.Name || row.Reason != "" {
			continue
		}
		if at, e, ok := x.answer(row.Package, row.DocID, row.Extractor); ok {
			x.answers[e].figure[at] = float32(row.Headline())
		}
	}
	return nil
}

// numberOf returns the number of a page. x.mu must be held.
func (x *pageIndex) numberOf(pkg, id string) (at int32, known bool) {
	if n, ok := x.named[pkg]; ok {
		at, known = x.at[indexKey{n, id}]
	}
	return at, known
}

// answer returns the number of a page and of an extractor.
func (x *pageIndex) answer(pkg, id, extractor string) (at int32, e int, ok bool) {
	if at, ok = x.numberOf(pkg, id); ok {
		e, ok = x.extractor[extractor]
	}
	return at, e, ok
}

// row returns the row of the table of pages as far as the index holds it.
func (x *pageIndex) row(pkg, id string) (schemas.Page, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	at, known := x.numberOf(pkg, id)
	if !known {
		return schemas.Page{}, false
	}
	e := &x.pages[at]
	return schemas.Page{Package: pkg, DocID: id, URL: e.url, File: x.names[e.file], Offset: e.offset, Ordinal: e.ordinal, HTMLBytes: e.bytes}, true
}

// query describes which pages are wanted.
type query struct {
	pkg, extractor, outcome string
	against                 string    // another extractor, whose figure is subtracted; empty for none
	found                   *findings // the pages that are wanted; nil for all
	from, to                float64   // bounds of the figure or the difference; NaN means no bound
	sort                    string    // "", "up" or "down", by the figure or the difference
	skip, most              int
}

// found is the result of a query.
type found struct {
	rows  []inspector.ListRow // some of the pages
	total int
	// won, lost and even count the pages on which the extractor has a better, a worse and
	// the same figure as the other one.
	won, lost, even int
}

// find returns some of the pages that a query wants, and how many there are.
func (x *pageIndex) find(q query) (f found) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	a := &x.answers[x.extractor[q.extractor]]
	var rival *answers
	if q.against != "" {
		rival = &x.answers[x.extractor[q.against]]
	}
	pkg, known := x.named[q.pkg]
	if q.pkg != "" && !known {
		return f
	}
	figure := func(i int32) float64 {
		if rival != nil {
			return float64(a.figure[i]) - float64(rival.figure[i])
		}
		return float64(a.figure[i])
	}
	outcome := uint8(max(0, slices.Index(outcomeNames, q.outcome)))
	var list []int32
	for i := range int32(len(x.pages)) {
		at := figure(i)
		switch {
		case q.pkg != "" && x.pages[i].pkg != pkg,
			outcome != 0 && a.outcome[i] != outcome,
			!math.IsNaN(q.from) && !(at >= q.from),
			!math.IsNaN(q.to) && !(at <= q.to),
			rival != nil && math.IsNaN(at),
			q.found != nil && !q.found.has(i):
			continue
		}
		list = append(list, i)
		switch {
		case rival == nil:
		case at == 0:
			f.even++
		case (at > 0) != x.scorer.Lower:
			f.won++
		default:
			f.lost++
		}
	}
	if q.sort == "up" || q.sort == "down" {
		slices.SortStableFunc(list, func(i, j int32) int {
			u, v := figure(i), figure(j)
			if math.IsNaN(u) || math.IsNaN(v) { // pages without a figure are last
				return -cmp.Compare(u, v)
			}
			if q.sort == "down" {
				u, v = v, u
			}
			return cmp.Compare(u, v)
		})
	}
	f.total = len(list)
	list = list[min(q.skip, len(list)):]
	for _, i := range list[:min(q.most, len(list))] {
		e := &x.pages[i]
		r := inspector.ListRow{Target: pageTarget(x.names[e.pkg], e.id, q.extractor, q.against), Package: x.names[e.pkg], ID: e.id, URL: e.url, Title: e.title, Bytes: e.bytes, Outcome: outcomeNames[a.outcome[i]], Figures: []string{formatFigure(float64(a.figure[i]))}}
		if rival != nil {
			r.Figures = append(r.Figures, formatFigure(float64(rival.figure[i])), formatFigure(figure(i)))
		}
		if q.found != nil {
			r.Found = q.found.excerpts[i]
		}
		f.rows = append(f.rows, r)
	}
	return f
}

// packages returns the names of the packages, at most as many as a browser can suggest.
func (x *pageIndex) packages() (names []string) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	seen := map[int32]bool{}
	for i := range x.pages {
		if p := x.pages[i].pkg; !seen[p] {
			seen[p] = true
			if names = append(names, x.names[p]); len(names) == 200 {
				break
			}
		}
	}
	slices.Sort(names)
	return names
}
