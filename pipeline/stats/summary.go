package stats

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// Summary is the result of a run in a few numbers, for a terminal or a program.
type Summary struct {
	Run     schemas.RunID `json:"run"`
	Result  Result        `json:"result"`
	Records int64         `json:"records"`
	Pages   int64         `json:"pages"`
	NotHTML int64         `json:"not_html"` // records that are not HTML pages
	// Documents are those of them that people read and Winnow does not, by kind: pdf, word,
	// spreadsheet, slides, book.
	Documents map[string]int64 `json:"documents,omitempty"`
	// Unchanged counts pages that are not extracted again, because an earlier run has done so.
	Unchanged int64 `json:"unchanged,omitempty"`
	Refused   int64 `json:"refused"` // records that should have been pages
	Dead      int   `json:"dead"`    // items with a dead letter
	Unmade    int64 `json:"unmade"`  // scores that are missing because of a defect of their scorer
	// Kept and LeftOut count the texts by --keep; LeftOut is nil without it.
	Kept    int64            `json:"kept,omitempty"`
	LeftOut map[string]int64 `json:"left_out,omitempty"` // by the clause that the text does not fulfil
	Losses  []account.Loss   `json:"losses,omitempty"`   // losses of input files, by their names
	// Skipped are the inputs that were not read because earlier runs have done them.
	Skipped []schemas.SkippedFile `json:"skipped,omitempty"`

	Scorers  []string         `json:"scorers"` // the one that ranks first, then in the order of the run's recipe
	Packages []PackageSummary `json:"packages"`
	// All is over all packages, if there are several. It has sums, and means over all
	// documents.
	All *PackageSummary `json:"all,omitempty"`
	// Texts tells what each extractor kept if nothing was scored. The first is KeptBy.
	Texts []TextSummary `json:"texts,omitempty"`
}

// TextSummary tells how much text of all pages an extractor kept.
type TextSummary struct {
	Extractor  string           `json:"extractor"`
	Pages      int64            `json:"pages"`
	Found      int64            `json:"found"` // pages with text
	Failures   int64            `json:"failures"`
	Chars      int64            `json:"characters"`
	Words      *int64           `json:"words,omitempty"` // null if the run did not look for the fact
	HTMLBytes  int64            `json:"html_bytes"`      // bytes of the pages with text
	Confidence *float64         `json:"confidence"`      // mean word F1 that the extractor expects; null if it does not estimate it
	Languages  map[string]int64 `json:"languages"`       // languages of the pages with text, where known
}

// PackageSummary is a package's part of a Summary.
type PackageSummary struct {
	Package    string             `json:"package"`
	Extractors []ExtractorSummary `json:"extractors"`
}

// ExtractorSummary holds the results of one extractor on one package.
type ExtractorSummary struct {
	Extractor string         `json:"extractor"`
	Documents int64          `json:"documents"`
	Failures  int64          `json:"failures"`
	Skipped   int64          `json:"skipped"`
	MBPerS    *float64       `json:"mb_per_s"`             // null if it never ran
	TrainedOn bool           `json:"trained_on,omitempty"` // see schemas.PackageRow
	Bound     bool           `json:"bound,omitempty"`      // it reads the gold and has no rank
	Scores    []ScoreSummary `json:"scores"`               // the order is that of Summary.Scorers
}

// ScoreSummary holds the figures of one scorer. Figures that are not defined are null.
type ScoreSummary struct {
	Scorer string `json:"scorer"`
	Scored int64  `json:"scored"`
	// Skipped is the number of pages with gold that the extractor skipped. The figures
	// leave them out, and RankedFigure counts them as 0.
	Skipped int64 `json:"skipped,omitempty"`
	// Headline is the package figure that the scorer's source publishes and Mean is its
	// name. SD is the standard deviation of the documents' figures.
	Mean     string   `json:"mean,omitempty"`
	Headline *float64 `json:"headline"`
	SD       *float64 `json:"sd"`
	MeanF1   *float64 `json:"mean_f1"` // null for a scorer that does not compute an F1
	SDF1     *float64 `json:"sd_f1"`
	Lower    bool     `json:"lower_is_better,omitempty"`
	// These are set in Summary.All: the mean of the packages' headlines, and the median
	// of the medians of their documents, in which each package counts once. Packages
	// without a figure are left out.
	Macro       *float64 `json:"macro,omitempty"`
	MacroMedian *float64 `json:"macro_median,omitempty"`
}

