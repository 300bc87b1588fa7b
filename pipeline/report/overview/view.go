package overview

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// view holds what the page shows.
type view struct {
	Run       *schemas.Run
	Inspector string // Options.Inspector
	Finished  string
	Files     int
	Bytes     int64

	Result stats.Result
	Cards  []card

	Records, Pages, NotHTML, Refused, Dead int64
	Unchanged                              int64   // pages that an earlier run has extracted
	Reasons, Others                        []count // counts of refused records, and of those that are not HTML pages
	TextsKept                              int64   // texts that the filter of the run kept, if it has one
	LeftOut                                []count // texts, by the clause of the filter

	Scorers []schemas.Method
	Scorer  schemas.Method // the scorer that ranks; no name if the run has no scorer

	Packages []pkg
	More     int // number of packages that are not shown

	Failures     []failureCount
	Examples     []schemas.Failure
	MoreFailures int64

	Unread string // why there are no lists of single pages
	Lists  []list
	Kept   *kept // nil if the documents were not read

	Learned *learned // what site-level extractors learned; nil if there are none
	Data    data

	worst      map[worstKey]*stats.Lowest
	histograms map[histogramKey][]int64

	left int64 // the work that the tests may still take
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
	Lines      []line // best first, then bounds
	Sets       []set  // the same lines: those that are ranked, and bounds
	Scorers    []string
	Types      []string // page types, where known
	Note       string   // note about the tests
	Sites      int
	Tested     int // number of pages
	Replicates int
	Reasons    []reasonLine
	Heats      []heat
	Result     stats.Result
	Failed     bool   // some line has failed pages, and its mean without them is known
	Gold       int64  // number of pages that an extractor was scored on or skipped
	Skips      bool   // some extractor skipped pages with gold
	Rho        string // rank correlation of the order by agreement and the order by the scorer

	Scorer schemas.Method // the scorer that ranks: the view's, or another one if that scored no page here

	scored int64
}

// set holds the extractors with a common order, or bounds, which have none.
type set struct {
	Bounds bool
	Lines  []line
}

// line holds the figures of an extractor on a package.
type line struct {
	Rank      int // 0 for a bound
	Extractor string
	Bound     bool               // it reads the gold
	Row       schemas.PackageRow // by the scorer that ranks
	Speed     schemas.SpeedRow
	All       []schemas.PackageRow // by each of Scorers
	Types     []schemas.PackageRow // by the scorer that ranks, for each of Types
	Group     string
}

// Letters returns the letters of the groups, apart from each other, so that they are
// read as letters.
func (l *line) Letters() string { return strings.Join(strings.Split(l.Group, ""), " ") }

// reasonLine has the reasons why an extractor failed or was skipped.
type reasonLine struct{ Extractor, Reasons string }

// newView returns a view with the facts of the manifest.
func newView(m *schemas.Manifest) *view {
	v := &view{Run: &m.Run, Files: len(m.Run.Files), Scorers: m.Run.Recipe.Scorers, Finished: "not finished"}
	if !m.Finished.IsZero() {
		v.Finished = m.Finished.UTC().Format("2006-01-02 15:04:05")
	}
	for i := range m.Run.Files {
		v.Bytes += m.Run.Files[i].Size
	}
	reasons, others, left := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for i := range m.Parts {
		c := &m.Parts[i].Counts
		v.Records += c.Records
		v.Pages += c.Pages
		v.NotHTML += account.Sum(c.NotHTML)
		account.AddMap(&others, c.NotHTML)
		for reason, n := range c.Refused {
			v.Refused += n
			reasons[reason] += n
		}
		v.TextsKept += account.Answered(c) - account.Sum(c.LeftOut)
		account.AddMap(&left, c.LeftOut)
		for _, it := range m.Parts[i].Items {
			if it.Dead {
				v.Dead++
			}
		}
	}
	v.Unchanged = others[schemas.KindUnchanged]
	v.NotHTML -= v.Unchanged
	delete(others, schemas.KindUnchanged)
	v.Reasons, v.Others, v.LeftOut = counts(reasons), counts(others), counts(left)
	return v
}

// counts returns the entries of a map, the most frequent first.
func counts(m map[string]int64) []count {
	var out []count
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, count{name, m[name]})
	}
	slices.SortStableFunc(out, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	return out
}

// packages adds the packages of the view: all packages together if there are several,
// and the largest ones. It returns the names of the packages shown.
func (v *view) packages(rows stats.Tables, most int) map[string]bool {
	byName := map[string]*stats.Tables{}
	for _, r := range rows.Packages {
		if byName[r.Package] == nil {
			byName[r.Package] = new(stats.Tables)
		}
		byName[r.Package].Packages = append(byName[r.Package].Packages, r)
	}
	for _, r := range rows.Speed {
		if t := byName[r.Package]; t != nil {
			t.Speed = append(t.Speed, r)
		}
	}
	names := slices.Sorted(maps.Keys(byName))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(byName[b].Packages[0].Documents, byName[a].Packages[0].Documents)
	})
	if pooled := stats.Pool(rows); len(names) > 1 && len(pooled.Packages) > 0 {
		v.Packages = append(v.Packages, v.newPackage(pooled))
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
		v.Packages = append(v.Packages, v.newPackage(*byName[name]))
	}
	return shown
}

