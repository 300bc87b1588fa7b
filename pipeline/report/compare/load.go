package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// missing is the value of a document for which an extractor has no score.
var missing = math.NaN()

// unanswered is the value of a document whose extraction did not finish. The documents
// table reports whether it failed, which counts as 0, or was skipped, which becomes
// missing.
var unanswered = math.Inf(-1)

// gathered is the matrix of one package and scorer.
type gathered struct {
	pkg, scorer string
	lower       bool        // smaller values are better
	mean        string      // schemas.Method.Mean
	extractors  []string    // first in order of appearance; finish sorts them
	values      [][]float64 // by extractor, by document
	// precision and recall have the same form. They are nil unless the scorer's package
	// figure is computed from means over the documents that define them
	// (algorithms.F1OfDefined).
	precision, recall [][]float64
}

// ofDefined reports whether the scorer has that figure.
func (t *gathered) ofDefined() bool { return t.mean == string(algorithms.F1OfDefined) }

// matrices returns the matrices that the scorer has. The first one is values.
func (t *gathered) matrices() []*[][]float64 {
	if !t.ofDefined() {
		return []*[][]float64{&t.values}
	}
	return []*[][]float64{&t.values, &t.precision, &t.recall}
}

// pages holds the documents of one package that have gold.
type pages struct {
	index map[string]int // by document id
	ids   []string
	site  []string
	group []string // group of each document, if groups are compared
}

// pagesKey identifies a package, or a group in it. tableKey adds a scorer.
type pagesKey struct{ pkg, group string }

type tableKey struct{ pkg, scorer, group string }

func (k tableKey) pages() pagesKey { return pagesKey{k.pkg, k.group} }

