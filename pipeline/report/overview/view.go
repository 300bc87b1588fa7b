package overview

import (
	"cmp"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// view is what the page shows.
type view struct {
	Run      *schemas.Run
	Finished string
	Files    int
	Bytes    int64

	Records, Pages, NotHTML, Refused, Dead int64
	Reasons                                []count // of refused records

	Scorers []schemas.Method
	Scorer  schemas.Method // that ranks; no name if the run has no scorer

	Packages []pkg
	More     int // packages that are not shown

	Failures     []failureCount
	Examples     []schemas.Failure
	MoreFailures int64

	Unsure   []unsure // by extractor, as far as it tells its confidence
	NoUnsure string   // why there are no such lists

	Doubtful     []stats.Page
	MoreDoubtful int64
	NoDoubtful   string // why there is no list

	Learned *learned // what site-level methods learned; nil without any

	left int64 // work that the tests may still cost
}

type count struct {
	Name string
	N    int64
}

// pkg is a package, or all of them together.
type pkg struct {
	Name       string
	All        bool
	Documents  int64
	Lines      []line // best first
	Scorers    []string
	Types      []string // of pages, where known
	Note       string   // about the tests
	Sites      int
	Tested     int // pages
	Replicates int
	Reasons    []reasonLine
	Matrix     *matrix
	Speed, CI  template.HTML
	Skipped    bool   // some line has skipped pages
	Failed     bool   // some line has failed ones, and it is known what it is without them
	Rho        string // rank correlation of the order without gold and that with it

	Scorer schemas.Method // that ranks: the view's, unless it scored no page here and another did

	scored int64
}

// line is an extractor of a package.
type line struct {
	Rank       int
	Extractor  string
	Row        schemas.PackageRow   // by the scorer that ranks
	All        []schemas.PackageRow // by each of Scorers
	Types      []schemas.PackageRow // by the scorer that ranks, for each of Types
	Group      string
	GroupKnown bool
}

// reasonLine says why an extractor failed or was skipped.
type reasonLine struct{ Extractor, Reasons string }

// newView takes what the manifest says.
func newView(m *schemas.Manifest) *view {
	v := &view{Run: &m.Run, Files: len(m.Run.Files), Scorers: m.Run.Recipe.Scorers, Finished: "not finished"}
	if !m.Finished.IsZero() {
		v.Finished = m.Finished.UTC().Format("2006-01-02 15:04:05")
	}
	for i := range m.Run.Files {
		v.Bytes += m.Run.Files[i].Size
	}
	reasons := map[string]int64{}
	for i := range m.Parts {
		c := &m.Parts[i].Counts
		v.Records += c.Records
		v.Pages += c.Pages
		for _, n := range c.NotHTML {
			v.NotHTML += n
		}
		for reason, n := range c.Refused {
			v.Refused += n
			reasons[reason] += n
		}
		for _, it := range m.Parts[i].Items {
			if it.Dead {
				v.Dead++
			}
		}
	}
	v.Reasons = counts(reasons)
	return v
}

// counts are the entries of a map, the most frequent first.
func counts(m map[string]int64) []count {
	var out []count
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, count{name, m[name]})
	}
	slices.SortStableFunc(out, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	return out
}

// packages makes the packages of the view: all together if there are several,
// and the largest. It returns the names of those shown.
func (v *view) packages(rows []schemas.PackageRow, most int) map[string]bool {
	byName := map[string][]schemas.PackageRow{}
	for i := range rows {
		byName[rows[i].Package] = append(byName[rows[i].Package], rows[i])
	}
	names := slices.Sorted(maps.Keys(byName))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(byName[b][0].Documents, byName[a][0].Documents) })
	if len(names) > 1 {
		v.Packages = append(v.Packages, v.newPackage(stats.Pool(rows)))
		v.Packages[0].All = true
	}
	if v.More = len(names) - most; v.More > 0 {
		names = names[:most]
	} else {
		v.More = 0
	}
	shown := map[string]bool{}
	for _, name := range names {
		shown[name] = true
		v.Packages = append(v.Packages, v.newPackage(byName[name]))
	}
	return shown
}