// LostBytes returns the sum of Losses.
func (s *Summary) LostBytes() (n int64) {
	for _, l := range s.Losses {
		n += l.Bytes
	}
	return n
}

// NewSummary computes the summary of a run from its tables.
func NewSummary(m *schemas.Manifest, t Tables) *Summary {
	s := &Summary{Run: m.Run.ID, Result: NewResult(t, m.Run.Recipe.ScorersToShow()), Skipped: m.Run.Skipped}
	if m.Run.Recipe.Keep != "" {
		s.LeftOut = map[string]int64{}
	}
	if m.Templates != nil {
		s.Dead = len(m.Templates.Dead)
	}
	for i := range m.Parts {
		c := &m.Parts[i].Counts
		s.Records += c.Records
		s.Pages += c.Pages
		s.Unchanged += c.NotHTML[schemas.KindUnchanged]
		s.NotHTML += account.Sum(c.NotHTML) - c.NotHTML[schemas.KindUnchanged]
		for reason, n := range c.NotHTML {
			if kind, is := strings.CutPrefix(reason, "document-"); is {
				account.AddMap(&s.Documents, map[string]int64{kind: n})
			}
		}
		s.Refused += account.Sum(c.Refused)
		s.Unmade += account.Sum(c.Unmade)
		if m.Run.Recipe.Keep != "" {
			s.Kept += account.Answered(c) - account.Sum(c.LeftOut)
			account.AddMap(&s.LeftOut, c.LeftOut)
		}
		for _, item := range m.Parts[i].Items {
			if item.Dead {
				s.Dead++
			}
		}
	}
	scorers := m.Run.Recipe.ScorersToShow()
	for _, c := range scorers {
		s.Scorers = append(s.Scorers, c.Name)
	}
	rows := slices.DeleteFunc(slices.Clone(t.Packages), func(r schemas.PackageRow) bool { return r.PageType != "" })
	slices.SortStableFunc(rows, func(a, b schemas.PackageRow) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Extractor, b.Extractor))
	})
	s.Packages = summarize(rows, scorers)
	if len(s.Packages) > 1 {
		s.All = &summarize(Pool(t).Packages, scorers)[0]
		s.All.macro(rows)
	}
	return s
}

// summarize groups rows that are sorted by package and extractor.
func summarize(rows []schemas.PackageRow, scorers []schemas.Method) []PackageSummary {
	var out []PackageSummary
	for i := range rows {
		r := &rows[i]
		if len(out) == 0 || out[len(out)-1].Package != r.Package {
			out = append(out, PackageSummary{Package: r.Package})
		}
		p := &out[len(out)-1]
		if n := len(p.Extractors); n == 0 || p.Extractors[n-1].Extractor != r.Extractor {
			e := ExtractorSummary{Extractor: r.Extractor, Documents: r.Documents, Failures: r.Failures, Skipped: r.Skipped, MBPerS: number(r.MBPerS), TrainedOn: r.TrainedOn, Bound: r.Bound, Scores: make([]ScoreSummary, len(scorers))}
			for j, m := range scorers {
				e.Scores[j].Scorer = m.Name
			}
			p.Extractors = append(p.Extractors, e)
		}
		e := &p.Extractors[len(p.Extractors)-1]
		if j := slices.IndexFunc(scorers, func(m schemas.Method) bool { return m.Name == r.Scorer }); j >= 0 {
			e.Scores[j] = ScoreSummary{Scorer: r.Scorer, Scored: r.Scored, Skipped: r.SkippedGold, Mean: r.Mean, Headline: number(r.Headline), SD: number(figureOf(r).sd),
				MeanF1: number(r.MeanF1), SDF1: number(r.SDF1), Lower: scorers[j].Lower}
		}
	}
	return out
}

