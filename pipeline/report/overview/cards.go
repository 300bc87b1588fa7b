package overview

import (
	"fmt"
	"math"

	"github.com/winnow/winnow/pipeline/stats"
)

// card is a figure of the first screen.
type card struct{ Title, Value, Unit, Note string }

// cards are quality, speed, cost and loss, of the extractor that the first sentence names.
func (v *view) cards() []card {
	if len(v.Packages) == 0 || len(v.Packages[0].Lines) == 0 {
		return nil
	}
	p := &v.Packages[0]
	l := &p.Lines[0]
	var out []card
	switch {
	case p.scored > 0:
		note := clean(l.Extractor + ", " + p.Scorer.Name)
		if p.Interval(*l) {
			note += fmt.Sprintf(", 95 %% interval %.3f to %.3f", l.Row.CILow, l.Row.CIHigh)
		}
		out = append(out, card{"Quality", fixed3(p.Ranked(l.Row)), "", note})
	case v.Kept != nil:
		if own := p.line(v.Kept.Extractor); own != nil {
			l = own
		}
		out = append(out, card{"Pages with text", percent(v.Kept.All.Found, v.Kept.All.Pages), "", fmt.Sprintf("%s of %s, by %s", grouped(v.Kept.All.Found), grouped(v.Kept.All.Pages), clean(l.Extractor))})
	}
	if s := &l.Speed; s.TotalPagesPerS > 0 {
		out = append(out, card{"Speed of one core", short(s.PagesPerS), "pages/s", fmt.Sprintf("%s, %s MB/s; with parsing %s pages/s", clean(l.Extractor), short(s.MBPerS), short(s.TotalPagesPerS))},
			card{"Cost of 10⁹ pages", grouped(int64(math.Round(cost(l)))), "core-hours", clean(l.Extractor) + ", with parsing"})
	}
	failed, pages := int64(0), int64(0)
	for i := range p.Lines {
		failed += p.Lines[i].Row.Failures
		pages += p.Lines[i].Row.Documents
	}
	note := fmt.Sprintf("of %s records; %s of %s extractions failed", grouped(v.Records), grouped(failed), grouped(pages))
	if v.Dead > 0 {
		note += fmt.Sprintf("; %s given up", grouped(v.Dead))
	}
	return append(out, card{"Lost", grouped(v.Refused), "", note})
}

// cost returns the core-hours that an extractor needs for a billion pages, with parsing.
func cost(l *line) float64 { return 1e9 / l.Speed.TotalPagesPerS / 3600 }

// Interval reports whether the interval of a line is that of the figure that ranks it.
func (p *pkg) Interval(l line) bool {
	return !stats.OtherFigure(p.Scorer.Mean) && l.Row.SkippedGold == 0 && !math.IsNaN(l.Row.CILow) && l.Row.Scored > 0
}

func percent(n, of int64) string { return fmt.Sprintf("%.1f %%", 100*ratio(n, of)) }

// bar is the figure of a line as a bar with its interval, in hundredths of the width.
type bar struct {
	Value, Low, High float64
	Interval         bool
}

// Bar returns the bar of a line; figures that are not from 0 to 1 have none.
func (p *pkg) Bar(l line) *bar {
	x := p.Ranked(l.Row)
	if !p.F1() || math.IsNaN(x) {
		return nil
	}
	hundredths := func(x float64) float64 { return math.Round(1000*max(0, min(x, 1))) / 10 }
	return &bar{hundredths(x), hundredths(l.Row.CILow), hundredths(l.Row.CIHigh), p.Interval(l)}
}
