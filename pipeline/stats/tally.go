package stats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/schemas"
)

// Outcomes and reasons as the tables name them.
const (
	empty   = "empty"
	skipped = "skipped"
	failed  = "failed"
	noGold  = "no_gold"
)

// Tables are the rows of the two tables about packages.
type Tables struct {
	Packages []schemas.PackageRow // sorted by package, page type, extractor and scorer
	Speed    []schemas.SpeedRow   // sorted by package, page type and extractor
}

// Tally holds the figures from which Tables are computed. Tallies of
// different documents can be merged in any order, because they hold only counts,
// integer sums, sets of values and sketches of these.
type Tally struct {
	recipe      *schemas.Recipe
	kinds       map[string]kind // kinds of the scorers, by name
	extractions map[extraction]*extractionTally
	scorings    map[scoring]*scorerTally
	scorers     map[string]bool // names of the scorers in scorings
	costsKept   int             // see costs.kept

	// For the figures of groups (groups.go): the function that returns a document's
	// group, or nil for page types; the largest number of rows, or 0 for any number;
	// and the rows that are counted.
	grouped func(*schemas.Page) string
	most    int
	chosen  choice

	// The rows of a page are adjacent, so their keys are computed once per page.
	doc, url string
	key      drawn
}

// extraction is an extractor on a package, or on the pages of one type or group in it.
// scoring is an extraction and a scorer.
type extraction struct{ pkg, pageType, extractor string }

type scoring struct {
	extraction
	scorer string
}

func (e extraction) clone() extraction {
	return extraction{strings.Clone(e.pkg), strings.Clone(e.pageType), strings.Clone(e.extractor)}
}

// groups returns the extractions in which a document counts: that of its package and,
// if its type is known, that of its type. Pages without a known type count in their
// package only. A tally of groups counts a document in its group only.
func (t *Tally) groups(e extraction) (groups [2]extraction, n int) {
	if t.grouped != nil {
		return [2]extraction{e}, 1
	}
	all := e
	all.pageType = ""
	if e.pageType == "" {
		return [2]extraction{all}, 1
	}
	return [2]extraction{all, e}, 2
}

// extractionTally counts the documents of an extraction by outcome.
type extractionTally struct {
	documents, failures, empties, skipped int64
	noGold                                int64 // documents of pages without gold, which have no scores
	reasons                               map[string]int64
	nanos, total, bytes                   int64 // sums over the documents on which the extractor ran
	consensus                             exact // Document.ConsensusF1
	costs                                 costs // costs of the documents on which the extractor ran
}

// NewTally returns an empty tally for the tables of a run.
func NewTally(m *schemas.Manifest) *Tally {
	t := newTally(&m.Run.Recipe)
	t.costsKept = costsKeptFor(m)
	return t
}

func newTally(r *schemas.Recipe) *Tally {
	return &Tally{recipe: r, kinds: kindsOf(r), costsKept: costsKept, extractions: map[extraction]*extractionTally{}, scorings: map[scoring]*scorerTally{}, scorers: map[string]bool{}}
}

// document counts a row of the documents table with that of its page, and returns what
// is needed to count its scores.
func (t *Tally) document(r *schemas.Document, p *schemas.Page) scored {
	group := r.PageType
	if t.grouped != nil {
		group = t.grouped(p)
	}
	groups, n := t.groups(extraction{r.Package, group, r.Extractor})
	for _, key := range groups[:n] {
		e := t.extractions[key]
		if e == nil {
			e = &extractionTally{costs: costs{kept: t.costsKept}}
			t.extractions[key.clone()] = e
		}
		e.add(r)
	}
	if r.DocID != t.doc || r.URL != t.url || t.key == (drawn{}) {
		t.doc, t.url, t.key = strings.Clone(r.DocID), strings.Clone(r.URL), drawnBy(r)
	}
	return scored{outcome: r.Outcome, pageType: group, key: t.key}
}

// drawnBy returns the keys by which a document is drawn. Its site is the registered
// domain, however the run defines sites. A page whose address has no registered domain
// is drawn by itself.
func drawnBy(r *schemas.Document) drawn {
	page := documentKey(r.DocID)
	if domain := website.Domain(r.URL); domain != website.None {
		return drawn{page, mix(xxhash.Sum64String(domain))} // no document has this key
	}
	return drawn{page, page}
}

