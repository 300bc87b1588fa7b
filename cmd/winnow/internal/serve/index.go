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

// pageIndex holds what a search over the pages of a run needs: some 200 bytes a page and
// 5 bytes a page and extractor. The parts of a run are committed one after the other and
// do not change, so a run that goes on is followed by adding its new parts.
type pageIndex struct {
	store  blob.Store
	scorer schemas.Method // whose figures are held; no name if there is none

	mu        sync.RWMutex // guards what follows
	m         *schemas.Manifest
	looked    time.Time    // when m was read
	parts     map[int]bool // by Seq
	names     []string     // of packages and of files
	number    map[string]int32
	pages     []indexed
	at        map[indexKey]int32
	extractor map[string]int // index into answers
	answers   []answers
}

// indexed is a page of the index.
type indexed struct {
	pkg, file int32 // into names
	id, url   string
	offset    int64
	ordinal   int32
	bytes     int64
}

type indexKey struct {
	pkg int32
	id  string
}

// answers holds the outcomes and the figures of one extractor, by page.
type answers struct {
	outcome []uint8 // into outcomeNames; 0 is unknown
	figure  []float32
}

var outcomeNames = []string{"", "ok", "empty", "skipped", "failed"}

// newPageIndex reads the tables of a run.
func newPageIndex(ctx context.Context, store blob.Store, m *schemas.Manifest) (*pageIndex, error) {
	x := &pageIndex{store: store, parts: map[int]bool{}, number: map[string]int32{}, at: map[indexKey]int32{}, extractor: map[string]int{}}
	for i, e := range m.Run.Recipe.Extractors {
		x.extractor[e.Name] = i
	}
	x.answers = make([]answers, len(m.Run.Recipe.Extractors))
	x.scorer = m.Run.Recipe.DefaultScorer()
	return x, x.follow(ctx, m)
}

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
	n, known := x.number[name]
	if !known {
		n = int32(len(x.names))
		name = strings.Clone(name)
		x.names, x.number[name] = append(x.names, name), n
	}
	return n
}

func (x *pageIndex) add(ctx context.Context, p *schemas.Part) error {
	for row, err := range tables.PartRows(ctx, x.store, columnar.Pages, p) {
		if err != nil {
			return err
		}
		e := indexed{pkg: x.intern(row.Package), file: x.intern(row.File), id: strings.Clone(row.DocID), url: strings.Clone(row.URL), offset: row.Offset, ordinal: row.Ordinal, bytes: row.HTMLBytes}
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
	for row, err := range tables.PartRows(ctx, x.store, columnar.Documents, p) {
		if err != nil {
			return err
		}
		if at, e, ok := x.answer(row.Package, row.DocID, row.Extractor); ok {
			x.answers[e].outcome[at] = uint8(max(0, slices.Index(outcomeNames, row.Outcome)))
		}
	}
	if x.scorer.Name == "" {
		return nil
	}
	for row, err := range tables.PartRows(ctx, x.store, columnar.Scores, p) {
		if err != nil {
			return err
		}
		if row.Scorer != x.scorer.Name || row.Reason != "" {
			continue
		}
		if at, e, ok := x.answer(row.Package, row.DocID, row.Extractor); ok {
			figure := row.F1
			if math.IsNaN(figure) {
				figure = row.Value
			}
			x.answers[e].figure[at] = float32(figure)
		}
	}
	return nil
}

// answer returns the number of a page and of an extractor.
func (x *pageIndex) answer(pkg, id, extractor string) (at int32, e int, ok bool) {
	n, ok := x.number[pkg]
	if !ok {
		return 0, 0, false
	}
	if at, ok = x.at[indexKey{n, id}]; ok {
		e, ok = x.extractor[extractor]
	}
	return at, e, ok
}

// row returns the row of the table of pages as far as the index holds it.
func (x *pageIndex) row(pkg, id string) (schemas.Page, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n, known := x.number[pkg]
	if !known {
		return schemas.Page{}, false
	}
	at, known := x.at[indexKey{n, id}]
	if !known {
		return schemas.Page{}, false
	}
	e := &x.pages[at]
	return schemas.Page{Package: pkg, DocID: id, URL: e.url, File: x.names[e.file], Offset: e.offset, Ordinal: e.ordinal, HTMLBytes: e.bytes}, true
}

// query says which pages are wanted.
type query struct {
	text, pkg, extractor, outcome string
	from, to                      float64 // of the figure; NaN is no bound
	sort                          string  // "", "up" or "down", by the figure
	skip, most                    int
}

// find returns some of the pages that a query wants, and how many there are.
func (x *pageIndex) find(q query) (rows []inspector.ListRow, total int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	a := &x.answers[x.extractor[q.extractor]]
	text := strings.ToLower(q.text)
	pkg, known := x.number[q.pkg]
	if q.pkg != "" && !known {
		return nil, 0
	}
	outcome := uint8(max(0, slices.Index(outcomeNames, q.outcome)))
	var found []int32
	for i := range x.pages {
		e := &x.pages[i]
		figure := float64(a.figure[i])
		switch {
		case q.pkg != "" && e.pkg != pkg,
			outcome != 0 && a.outcome[i] != outcome,
			!math.IsNaN(q.from) && !(figure >= q.from),
			!math.IsNaN(q.to) && !(figure <= q.to),
			text != "" && !strings.Contains(strings.ToLower(e.id), text) && !strings.Contains(strings.ToLower(e.url), text):
			continue
		}
		found = append(found, int32(i))
	}
	if q.sort == "up" || q.sort == "down" {
		slices.SortStableFunc(found, func(i, j int32) int {
			u, v := float64(a.figure[i]), float64(a.figure[j])
			if math.IsNaN(u) || math.IsNaN(v) { // pages without a figure are last
				return -cmp.Compare(u, v)
			}
			if q.sort == "down" {
				u, v = v, u
			}
			return cmp.Compare(u, v)
		})
	}
	total = len(found)
	found = found[min(q.skip, len(found)):]
	for _, i := range found[:min(q.most, len(found))] {
		e := &x.pages[i]
		r := inspector.ListRow{Target: pageTarget(x.names[e.pkg], e.id, q.extractor), Package: x.names[e.pkg], ID: e.id, URL: e.url, Bytes: e.bytes, Outcome: outcomeNames[a.outcome[i]]}
		if f := float64(a.figure[i]); !math.IsNaN(f) {
			r.FigureOf = formatFigure(f)
		}
		rows = append(rows, r)
	}
	return rows, total
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
