package overview

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/figure"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// pagesEach is the number of worst and of most disputed pages of each extractor.
const pagesEach = 10

// worst lists the pages that an extractor did worst on.
type worst struct {
	Extractor string
	Scorer    string       // by which; "" for disputed pages
	Pages     []stats.Page // the worst first
	More      int64
}

// readWorst finds the pages with the worst scores of each extractor, by the scorer that
// ranks. Their addresses are not in the scores; documents fills them in.
func (v *view) readWorst(ctx context.Context, store blob.Store, m *schemas.Manifest, o *Options) error {
	if v.Scorer.Name == "" || v.Pages*int64(len(m.Run.Recipe.Extractors))*int64(len(v.Scorers)) > o.Rows {
		return nil
	}
	by := map[string]*stats.Lowest{}
	hasF1 := v.Scorer.Mean != string(algorithms.MeanValue)
	columns := columnar.ScoreColumns("package", "doc_id", "extractor", "scorer", "reason", "f1", "value")
	for _, file := range m.FilesOf(schemas.TableScores) {
		for row, err := range tables.Rows(ctx, store, columns, file) {
			if err != nil {
				return err
			}
			if row.Scorer != v.Scorer.Name || row.Reason != "" {
				continue
			}
			figure := row.F1
			if !hasF1 {
				figure = row.Value
			}
			if math.IsNaN(figure) {
				continue
			}
			if v.Scorer.Lower {
				figure = -figure
			}
			l := by[row.Extractor]
			if l == nil {
				l = stats.NewLowest(pagesEach)
				by[strings.Clone(row.Extractor)] = l
			}
			l.Add(stats.Page{Package: row.Package, DocID: row.DocID, Figure: figure})
		}
	}
	for _, e := range m.Run.Recipe.Extractors {
		l := by[e.Name]
		if l == nil {
			continue
		}
		w := worst{Extractor: e.Name, Scorer: v.Scorer.Name, Pages: l.Pages(), More: l.More()}
		for i := range w.Pages {
			if v.Scorer.Lower {
				w.Pages[i].Figure = -w.Pages[i].Figure
			}
		}
		v.Worst = append(v.Worst, w)
	}
	return nil
}

// seen collects what the page shows of the documents of a run: it is given every row of
// the documents table, in which the rows of a page follow each other.
type seen struct {
	disputed map[string]*stats.Lowest
	lengths  map[string]*lengths
	hosts    *outcomes
	langs    *outcomes
	slowest  *stats.Lowest
	page     stats.Page // the present one, with the time spent so far
	wanted   map[[2]string][]*stats.Page
	language func(*schemas.Page) string
}

func (v *view) newSeen(o *Options) *seen {
	s := &seen{disputed: map[string]*stats.Lowest{}, lengths: map[string]*lengths{}, hosts: newOutcomes(), langs: newOutcomes(), language: stats.LanguageOf(&v.Run.Recipe),
		slowest: stats.NewLowest(o.Pages), wanted: map[[2]string][]*stats.Page{}}
	for i := range v.Worst {
		for k := range v.Worst[i].Pages {
			p := &v.Worst[i].Pages[k]
			key := [2]string{p.Package, p.DocID}
			s.wanted[key] = append(s.wanted[key], p)
		}
	}
	return s
}

func (s *seen) add(row stats.Document) {
	if row.Package != s.page.Package || row.DocID != s.page.DocID {
		s.finishPage()
		s.page = stats.Page{Package: strings.Clone(row.Package), DocID: strings.Clone(row.DocID), URL: strings.Clone(row.URL), Bytes: row.HTMLBytes, Figure: -float64(row.ParseNS + row.FeatureNS)}
		for _, p := range s.wanted[[2]string{row.Package, row.DocID}] {
			p.URL, p.Bytes = s.page.URL, row.HTMLBytes
		}
	}
	s.page.Figure -= float64(row.ExtractNS)
	s.hosts.add(cmp.Or(row.Page.Site, "(unknown)"), row.Outcome)
	s.langs.add(cmp.Or(s.language(row.Page), "(unknown)"), row.Outcome)
	if row.Outcome == string(algorithms.OK) {
		l := s.lengths[row.Extractor]
		if l == nil {
			l = new(lengths)
			s.lengths[strings.Clone(row.Extractor)] = l
		}
		l.add(row.TextChars)
	}
	if !math.IsNaN(row.ConsensusF1) {
		d := s.disputed[row.Extractor]
		if d == nil {
			d = stats.NewLowest(pagesEach)
			s.disputed[strings.Clone(row.Extractor)] = d
		}
		d.Add(stats.Page{Package: row.Package, DocID: row.DocID, URL: row.URL, Bytes: row.HTMLBytes, Figure: row.ConsensusF1})
	}
}