func documentKey(docID string) uint64 { return xxhash.Sum64String(docID) }

func (e *extractionTally) add(r *schemas.Document) {
	e.documents++
	if !r.HasGold {
		e.noGold++
	}
	if r.Outcome == failed || r.Outcome == skipped {
		account.AddMap(&e.reasons, map[string]int64{r.Reason: 1})
	}
	addKnown(&e.consensus, r.ConsensusF1)
	switch r.Outcome {
	case failed:
		e.failures++
	case empty:
		e.empties++
	case skipped:
		e.skipped++
		return // the extractor did not run
	}
	e.nanos += r.ExtractNS
	e.total += totalNS(r)
	e.bytes += r.HTMLBytes
	e.costs.add(r)
}

// totalNS returns the time from the bytes of a page to its text. It includes the
// parsing and the features that Winnow's own extractors share. A library parses the
// page itself, so its own time is the total.
func totalNS(r *schemas.Document) int64 {
	if r.Fidelity == string(algorithms.Wrapped) {
		return r.ExtractNS
	}
	return r.ParseNS + r.FeatureNS + r.ExtractNS
}

func addKnown(e *exact, v float64) {
	if !math.IsNaN(v) {
		e.add(fixed(v))
	}
}

func (e *extractionTally) merge(o *extractionTally) {
	e.documents += o.documents
	e.noGold += o.noGold
	e.failures += o.failures
	e.empties += o.empties
	e.skipped += o.skipped
	account.AddMap(&e.reasons, o.reasons)
	e.nanos += o.nanos
	e.total += o.total
	e.bytes += o.bytes
	e.costs.merge(&o.costs)
	e.consensus.merge(&o.consensus)
}

// score counts a row of the scores table. d holds the facts about its document.
func (t *Tally) score(r *schemas.ScoreRow, d *scored) {
	groups, n := t.groups(extraction{r.Package, d.pageType, r.Extractor})
	for _, group := range groups[:n] {
		key := scoring{group, r.Scorer}
		m := t.scorings[key]
		if m == nil {
			m = &scorerTally{kind: t.kinds[r.Scorer]}
			t.scorings[scoring{group.clone(), strings.Clone(r.Scorer)}] = m
			t.scorers[strings.Clone(r.Scorer)] = true
		}
		m.add(r, d)
	}
}

// Merge adds the documents of o. o must not be used afterwards.
func (t *Tally) Merge(o *Tally) {
	for key, e := range o.extractions {
		if mine := t.extractions[key]; mine == nil {
			t.extractions[key] = e
		} else {
			mine.merge(e)
		}
	}
	maps.Copy(t.scorers, o.scorers)
	for key, m := range o.scorings {
		if mine := t.scorings[key]; mine == nil {
			t.scorings[key] = m
		} else {
			mine.merge(m)
		}
	}
}

// check verifies that every document of an extraction, whose page has gold, is counted
// exactly once by each of its scorers.
func (t *Tally) check() error {
	for key, m := range t.scorings {
		documents := int64(0)
		if e := t.extractions[key.extraction]; e != nil {
			documents = e.documents - e.noGold
		}
		if n := m.main.n + m.noGold + m.unscored; n != documents {
			return fmt.Errorf("stats: package %s, extractor %s: %w: %d documents with gold, but %d scored, %d without the gold it needs and %d unscored by %s",
				key.pkg, key.extractor, account.ErrConservation, documents, m.main.n, m.noGold, m.unscored, key.scorer)
		}
	}
	for key, e := range t.extractions {
		if n := account.Sum(e.reasons); n != e.failures+e.skipped {
			return fmt.Errorf("stats: package %s, extractor %s: %w: %d documents failed and %d were skipped, for %d reasons",
				key.pkg, key.extractor, account.ErrConservation, e.failures, e.skipped, n)
		}
	}
	return nil
}

// Rows returns the rows of both tables. agreement must have got all rows of the
// agreement table. If it is nil, the agreement with other extractors is null.
func (t *Tally) Rows(run schemas.RunID, agreement *AgreementMeans) (Tables, error) {
	if err := t.check(); err != nil {
		return Tables{}, err
	}
	var means map[extraction]float64
	if agreement != nil {
		means = agreement.done()
	}
	return t.rows(run, means), nil
}

