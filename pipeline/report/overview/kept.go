package overview

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// kept tells how much of the pages one extractor kept, which is the result of a run without
// gold.
type kept struct {
	Extractor string
	// Before is the extractor whose text is beside the kept one: plain, which keeps the
	// whole text of a page, if it was run.
	Before     string
	Groups     []groups
	Filtered   bool // texts were left out by the run's filter
	Confident  bool // the extractor tells its confidence
	All        group
	Duplicates int64 // texts that an earlier page has as well
	Hashed     int64 // texts that were compared to find duplicates
	Samples    []sample

	lengths  lengths
	hashes   map[uint64]bool
	random   *stats.Lowest
	language func(*schemas.Page) string
	pageType int // index of the fact "type"; -1 if it was not asked for
}

// groups divide the pages by a property.
type groups struct {
	By   string
	Rows []group
	More int // groups that are not shown

	byName map[string]*group
}

// group counts pages that have something in common.
type group struct {
	Name string
	stats.Kept
}

// MeanChars returns the mean length of a text, and Share the characters of text by byte of
// HTML.
func (g *group) MeanChars() float64 { return ratio(g.Chars, g.Found) }
func (g *group) Share() float64     { return ratio(g.Chars, g.HTMLBytes) }

// P05, P50 and P95 are percentiles of the length of texts.
func (k *kept) P05() float64 { return k.lengths.at(0.05) }
func (k *kept) P50() float64 { return k.lengths.at(0.5) }
func (k *kept) P95() float64 { return k.lengths.at(0.95) }

// sample is a page with its text before and after extraction.
type sample struct {
	stats.Page
	Before, After string
}

const (
	samplesShown = 10
	sampleLength = 700 // bytes of a text
	groupsShown  = 12
	// maxNames bounds the names that are counted by themselves, because a crawl may have
	// millions of sites.
	maxNames   = 100_000
	maxHashes  = 1 << 20
	otherNames = "(others)"
)

// newKept returns what is known about a run before its documents are read.
func newKept(r *schemas.Recipe) *kept {
	k := &kept{Extractor: stats.KeptBy(r), hashes: map[uint64]bool{}, random: stats.NewLowest(samplesShown), language: stats.LanguageOf(r), Filtered: r.Keep != "",
		pageType: slices.IndexFunc(r.PageColumns(), func(c schemas.FactColumn) bool { return c.Name == "type" }),
		Groups:   []groups{{By: "site"}, {By: "language"}, {By: "type"}}}
	if slices.ContainsFunc(r.Extractors, func(e schemas.Method) bool { return e.Name == stats.WholeText }) {
		k.Before = stats.WholeText
	}
	for i := range k.Groups {
		k.Groups[i].byName = map[string]*group{}
	}
	return k
}

// add counts a row of the extractor.
func (k *kept) add(row stats.Document) {
	if row.Extractor != k.Extractor {
		return
	}
	pageType := row.Page.PageType
	if pageType == "" && k.pageType >= 0 && k.pageType < len(row.Page.Facts) {
		pageType = row.Page.Facts[k.pageType].Text
	}
	for _, g := range []*group{&k.All, k.Groups[0].of(row.Page.Site), k.Groups[1].of(k.language(row.Page)), k.Groups[2].of(pageType)} {
		g.Add(row.Document)
	}
	if row.Outcome != string(algorithms.OK) {
		return
	}
	k.lengths.add(row.TextChars)
	if len(k.hashes) < maxHashes {
		k.Hashed++
		if k.hashes[row.TextHash] {
			k.Duplicates++
		}
		k.hashes[row.TextHash] = true
	}
	// The hash of its name chooses a page at random, and in every report the same.
	k.random.Add(stats.Page{Package: strings.Clone(row.Package), DocID: strings.Clone(row.DocID), URL: strings.Clone(row.URL), Bytes: row.HTMLBytes, Figure: float64(xxhash.Sum64String(row.Package + "\x00" + row.DocID))})
}

func (g *groups) of(name string) *group {
	name = cmp.Or(name, "(unknown)")
	if g.byName[name] == nil && len(g.byName) >= maxNames {
		name = otherNames
	}
	if g.byName[name] == nil {
		name = strings.Clone(name)
		g.byName[name] = &group{Name: name}
	}
	return g.byName[name]
}

// finish orders the groups and reads the texts of the samples.
func (k *kept) finish(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options) error {
	k.Confident = !math.IsNaN(k.All.Confidence())
	k.Groups = slices.DeleteFunc(k.Groups, func(g groups) bool { return len(g.byName) == 1 && g.byName["(unknown)"] != nil })
	for i := range k.Groups {
		g := &k.Groups[i]
		for _, row := range g.byName {
			g.Rows = append(g.Rows, *row)
		}
		slices.SortFunc(g.Rows, func(a, b group) int { return cmp.Or(cmp.Compare(b.Pages, a.Pages), strings.Compare(a.Name, b.Name)) })
		g.More = max(0, len(g.Rows)-groupsShown)
		g.Rows = g.Rows[:len(g.Rows)-g.More]
	}
	wanted := map[[2]string]*sample{}
	for _, p := range k.random.Pages() {
		k.Samples = append(k.Samples, sample{Page: p})
	}
	for i := range k.Samples {
		wanted[[2]string{k.Samples[i].Package, k.Samples[i].DocID}] = &k.Samples[i]
	}
	found := false
	files := m.FilesOf(schemas.TableTexts)
	if bulk := m.Run.Recipe.Bulk; bulk != nil && len(bulk.Fields) > 0 {
		files = nil // they may not name their pages
	}
	sampled := func(row *schemas.Text) bool { return wanted[[2]string{row.Package, row.DocID}] != nil }
	for _, file := range files {
		for row, err := range tables.Texts(ctx, store, file, sampled) {
			if err != nil {
				return err
			}
			switch s := wanted[[2]string{row.Package, row.DocID}]; {
			case row.Extractor == k.Extractor:
				s.After, found = clean(schemas.Shorten(strings.Join(strings.Fields(row.Text), " "), sampleLength)), true
			case row.Extractor == k.Before:
				s.Before = clean(schemas.Shorten(strings.Join(strings.Fields(row.Text), " "), sampleLength))
			}
		}
	}
	if !found {
		k.Samples = nil
	}
	return nil
}

// lengths is a histogram of lengths with buckets 2 % wide.
type lengths struct {
	buckets []int64
	n       int64
}

// bucketsPerE is the number of buckets for a factor of e.
const bucketsPerE = 50

func (l *lengths) add(chars int64) {
	k := int(math.Log(float64(max(chars, 1))) * bucketsPerE)
	if k >= len(l.buckets) {
		l.buckets = append(l.buckets, make([]int64, k+1-len(l.buckets))...)
	}
	l.buckets[k]++
	l.n++
}

// at returns the length that a share of the pages do not exceed.
func (l *lengths) at(share float64) float64 {
	rank, count := int64(math.Ceil(share*float64(l.n))), int64(0)
	for k, n := range l.buckets {
		if count += n; count >= rank {
			return math.Exp((float64(k) + 0.5) / bucketsPerE)
		}
	}
	return math.NaN()
}
