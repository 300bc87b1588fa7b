package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/aggregate"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// missing marks a document that an extractor has no score for.
var missing = math.NaN()

// unanswered marks one whose extraction did not finish: 0 if it failed, missing
// if it was skipped; the documents table knows which.
var unanswered = math.Inf(-1)

// gathered is the matrix of one package and measure.
type gathered struct {
	pkg, scorer string
	extractors  []string    // in order of appearance, later sorted
	values      [][]float64 // by extractor, by document
}

// pages are the documents of one package that have gold.
type pages struct {
	index map[string]int // by document id
	site  []string
}

type tableKey struct{ pkg, scorer string }

// load reads the committed score and document parts of a run.
func load(ctx context.Context, store blob.Store, o Options) (map[tableKey]*gathered, map[string]*pages, error) {
	manifest, err := aggregate.LoadManifest(ctx, store)
	if err != nil {
		return nil, nil, err
	}
	tables := map[tableKey]*gathered{}
	documents := map[string]*pages{}
	for _, file := range manifest.FilesOf(schemas.TableScores) {
		for row, err := range aggregate.FileRows(ctx, store, columnar.Scores, file) {
			if err != nil {
				return nil, nil, err
			}
			if err := add(tables, documents, row, o); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, file := range manifest.FilesOf(schemas.TableDocuments) {
		for row, err := range aggregate.FileRows(ctx, store, columnar.Documents, file) {
			if err != nil {
				return nil, nil, err
			}
			settle(tables, documents, row)
		}
	}
	for _, t := range tables {
		t.finish(len(documents[t.pkg].site))
	}
	return tables, documents, nil
}

func add(tables map[tableKey]*gathered, documents map[string]*pages, row *schemas.ScoreRow, o Options) error {
	if !wanted(o.Packages, row.Package) || !wanted(o.Scorers, row.Scorer) ||
		row.Reason == string(algorithms.ReasonNoGold) {
		return nil
	}
	value := row.F1
	switch row.Reason {
	case "":
	case string(algorithms.ReasonNoAnswer):
		value = unanswered
	default:
		return nil // the measure has no value here
	}
	p := documents[row.Package]
	if p == nil {
		p = &pages{index: map[string]int{}}
		documents[row.Package] = p
	}
	at, known := p.index[row.DocID]
	if !known {
		if at = len(p.site); at >= o.MaxDocuments {
			return fmt.Errorf("compare: package %s has more than %d pages with gold: raise the limit or choose a package", row.Package, o.MaxDocuments)
		}
		p.index[row.DocID] = at
		p.site = append(p.site, "")
	}
	key := tableKey{row.Package, row.Scorer}
	t := tables[key]
	if t == nil {
		t = &gathered{pkg: row.Package, scorer: row.Scorer}
		tables[key] = t
	}
	t.set(row.Extractor, at, value)
	return nil
}

func wanted(list []string, name string) bool {
	return len(list) == 0 || slices.Contains(list, name)
}

// set writes a value, growing the matrix with missing ones.
func (t *gathered) set(extractor string, document int, value float64) {
	m := slices.Index(t.extractors, extractor)
	if m < 0 {
		m = len(t.extractors)
		t.extractors = append(t.extractors, extractor)
		t.values = append(t.values, nil)
	}
	for len(t.values[m]) <= document {
		t.values[m] = append(t.values[m], missing)
	}
	t.values[m][document] = value
}

// settle takes from a document row what scores do not say: the page's site,
// and whether an extraction without an answer failed or was skipped.
func settle(tables map[tableKey]*gathered, documents map[string]*pages, row *schemas.Document) {
	p := documents[row.Package]
	if p == nil {
		return
	}
	at, known := p.index[row.DocID]
	if !known {
		return
	}
	if strings.HasPrefix(row.URL, "http") {
		p.site[at] = row.Site // pages without an address of the web have no site, only a package
	}
	if row.Outcome != string(algorithms.Failed) && row.Outcome != string(algorithms.Skipped) {
		return
	}
	for _, t := range tables {
		if t.pkg != row.Package {
			continue
		}
		m := slices.Index(t.extractors, row.Extractor)
		if m < 0 || at >= len(t.values[m]) || t.values[m][at] != unanswered {
			continue
		}
		if row.Outcome == string(algorithms.Failed) {
			t.values[m][at] = 0
		} else {
			t.values[m][at] = missing
		}
	}
}

// finish makes all rows of the matrix equally long and sorts the extractors, so
// that nothing depends on the order in which parts were read.
func (t *gathered) finish(documents int) {
	order := make([]int, len(t.extractors))
	for i := range order {
		order[i] = i
		for len(t.values[i]) < documents {
			t.values[i] = append(t.values[i], missing)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if t.extractors[a] < t.extractors[b] {
			return -1
		}
		return 1
	})
	extractors, values := make([]string, len(order)), make([][]float64, len(order))
	for i, k := range order {
		extractors[i], values[i] = t.extractors[k], t.values[k]
	}
	t.extractors, t.values = extractors, values
}

// clusters numbers what is resampled together: the sites of the documents at the
// given places, or each document where all are of one site, since one cluster has
// no spread (spec scorers 15.4). A page of no known site stands alone. Count is
// the number of sites.
func clusters(sites []string, places []int) (numbers []int, count int) {
	known := map[string]int{}
	for _, at := range places {
		site := sites[at]
		n, ok := known[site]
		if !ok || site == "" {
			n = count
			count++
			known[site] = n
		}
		numbers = append(numbers, n)
	}
	if count == 1 {
		for i := range numbers {
			numbers[i] = i
		}
	}
	return numbers, count
}
