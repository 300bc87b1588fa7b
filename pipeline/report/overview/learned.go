package overview

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Values of TemplateRow.Status with which a site has a template.
const (
	statusOK    = "ok"
	statusEmpty = "empty"
)

// learned holds what the site-level extractors of a run learned, and what their
// templates removed from pages.
type learned struct {
	Sites   int64
	By      string // what a site is: "host", "domain" or "package"
	Methods []learnedMethod
	Removed []removal
	Note    string // why there are no figures of what was removed

	removals map[removalKey]*removal
}

// learnedMethod holds the figures of one learned method over all sites.
type learnedMethod struct {
	Name                                  string
	OK, Empty, TooFew, Failed, Oversize   int64 // sites by status
	Small, Truncated, Reused              int64 // templates by flag
	Largest                               int64 // bytes of the largest template
	pages, bytes, ns, templates, measured int64
}

// MeanPages, MeanBytes and MeanMS are means over the templates. MeanMS counts only
// templates that this run learned.
func (m *learnedMethod) MeanPages() float64 { return ratio(m.pages, m.templates) }
func (m *learnedMethod) MeanBytes() int64   { return m.bytes / max(m.templates, 1) }
func (m *learnedMethod) MeanMS() float64    { return ratio(m.ns, m.measured) / 1e6 }

func ratio(a, b int64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

type removalKey struct{ pkg, extractor string }

// removal holds what templates removed from the pages of a package.
type removal struct {
	Package, Extractor                string
	All                               bool // over all packages
	Pages, InSample, NoMatch, Without int64

	coverage float64
}

// Mean returns the mean share of a page's words.
func (r *removal) Mean() float64 { return r.coverage / float64(r.Pages) }

// readLearned counts the rows of the templates table.
func readLearned(ctx context.Context, store blob.Store, m *schemas.Manifest) (*learned, error) {
	l := &learned{Sites: m.Templates.Sites, By: m.Run.Recipe.SiteBy, removals: map[removalKey]*removal{}}
	at := map[string]int{}
	for row, err := range tables.TableRows(ctx, store, columnar.TemplateList, m) {
		if err != nil {
			return nil, err
		}
		i, known := at[row.Method]
		if !known {
			i = len(l.Methods)
			at[row.Method] = i
			l.Methods = append(l.Methods, learnedMethod{Name: row.Method})
		}
		l.Methods[i].add(row)
	}
	slices.SortFunc(l.Methods, func(a, b learnedMethod) int { return strings.Compare(a.Name, b.Name) })
	return l, nil
}

func (m *learnedMethod) add(row *schemas.TemplateRow) {
	switch row.Status {
	case statusOK:
		m.OK++
	case statusEmpty:
		m.Empty++
	case "too_few_pages":
		m.TooFew++
	case "learn_failed":
		m.Failed++
	case "oversize":
		m.Oversize++
	}
	if row.Status != statusOK && row.Status != statusEmpty {
		return
	}
	reused := false
	for flag := range strings.SplitSeq(row.Flags, ",") {
		switch flag {
		case "small_sample":
			m.Small++
		case algorithms.NoteTruncated:
			m.Truncated++
		case "reused":
			m.Reused++
			reused = true
		}
	}
	m.templates++
	m.pages += row.Pages
	m.bytes += row.Bytes
	m.Largest = max(m.Largest, row.Bytes)
	if !reused {
		m.ns += row.LearnNS
		m.measured++
	}
}

// add counts a row of the documents table.
func (l *learned) add(row *schemas.Document) {
	if row.TemplateMethod == "" {
		return
	}
	key := removalKey{row.Package, row.Extractor}
	r := l.removals[key]
	if r == nil {
		r = &removal{Package: row.Package, Extractor: row.Extractor}
		l.removals[key] = r
	}
	switch {
	case row.TemplateID == "":
		r.Without++
	case row.Outcome == "ok" || row.Outcome == "empty":
		r.Pages++
		r.coverage += row.Coverage
		if row.InSample {
			r.InSample++
		}
		if slices.Contains(strings.Split(row.Notes, ","), algorithms.NoteNoMatch) {
			r.NoMatch++
		}
	}
}

// removed computes the lines of the packages that are shown, and of all packages
// together if there are several.
func (l *learned) removed(shown []pkg) {
	place := map[string]int{}
	several := false
	for i := range shown {
		if shown[i].All {
			several = true
		} else {
			place[shown[i].Name] = i
		}
	}
	all := map[string]*removal{}
	var lines []*removal
	// The order of keys is fixed, because the sum of shares depends on the order of additions.
	for _, key := range slices.SortedFunc(maps.Keys(l.removals), func(a, b removalKey) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.extractor, b.extractor))
	}) {
		r := l.removals[key]
		if _, known := place[r.Package]; known {
			lines = append(lines, r)
		}
		sum := all[r.Extractor]
		if sum == nil {
			sum = &removal{Extractor: r.Extractor, All: true}
			all[r.Extractor] = sum
			if several {
				lines = append(lines, sum)
			}
		}
		sum.Pages, sum.InSample, sum.NoMatch = sum.Pages+r.Pages, sum.InSample+r.InSample, sum.NoMatch+r.NoMatch
		sum.Without, sum.coverage = sum.Without+r.Without, sum.coverage+r.coverage
	}
	slices.SortStableFunc(lines, func(a, b *removal) int {
		switch {
		case a.All != b.All && a.All:
			return -1
		case a.All != b.All:
			return 1
		}
		return cmp.Or(cmp.Compare(place[a.Package], place[b.Package]), strings.Compare(a.Extractor, b.Extractor))
	})
	for _, r := range lines {
		l.Removed = append(l.Removed, *r)
	}
}