// newPackage makes a package of its rows.
func (v *view) newPackage(rows []schemas.PackageRow) pkg {
	p := pkg{Name: rows[0].Package, Scorer: v.scorerOf(rows)}
	for _, m := range v.Scorers {
		p.Scorers = append(p.Scorers, m.Name)
	}
	types := map[string]bool{}
	at := map[string]int{}
	for i := range rows {
		r := &rows[i]
		if r.PageType != "" {
			types[r.PageType] = true
			continue
		}
		k, known := at[r.Extractor]
		if !known {
			k = len(p.Lines)
			at[r.Extractor] = k
			p.Lines = append(p.Lines, line{Extractor: r.Extractor, Row: *r, All: make([]schemas.PackageRow, len(p.Scorers))})
			if r.Reasons != "" {
				p.Reasons = append(p.Reasons, reasonLine{r.Extractor, r.Reasons})
			}
			for j := range p.Lines[k].All {
				p.Lines[k].All[j].Headline = math.NaN()
			}
		}
		if r.Scorer == p.Scorer.Name {
			p.Lines[k].Row = *r
			p.scored = max(p.scored, r.Scored)
		}
		if j := slices.Index(p.Scorers, r.Scorer); j >= 0 {
			p.Lines[k].All[j] = *r
		}
		p.Documents = max(p.Documents, r.Documents)
		p.Skipped = p.Skipped || r.Skipped > 0
		p.Failed = p.Failed || r.Failures > 0 && r.Package != allPackages
	}
	p.Types = slices.Sorted(maps.Keys(types))
	for k := range p.Lines {
		p.Lines[k].Types = make([]schemas.PackageRow, len(p.Types))
		for j := range p.Types {
			p.Lines[k].Types[j].Headline = math.NaN()
		}
	}
	for i := range rows {
		r := &rows[i]
		if j, known := slices.BinarySearch(p.Types, r.PageType); known && r.Scorer == p.Scorer.Name {
			p.Lines[at[r.Extractor]].Types[j] = *r
		}
	}
	return p
}

// scorerOf is the scorer that ranks the package with these rows: the view's, or, where
// that scored no page because the gold is of another kind, the recipe's first that did.
func (v *view) scorerOf(rows []schemas.PackageRow) schemas.Method {
	scored := map[string]bool{}
	for i := range rows {
		if rows[i].Scored > 0 {
			scored[rows[i].Scorer] = true
		}
	}
	if !scored[v.Scorer.Name] {
		for _, m := range v.Scorers {
			if scored[m.Name] {
				return m
			}
		}
	}
	return v.Scorer
}

// rank orders the lines: by the scorer's headline, or, where nothing is scored,
// by agreement with the others.
func (p *pkg) rank() {
	key := func(l *line) float64 {
		v := l.Row.Headline
		switch {
		case p.scored == 0:
			v = l.Row.AgreeMean
		case p.Scorer.Lower:
			v = -v
		}
		if math.IsNaN(v) {
			return math.Inf(-1)
		}
		return v
	}
	slices.SortStableFunc(p.Lines, func(a, b line) int { return cmp.Compare(key(&b), key(&a)) })
	for i := range p.Lines {
		p.Lines[i].Rank = i + 1
	}
}

// Scored says whether some extraction of the package has a score.
func (p *pkg) Scored() bool { return p.scored > 0 }

// F1 says whether the scorer that ranks has precision and recall.
func (p *pkg) F1() bool { return p.Scorer.Mean != string(algorithms.MeanValue) }

// Precision is the precision that goes into the headline of a row.
func (p *pkg) Precision(r schemas.PackageRow) float64 {
	switch algorithms.Mean(p.Scorer.Mean) {
	case algorithms.MicroF1:
		return r.MicroPrecision
	case algorithms.F1OfDefined:
		return r.MeanDefinedPrecision
	}
	return r.MeanPrecision
}

// Recall is the recall that goes into the headline of a row.
func (p *pkg) Recall(r schemas.PackageRow) float64 {
	switch algorithms.Mean(p.Scorer.Mean) {
	case algorithms.MicroF1:
		return r.MicroRecall
	case algorithms.F1OfDefined:
		return r.MeanDefinedRecall
	}
	return r.MeanRecall
}

// meanName is what the headline figure of a scorer is.
func meanName(mean string) string {
	switch algorithms.Mean(mean) {
	case algorithms.F1OfMeans:
		return "harmonic mean of mean precision and mean recall"
	case algorithms.F1OfDefined:
		return "harmonic mean of mean precision and mean recall, each over the pages where it is defined"
	case algorithms.MicroF1:
		return "F1 of counts pooled over all pages"
	case algorithms.MeanValue:
		return "mean of the pages' values"
	}
	return "mean of the pages' F1"
}

// otherMean says whether a scorer's headline is another figure than the mean of
// its pages' figures.
func otherMean(mean string) bool {
	switch algorithms.Mean(mean) {
	case "", algorithms.MacroF1, algorithms.MeanValue:
		return false
	}
	return true
}

// fixed3 shows a figure, or a dash.
func fixed3(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// short shows a figure of any size with three digits.
func short(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case math.Abs(x) >= 100:
		return grouped(int64(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// millis shows nanoseconds as milliseconds.
func millis(ns float64) string { return short(ns / 1e6) }

// grouped shows a whole number with thin spaces between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteRune('\u202f')
		}
		b.WriteRune(c)
	}
	return b.String()
}