func (s *seen) finishPage() {
	if s.page.DocID != "" {
		s.slowest.Add(s.page)
	}
}

// into fills the view.
func (s *seen) into(v *view) {
	s.finishPage()
	v.Slowest = s.slowest.Pages()
	for i := range v.Slowest {
		v.Slowest[i].Figure = -v.Slowest[i].Figure
	}
	text := figure.Spreads{Title: "Text kept per page", Name: "extractor", X: figure.Axis{Label: "characters of text per page with an answer", Log: true}}
	for _, e := range v.Run.Recipe.Extractors {
		if d := s.disputed[e.Name]; d != nil && len(v.Run.Recipe.Extractors) > 2 {
			v.Disputed = append(v.Disputed, worst{Extractor: e.Name, Pages: d.Pages(), More: d.More()})
		}
		if l := s.lengths[e.Name]; l != nil {
			text.Of = append(text.Of, figure.Spread{Name: e.Name, P05: l.at(0.05), P50: l.at(0.5), P95: l.at(0.95), Mean: float64(l.sum) / float64(l.n), Low: math.NaN(), Top: math.NaN()})
		}
	}
	v.Kept = fixedPlace("text-kept", "How much text each extractor keeps of a page, over all packages and the pages where it found some: the bar reaches from the 5th to the 95th percentile, the stroke is the median, the dot the mean. Percentiles are exact to 2 %.", text.Draw())
	v.Hosts = fixedPlace("sites", fmt.Sprintf("Answers by outcome for the sites with most pages (an answer is a page and an extractor)%s.", s.hosts.note()), s.hosts.draw("Answers by site", "site"))
	v.Languages = fixedPlace("languages", "Answers by outcome for the languages of the pages: as the fact language found them or, without it, as the gold states"+s.langs.note()+".", s.langs.draw("Answers by language", "language"))
}

// lengths is a histogram of lengths with buckets 2 % wide.
type lengths struct {
	buckets []int64
	n, sum  int64
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
	l.sum += chars
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

// outcomes counts answers by a name and their outcome.
type outcomes struct {
	counts map[string]map[string]float64
	more   bool // some names were not counted by themselves
}

// namesMost bounds the names that are counted by themselves, because a crawl may have
// millions of sites.
const namesMost = 100_000

const otherNames = "(others)"

func newOutcomes() *outcomes { return &outcomes{counts: map[string]map[string]float64{}} }

func (o *outcomes) add(name, outcome string) {
	c := o.counts[name]
	if c == nil {
		if len(o.counts) >= namesMost {
			name, o.more = otherNames, true
			c = o.counts[name]
		}
		if c == nil {
			c = map[string]float64{}
			o.counts[strings.Clone(name)] = c
		}
	}
	c[outcome]++
}

// shownNames is the number of names in a figure.
const shownNames = 20

func (o *outcomes) note() string {
	if len(o.counts) <= shownNames && !o.more {
		return ""
	}
	return fmt.Sprintf("; the %d with most of %s", shownNames, grouped(int64(len(o.counts))))
}

func (o *outcomes) draw(title, name string) *figure.Figure {
	s := figure.Stacks{Title: title, Name: name, X: figure.Axis{Label: "answers (pages × extractors)"}, Kinds: []string{"ok", "failed", "empty", "skipped"}}
	sum := func(parts map[string]float64) (n float64) {
		for _, v := range parts {
			n += v
		}
		return n
	}
	for n, parts := range o.counts {
		s.Of = append(s.Of, figure.Stack{Name: n, Parts: parts})
	}
	slices.SortFunc(s.Of, func(a, b figure.Stack) int {
		return cmp.Or(cmp.Compare(sum(b.Parts), sum(a.Parts)), strings.Compare(a.Name, b.Name))
	})
	s.Of = s.Of[:min(len(s.Of), shownNames)]
	return s.Draw()
}
