package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// Result is the result of a run: one sentence, and what a reader must know before believing
// it. All of it is plain text.
type Result struct {
	Sentence string   `json:"sentence"`
	Caveats  []string `json:"caveats,omitempty"`
}

// String returns the sentence and its caveats.
func (r Result) String() string { return strings.Join(append([]string{r.Sentence}, r.Caveats...), " ") }

// standing is the figure that ranks an extractor.
type standing struct {
	*schemas.PackageRow
	figure float64
}

// NewResult states the result of one package or, if the tables have several, of all of
// them together. It ranks by the first of the scorers that scored a page.
func NewResult(t Tables, scorers []schemas.Method) Result {
	types := map[string]map[string]*schemas.PackageRow{} // by page type and extractor
	var rows []schemas.PackageRow
	for _, m := range scorers {
		if rows = slices.DeleteFunc(slices.Clone(t.Packages), func(r schemas.PackageRow) bool { return r.Scorer != m.Name }); hasScored(rows) {
			break
		}
	}
	if !hasScored(rows) {
		return unscored(t)
	}
	for i := range rows {
		r := rows[i]
		switch byName := types[r.PageType]; {
		case r.Scored == 0 && r.SkippedGold == 0:
		case byName == nil:
			types[r.PageType] = map[string]*schemas.PackageRow{r.Extractor: &r}
		case byName[r.Extractor] == nil:
			byName[r.Extractor] = &r
		default:
			joinScores(byName[r.Extractor], &r)
		}
	}
	method := scorers[slices.IndexFunc(scorers, func(m schemas.Method) bool { return m.Name == rows[0].Scorer })]
	order := rankedRows(types[""], method.Lower)
	delete(types, "")
	if len(order) == 0 {
		return unscored(t)
	}
	best := order[0]
	pages := int64(0)
	for _, s := range order {
		pages = max(pages, s.Scored+s.SkippedGold)
	}
	what := "mean F1 by " + method.Name
	other := OtherFigure(method.Mean) // the interval is of another figure than the headline
	switch {
	case algorithms.Mean(method.Mean) == algorithms.MeanValue:
		what = "mean " + method.Name
	case other:
		what = "F1 by " + method.Name
	}
	first := "highest"
	if method.Lower {
		first = "lowest"
	}
	var b strings.Builder
	if len(order) == 1 {
		fmt.Fprintf(&b, "%s has a %s of %.3f", best.Extractor, what, best.figure)
	} else {
		fmt.Fprintf(&b, "%s has the %s %s, %.3f", best.Extractor, first, what, best.figure)
	}
	interval := !other && best.SkippedGold == 0 && !math.IsNaN(best.CILow)
	if interval {
		fmt.Fprintf(&b, " [%.3f, %.3f]", best.CILow, best.CIHigh)
	}
	if len(order) > 1 {
		next := order[1]
		switch margin := math.Abs(best.figure - next.figure); {
		case margin < 0.0005:
			fmt.Fprintf(&b, ", level with %s", next.Extractor)
		default:
			fmt.Fprintf(&b, ", ahead of %s by %.3f", next.Extractor, margin)
			if interval && next.figure >= best.CILow && next.figure <= best.CIHigh {
				b.WriteString(" (which is within its interval)")
			}
		}
	}
	fmt.Fprintf(&b, " on %s", account.Count(pages, "page"))
	if len(order) > 1 {
		b.WriteString(speedRatio(best.MBPerS / order[1].MBPerS))
	}
	b.WriteString(weakness(best.Extractor, types, method.Lower) + ".")
	return Result{b.String(), caveats(order, pages)}
}

// OtherFigure reports whether the headline of a scorer with this mean (schemas.Method.Mean) is
// another figure than the mean of its pages' figures.
func OtherFigure(mean string) bool {
	switch algorithms.Mean(mean) {
	case "", algorithms.MacroF1, algorithms.MeanValue:
		return false
	}
	return true
}

func hasScored(rows []schemas.PackageRow) bool {
	return slices.ContainsFunc(rows, func(r schemas.PackageRow) bool { return r.Scored > 0 })
}

// rankedRows orders extractors, the best first, without bounds and without those that
// have no figure.
func rankedRows(rows map[string]*schemas.PackageRow, lower bool) (out []standing) {
	for _, r := range rows {
		if s := (standing{r, RankedFigure(r.Headline, r.Scored, r.SkippedGold, lower)}); !r.Bound && !math.IsNaN(s.figure) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b standing) int {
		order := cmp.Compare(b.figure, a.figure)
		if lower {
			order = -order
		}
		return cmp.Or(order, strings.Compare(a.Extractor, b.Extractor))
	})
	return out
}