// rows returns the rows of both tables, given the mean agreement of extractions. If any
// page has gold, every extraction has a row of packages for each scorer, so that rows of
// several packages can be added up. Otherwise nothing is scored, and it has one row
// without a scorer.
func (t *Tally) rows(run schemas.RunID, agreement map[extraction]float64) Tables {
	scorers := slices.Sorted(maps.Keys(t.scorers))
	if len(scorers) == 0 {
		scorers = []string{""}
	}
	keys := slices.SortedFunc(maps.Keys(t.extractions), func(a, b extraction) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.pageType, b.pageType), cmp.Compare(a.extractor, b.extractor))
	})
	rows := Tables{make([]schemas.PackageRow, len(keys)*len(scorers)), make([]schemas.SpeedRow, len(keys))}
	var g errgroup.Group // the bootstrap uses all cores
	g.SetLimit(runtime.GOMAXPROCS(0))
	const chunk = 4 // extractions that share their draws
	for from := 0; from < len(keys); from += chunk {
		g.Go(func() error {
			return panics.Call(func() error {
				var d draws
				for i := from; i < min(from+chunk, len(keys)); i++ {
					speed := &rows.Speed[i]
					*speed = t.extractions[keys[i]].row(run, keys[i])
					speed.AgreeMean = math.NaN()
					if mean, known := agreement[keys[i]]; known {
						speed.AgreeMean = mean
					}
					for j, scorer := range scorers {
						rows.Packages[i*len(scorers)+j] = t.row(speed, scoring{keys[i], scorer}, &d)
					}
				}
				return nil
			})
		})
	}
	if err := g.Wait(); err != nil {
		panic(err) // the caller of Rows recovers it (package panics)
	}
	return rows
}

// row returns a row of packages, for an extraction with the given row of speed.
func (t *Tally) row(speed *schemas.SpeedRow, key scoring, d *draws) schemas.PackageRow {
	r := schemas.PackageRow{Run: speed.Run, Package: key.pkg, PageType: key.pageType, Extractor: key.extractor, Scorer: key.scorer,
		TrainedOn: t.recipe.TrainedOn(key.extractor, key.pkg), Bound: t.recipe.Bound(key.extractor)}
	ofExtraction(&r, speed)
	m := t.scorings[key]
	if m == nil {
		m = &scorerTally{kind: t.kinds[key.scorer]}
	}
	m.fill(&r, d)
	return r
}

// ofExtraction sets the columns of a row of packages that those of speed have too.
func ofExtraction(r *schemas.PackageRow, speed *schemas.SpeedRow) {
	r.Documents, r.Failures, r.Skipped = speed.Documents, speed.Failures, speed.Skipped
	r.SPerKB, r.MBPerS = speed.SPerKB, speed.MBPerS
}

// row returns the row of speed of an extraction.
func (e *extractionTally) row(run schemas.RunID, key extraction) schemas.SpeedRow {
	r := schemas.SpeedRow{Run: string(run), Package: key.pkg, PageType: key.pageType, Extractor: key.extractor,
		Documents: e.documents, Failures: e.failures, Empties: e.empties, Skipped: e.skipped, Reasons: joinReasons(e.reasons),
		HTMLBytes: e.bytes, ExtractNS: e.nanos, TotalNS: e.total, ConsensusF1: e.consensus.mean(),
		ExtractNSAt: e.costs.extract.percentiles(), TotalNSAt: e.costs.total.percentiles(),
		HTMLBytesAt: e.costs.html.percentiles(), TextCharsAt: e.costs.chars.percentiles()}
	throughput(&r)
	return r
}

func joinReasons(counts map[string]int64) string {
	var b strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%d", reason, counts[reason])
	}
	return b.String()
}

// throughput computes the throughput from a row's sums, in the units of the literature:
// 1 kB is 10^3 bytes, 1 MB 10^6.
func throughput(r *schemas.SpeedRow) {
	pages, kB, mB := float64(r.Documents-r.Skipped), float64(r.HTMLBytes)/1e3, float64(r.HTMLBytes)/1e6
	own, total := float64(r.ExtractNS)/1e9, float64(r.TotalNS)/1e9
	r.PagesPerS, r.SPerKB, r.MBPerS = ratio(pages, own), ratio(own, kB), ratio(mB, own)
	r.TotalPagesPerS, r.TotalMBPerS = ratio(pages, total), ratio(mB, total)
}

// ratio returns a/b, or NaN if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}