// load reads the committed score and document parts of a run.
func load(ctx context.Context, store blob.Store, manifest *schemas.Manifest, o Options) (map[tableKey]*gathered, map[pagesKey]*pages, error) {
	var grouper *stats.Grouper
	if o.By != "" {
		var err error
		if grouper, err = tables.NewGrouper(ctx, store, manifest, o.By); err != nil {
			return nil, nil, err
		}
	}
	byTable := map[tableKey]*gathered{}
	documents := map[pagesKey]*pages{}
	scorers := map[string]schemas.Method{}
	for _, m := range manifest.Run.Recipe.Scorers {
		scorers[m.Name] = m
	}
	// The other columns would slow the reading down.
	scores := columnar.ScoreColumns("package", "doc_id", "extractor", "scorer", "reason", "precision", "recall", "f1", "value", "p_undefined", "r_undefined")
	answers := columnar.DocumentColumns(nil, "package", "doc_id", "url", "extractor", "outcome")
	for row, err := range tables.TableRows(ctx, store, scores, manifest) {
		if err == nil {
			err = add(byTable, documents, row, scorers[row.Scorer], o)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for row, err := range tables.TableRows(ctx, store, answers, manifest) {
		if err != nil {
			return nil, nil, err
		}
		settle(byTable, documents, row)
	}
	if grouper != nil {
		for row, err := range tables.TableRows(ctx, store, tables.PageColumns(&manifest.Run.Recipe, o.By), manifest) {
			if err != nil {
				return nil, nil, err
			}
			assign(documents, row, grouper)
		}
	}
	for _, t := range byTable {
		t.finish(len(documents[pagesKey{pkg: t.pkg}].site))
	}
	if grouper != nil {
		byTable, documents = part(byTable, documents)
	}
	return byTable, documents, nil
}

// add adds a row of scores by scorer m.
func add(byTable map[tableKey]*gathered, documents map[pagesKey]*pages, row *schemas.ScoreRow, m schemas.Method, o Options) error {
	if !wanted(o.Packages, row.Package) || !wanted(o.Scorers, row.Scorer) ||
		row.Reason == string(algorithms.ReasonNoGold) || o.Want != nil && !o.Want(row.Package, row.Scorer) {
		return nil
	}
	value := row.F1
	if m.Mean == string(algorithms.MeanValue) {
		value = row.Value // the scorer does not compute an F1
	}
	precision, recall := row.Precision, row.Recall
	if row.PUndefined {
		precision = missing
	}
	if row.RUndefined {
		recall = missing
	}
	switch row.Reason {
	case "":
	case string(algorithms.ReasonNoAnswer):
		value, precision, recall = unanswered, missing, 0 // a failed extraction found nothing
	default:
		return nil // the scorer has no value here
	}
	p := documents[pagesKey{pkg: row.Package}]
	if p == nil {
		p = &pages{index: map[string]int{}}
		documents[pagesKey{pkg: row.Package}] = p
	}
	at, known := p.index[row.DocID]
	if !known {
		if at = len(p.site); o.MaxDocuments > 0 && at >= o.MaxDocuments {
			return fmt.Errorf("compare: package %s has more than %d pages with gold: raise the limit or choose a package", row.Package, o.MaxDocuments)
		}
		p.index[row.DocID] = at
		p.ids = append(p.ids, row.DocID)
		p.site, p.group = append(p.site, ""), append(p.group, stats.NoGroup)
	}
	key := tableKey{pkg: row.Package, scorer: row.Scorer}
	t := byTable[key]
	if t == nil {
		t = &gathered{pkg: row.Package, scorer: row.Scorer, lower: m.Lower, mean: m.Mean}
		byTable[key] = t
	}
	t.set(row.Extractor, at, value, precision, recall)
	return nil
}

type headlineKey struct {
	tableKey
	extractor string
}

// published returns the headline figures of the package table. A run that has not ended
// has no such table yet. The figures of groups are computed.
func published(ctx context.Context, store blob.Store, manifest *schemas.Manifest, o Options) (map[headlineKey]float64, error) {
	out := map[headlineKey]float64{}
	if o.By != "" {
		groups, err := tables.Groups(ctx, store, manifest, stats.GroupOptions{By: o.By, Packages: o.Packages, Scorers: o.Scorers})
		if err != nil {
			return nil, err
		}
		for i := range groups {
			if g := &groups[i]; !math.IsNaN(g.Row.Headline) {
				out[headlineKey{tableKey{g.Row.Package, g.Row.Scorer, g.Key}, g.Row.Extractor}] = g.Row.Headline
			}
		}
		return out, nil
	}
	columns := columnar.PackageColumns("package", "page_type", "extractor", "scorer", "headline")
	for row, err := range tables.Rows(ctx, store, columns, schemas.PackagesFile) {
		if errors.Is(err, blob.ErrNotFound) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if row.PageType == "" && !math.IsNaN(row.Headline) {
			out[headlineKey{tableKey{pkg: row.Package, scorer: row.Scorer}, row.Extractor}] = row.Headline
		}
	}
	return out, nil
}

func wanted(list []string, name string) bool {
	return len(list) == 0 || slices.Contains(list, name)
}

// set sets the figures of a document in the scorer's matrices, and extends these with
// missing values up to the document.
func (t *gathered) set(extractor string, document int, of ...float64) {
	m := slices.Index(t.extractors, extractor)
	if m < 0 {
		m = len(t.extractors)
		t.extractors = append(t.extractors, extractor)
	}
	for i, matrix := range t.matrices() {
		for len(*matrix) <= m {
			*matrix = append(*matrix, nil)
		}
		row := &(*matrix)[m]
		for len(*row) <= document {
			*row = append(*row, missing)
		}
		(*row)[document] = of[i]
	}
}

// assign notes the group of a page that has scores.
func assign(documents map[pagesKey]*pages, row *schemas.Page, grouper *stats.Grouper) {
	if p := documents[pagesKey{pkg: row.Package}]; p != nil {
		if at, known := p.index[row.DocID]; known {
			p.group[at] = strings.Clone(grouper.Of(row))
		}
	}
}

// settle reads facts from a row of documents that rows of scores do not have: the
// page's site, and whether an extraction without an answer failed or was skipped.
func settle(byTable map[tableKey]*gathered, documents map[pagesKey]*pages, row *schemas.Document) {
	p := documents[pagesKey{pkg: row.Package}]
	if p == nil {
		return
	}
	at, known := p.index[row.DocID]
	if !known {
		return
	}
	// Every extractor has a row for the page, and all these rows have the same address.
	if p.site[at] == "" {
		if domain := website.Domain(row.URL); domain != website.None {
			p.site[at] = domain
		}
	}
	if row.Outcome != string(algorithms.Failed) && row.Outcome != string(algorithms.Skipped) {
		return
	}
	for _, t := range byTable {
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

// finish makes all rows of the matrices equally long and sorts the extractors, so
// that nothing depends on the order in which parts were read.
func (t *gathered) finish(documents int) {
	order := make([]int, len(t.extractors))
	for i := range order {
		order[i] = i
		for _, matrix := range t.matrices() {
			for len((*matrix)[i]) < documents {
				(*matrix)[i] = append((*matrix)[i], missing)
			}
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(t.extractors[a], t.extractors[b]) })
	t.keep(order)
}

// keep reduces the matrices to the extractors with the given indices.
func (t *gathered) keep(places []int) {
	kept := make([]string, len(places))
	for i, m := range places {
		kept[i] = t.extractors[m]
	}
	t.extractors = kept
	for _, matrix := range t.matrices() {
		rows := make([][]float64, len(places))
		for i, m := range places {
			rows[i] = (*matrix)[m]
		}
		*matrix = rows
	}
}

// clusters returns the number of the cluster of each document. The documents of a
// cluster are resampled together. They are the documents of a site. If all documents
// are of one site, each document is a cluster of its own, because one cluster has no
// spread. A page without a known site is a cluster of its own. count is the number
// of sites.
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