// newPackage returns a package with the figures of its rows.
func (v *view) newPackage(t stats.Tables) pkg {
	rows, speed := t.Packages, map[string]schemas.SpeedRow{}
	for _, r := range t.Speed {
		if r.PageType == "" {
			speed[r.Extractor] = r
		}
	}
	p := pkg{Name: rows[0].Package, Scorer: v.scorerOf(rows)}
	for _, m := range v.Scorers {
		p.Scorers = append(p.Scorers, m.Name)
	}
	types := map[string]bool{}
	at := map[string]int{}
	for i := range rows {
		r := &rows[i]
		if r.PageType != "" {
			if r.Scored+r.SkippedGold > 0 {
				types[r.PageType] = true
			}
			continue
		}
		k, known := at[r.Extractor]
		if !known {
			k = len(p.Lines)
			at[r.Extractor] = k
			p.Lines = append(p.Lines, line{Extractor: r.Extractor, Bound: r.Bound, Row: *r, Speed: speed[r.Extractor], All: make([]schemas.PackageRow, len(p.Scorers))})
			if reasons := p.Lines[k].Speed.Reasons; reasons != "" {
				p.Reasons = append(p.Reasons, reasonLine{r.Extractor, reasons})
			}
			for j := range p.Lines[k].All {
				p.Lines[k].All[j].Headline = math.NaN()
			}
		}
		if r.Scorer == p.Scorer.Name {
			p.Lines[k].Row = *r
			p.scored, p.Gold = max(p.scored, r.Scored), max(p.Gold, r.Scored+r.SkippedGold)
		}
		if j := slices.Index(p.Scorers, r.Scorer); j >= 0 {
			p.Lines[k].All[j] = *r
		}
		p.Documents = max(p.Documents, r.Documents)
		p.Failed = p.Failed || r.Failures > 0
	}
	p.Types = slices.Sorted(maps.Keys(types))
	p.Result = stats.NewResult(t, append([]schemas.Method{v.Scorer}, v.Scorers...))
	for k := range p.Lines {
		p.Skips = p.Skips || p.scored > 0 && p.Lines[k].Row.SkippedGold > 0
		p.Lines[k].Types = make([]schemas.PackageRow, len(p.Types))
		for j := range p.Types {
			p.Lines[k].Types[j].Headline = math.NaN()
		}
	}
	for i := range rows {
		r := &rows[i]
		j, known := slices.BinarySearch(p.Types, r.PageType)
		if k, shown := at[r.Extractor]; known && shown && r.Scorer == p.Scorer.Name {
			p.Lines[k].Types[j] = *r
		}
	}
	return p
}

// scorerOf returns the scorer that ranks the package with these rows. It is the view's
// scorer. If that scored no page, because the gold is of another kind, it is the
// recipe's first scorer that scored one.
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

// rank orders the lines by the scorer's headline. If nothing is scored, it orders them
// by their agreement with the other extractors. Bounds are the last.
func (p *pkg) rank() {
	key := func(l *line) float64 {
		v := p.Ranked(l.Row)
		switch {
		case p.scored == 0:
			v = l.Speed.AgreeMean
		case p.Scorer.Lower:
			v = -v
		}
		if math.IsNaN(v) {
			return math.Inf(-1)
		}
		return v
	}
	slices.SortStableFunc(p.Lines, func(a, b line) int {
		switch {
		case a.Bound != b.Bound && b.Bound:
			return -1
		case a.Bound != b.Bound:
			return 1
		}
		return cmp.Compare(key(&b), key(&a))
	})
	n := 0
	for ; n < len(p.Lines) && !p.Lines[n].Bound; n++ {
		p.Lines[n].Rank = n + 1
	}
	p.Sets = []set{{false, p.Lines[:n]}}
	if n < len(p.Lines) {
		p.Sets = append(p.Sets, set{true, p.Lines[n:]})
	}
}

// Scored reports whether some package has a score.
func (v *view) Scored() bool {
	return slices.ContainsFunc(v.Packages, func(p pkg) bool { return p.scored > 0 })
}

// Scored reports whether some extraction of the package has a score.
func (p *pkg) Scored() bool { return p.scored > 0 }

// F1 reports whether the scorer that ranks has precision and recall.
func (p *pkg) F1() bool { return hasF1(p.Scorer) }

// Ranked returns the figure by which a row is ranked, and AnsweredMean the mean over the
// pages that were answered.
func (p *pkg) Ranked(r schemas.PackageRow) float64 {
	return stats.RankedFigure(r.Headline, r.Scored, r.SkippedGold, p.Scorer.Lower)
}
func (p *pkg) AnsweredMean(r schemas.PackageRow) float64 { return stats.AnsweredMean(&r) }

// meanName returns a description of the headline figure of a scorer.
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

// fixed3 returns a figure as text with three decimals, or a dash if there is none.
func fixed3(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// short returns a figure of any size as text with three digits.
func short(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case math.Abs(x) >= 100:
		return grouped(int64(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// millis returns nanoseconds as text in milliseconds.
func millis(ns float64) string { return short(ns / 1e6) }

// more begins a sentence about n more rows than a table shows.
func more(n int64) string {
	if n == 1 {
		return "1 more is"
	}
	return grouped(n) + " more are"
}

// grouped returns a whole number as text with thin spaces between thousands.
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