// speedRatio compares the speed of the best extractor with that of the next.
func speedRatio(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || x <= 0:
		return ""
	case x >= 9.95:
		return fmt.Sprintf(", at %.0f times its speed", x)
	case x > 0.91 && x < 1.1:
		return ", at the same speed"
	case x < 0.1:
		return fmt.Sprintf(", at 1/%.0f of its speed", 1/x)
	}
	return fmt.Sprintf(", at %.2g times its speed", x)
}

// typesNamed is the number of page types that the sentence names.
const typesNamed = 3

// weakness names the page types on which another extractor is better and, if there are
// none, the one on which the best extractor is worst. Types with few pages tell nothing.
func weakness(best string, types map[string]map[string]*schemas.PackageRow, lower bool) string {
	type loss struct {
		pageType, to   string
		figure, margin float64
	}
	var all, lost []loss
	for pageType, rows := range types {
		own := rows[best]
		if own == nil || own.Scored+own.SkippedGold < MinPages {
			continue
		}
		l := loss{pageType: printable(pageType, 40), figure: RankedFigure(own.Headline, own.Scored, own.SkippedGold, lower)}
		all = append(all, l)
		if first := rankedRows(rows, lower)[0]; math.Abs(first.figure-l.figure) >= 0.0005 {
			l.to, l.margin = first.Extractor, math.Abs(first.figure-l.figure)
			lost = append(lost, l)
		}
	}
	byName := func(a, b loss) int { return strings.Compare(a.pageType, b.pageType) }
	slices.SortFunc(lost, func(a, b loss) int { return cmp.Or(cmp.Compare(b.margin, a.margin), byName(a, b)) })
	slices.SortFunc(all, func(a, b loss) int {
		order := cmp.Compare(a.figure, b.figure)
		if lower {
			order = -order
		}
		return cmp.Or(order, byName(a, b))
	})
	switch {
	case len(lost) > 0:
		var names []string
		for _, l := range lost[:min(len(lost), typesNamed)] {
			names = append(names, fmt.Sprintf("%s (to %s by %.3f)", l.pageType, l.to, l.margin))
		}
		if more := len(lost) - typesNamed; more > 0 {
			names = append(names, account.Count(more, "more page type"))
		}
		return "; it loses on " + strings.Join(names, ", ")
	case len(all) > 1:
		return fmt.Sprintf("; it is weakest on %s (%.3f)", all[0].pageType, all[0].figure)
	}
	return ""
}

// caveats returns what limits the sentence about these extractors.
func caveats(order []standing, pages int64) (out []string) {
	var trained, skipped []string
	for _, s := range order {
		if s.TrainedOn && s.Scored > 0 {
			trained = append(trained, s.Extractor)
		}
		if s.SkippedGold > 0 {
			skipped = append(skipped, fmt.Sprintf("%s %d", s.Extractor, s.SkippedGold))
		}
	}
	if len(trained) > 0 {
		out = append(out, "Trained on some of these pages, and so better here than on others: "+strings.Join(trained, ", ")+".")
	}
	if pages < MinPages {
		out = append(out, fmt.Sprintf("Fewer than %d pages are too few to tell extractors apart, and the intervals are too narrow.", MinPages))
	}
	if len(skipped) > 0 {
		out = append(out, "Skipped pages, which count as 0: "+strings.Join(skipped, ", ")+".")
	}
	return out
}

// unscored states what was extracted where nothing was scored. It says nothing of the
// extractor that keeps the whole text, if there are others, because it finds text everywhere.
func unscored(t Tables) Result {
	speed := Pool(t).Speed
	if others := slices.DeleteFunc(slices.Clone(speed), func(r schemas.SpeedRow) bool { return r.Extractor == WholeText }); len(others) > 0 {
		speed = others
	}
	if len(speed) == 0 || speed[0].Documents == 0 {
		return Result{Sentence: "No page was extracted."}
	}
	most := slices.MaxFunc(speed, func(a, b schemas.SpeedRow) int { return cmp.Compare(found(&a), found(&b)) })
	var names []string // extractors that found the most
	for i := range speed {
		if found(&speed[i]) == found(&most) {
			names = append(names, speed[i].Extractor)
		}
	}
	slices.Sort(names)
	who, of := strings.Join(names, ", "), fmt.Sprintf(", the most of %d extractors", len(speed))
	switch {
	case len(speed) == 1:
		of = ""
	case len(names) == len(speed) && len(speed) == 2:
		who, of = "Both extractors", ""
	case len(names) == len(speed):
		who, of = fmt.Sprintf("All %d extractors", len(speed)), ""
	case len(names) > 1:
		last := len(names) - 1
		who = strings.Join(names[:last], ", ") + " and " + names[last]
	}
	text := fmt.Sprintf("%s found main content on %d of %s%s.", who, found(&most), account.Count(most.Documents, "page"), of)
	return Result{text, []string{"No page was scored, so the run tells what was extracted and not how well."}}
}

// found returns the number of pages with an answer that is not empty.
func found(r *schemas.SpeedRow) int64 { return r.Documents - r.Failures - r.Empties - r.Skipped }