// macro computes the figures in which each package counts once.
func (p *PackageSummary) macro(rows []schemas.PackageRow) {
	type key struct{ extractor, scorer string }
	headlines, medians := map[key][]float64{}, map[key][]float64{}
	for i := range rows {
		r := &rows[i]
		if math.IsNaN(r.Headline) {
			continue
		}
		of := key{r.Extractor, r.Scorer}
		headlines[of] = append(headlines[of], r.Headline)
		if !math.IsNaN(r.P50) {
			medians[of] = append(medians[of], r.P50)
		}
	}
	for i := range p.Extractors {
		e := &p.Extractors[i]
		for j := range e.Scores {
			of, c := key{e.Extractor, e.Scores[j].Scorer}, &e.Scores[j]
			if list := headlines[of]; len(list) > 0 {
				sum := 0.0
				for _, h := range list {
					sum += h
				}
				c.Macro = number(sum / float64(len(list)))
			}
			if list := medians[of]; len(list) > 0 {
				slices.Sort(list)
				c.MacroMedian = number((list[(len(list)-1)/2] + list[len(list)/2]) / 2)
			}
		}
	}
}

func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// HasScores reports whether any extractor has a figure by any scorer.
func (s *Summary) HasScores() bool {
	return slices.ContainsFunc(s.Packages, func(p PackageSummary) bool {
		return slices.ContainsFunc(p.Extractors, func(e ExtractorSummary) bool {
			return slices.ContainsFunc(e.Scores, func(c ScoreSummary) bool { return c.Headline != nil })
		})
	})
}

// skipped reports whether any extractor left documents out. Its figures then cover fewer
// documents than those of other extractors.
func (s *Summary) skipped() bool {
	return slices.ContainsFunc(s.Packages, func(p PackageSummary) bool {
		return slices.ContainsFunc(p.Extractors, func(e ExtractorSummary) bool { return e.Skipped > 0 })
	})
}

// ranked returns the package's extractors, sorted by the scorer that ranking returns, the
// best first. Extractors without a figure follow in their order, and bounds are the last.
func (p *PackageSummary) ranked() []*ExtractorSummary {
	list := make([]*ExtractorSummary, len(p.Extractors))
	for i := range p.Extractors {
		list[i] = &p.Extractors[i]
	}
	k := p.ranking()
	first := func(e *ExtractorSummary) float64 {
		switch {
		case len(e.Scores) <= k || e.Scores[k].Headline == nil:
			return math.Inf(-1)
		}
		c := &e.Scores[k]
		v := RankedFigure(*c.Headline, c.Scored, c.Skipped, c.Lower)
		if c.Lower {
			v = -v
		}
		return v
	}
	slices.SortStableFunc(list, func(a, b *ExtractorSummary) int {
		return cmp.Or(cmp.Compare(asInt(a.Bound), asInt(b.Bound)), cmp.Compare(first(b), first(a)))
	})
	return list
}

// asInt returns 1 for true, so that false is ordered first.
func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ranking returns the first scorer that has a figure for some extractor, because the
// gold of a package may be of a kind that other scorers cannot read.
func (p *PackageSummary) ranking() int {
	for k := 0; len(p.Extractors) > 0 && k < len(p.Extractors[0].Scores); k++ {
		if slices.ContainsFunc(p.Extractors, func(e ExtractorSummary) bool { return e.Scores[k].Headline != nil }) {
			return k
		}
	}
	return 0
}
