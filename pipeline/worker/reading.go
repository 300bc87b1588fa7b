package worker

import (
	"fmt"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/schemas"
)

// Values of schemas.Reading, besides "", the default.
const (
	HiddenSkip = "skip" // as "": hidden text is never selected
	HiddenShow = "show"

	WordsScript = "script" // as "": page.WordsByScript
	WordsSpace  = "space"
)

// Reading is what the values of a user's flags mean: defaults are left out, so
// that they do not make another recipe. The error is for values that do not exist.
func Reading(hidden, words string) (schemas.Reading, error) {
	r := schemas.Reading{Hidden: hidden, Words: words}
	if hidden == HiddenSkip {
		r.Hidden = ""
	}
	if words == WordsScript {
		r.Words = ""
	}
	_, err := PageOptions(r)
	return r, err
}

// PageOptions are the settings of pages that are read so (spec page-level 1.1 and
// 1.2).
func PageOptions(r schemas.Reading) (page.Options, error) {
	var o page.Options
	switch r.Hidden {
	case "", HiddenSkip:
	case HiddenShow:
		o.ShowHidden = true
	default:
		return o, fmt.Errorf("worker: hidden text %q: one of %s, %s", r.Hidden, HiddenSkip, HiddenShow)
	}
	switch r.Words {
	case "", WordsScript:
	case WordsSpace:
		o.Words = page.WordsBySpace
	default:
		return o, fmt.Errorf("worker: words by %q: one of %s, %s", r.Words, WordsScript, WordsSpace)
	}
	return o, nil
}

// DriverConfig is what a recipe says of how pages are worked on. The methods, and
// what they share of this process, are the caller's to add.
func DriverConfig(r *schemas.Recipe) (driver.Config, error) {
	reading, err := PageOptions(r.Reading)
	reading.MaxNodes, reading.MaxText = int(r.Limits.PageNodes), int(r.Limits.PageText)
	return driver.Config{
		Page:     reading,
		TextTime: r.Limits.PageTime, MethodTime: r.Limits.MethodTime, ScoreBytes: int(r.Limits.ScoreBytes), Timing: driver.Timing(r.Timing),
	}, err
}

// DriverGold is gold as a driver takes it; nil if the page's gold is not known.
func DriverGold(g *schemas.Gold) *driver.Gold {
	if g == nil || !g.Known() {
		return nil
	}
	known := &driver.Gold{Text: g.Content(), SnippetsOnly: g.SnippetsOnly(), With: g.With, Without: g.Without, Language: g.Language}
	if g.HTML != "" {
		known.HTML = []byte(g.HTML)
	}
	return known
}
