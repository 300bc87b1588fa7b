package recipe

import (
	"fmt"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/schemas"
)

// PageOptions returns the settings with which pages are parsed. The values of r must
// be valid: see schemas.Reading.Check.
func PageOptions(r schemas.Reading) page.Options {
	o := page.Options{ShowHidden: r.Hidden == schemas.HiddenShow}
	if r.Words == schemas.WordsSpace {
		o.Words = page.WordsBySpace
	}
	return o
}

// DriverConfig returns the settings of a driver that a recipe decides. The caller adds
// the methods, and what they share in its process.
func DriverConfig(r *schemas.Recipe) (driver.Config, error) {
	if err := r.Reading.Check(); err != nil {
		return driver.Config{}, fmt.Errorf("recipe: %w", err)
	}
	reading := PageOptions(r.Reading)
	reading.Bounds.MaxNodes, reading.Bounds.MaxText = int(r.Limits.PageNodes), int(r.Limits.PageText)
	return driver.Config{
		Page:     reading,
		TextTime: r.Limits.PageTime, MethodTime: r.Limits.MethodTime, ScoreBytes: int(r.Limits.ScoreBytes), Timing: driver.Timing(r.Timing),
	}, nil
}

// Gold returns gold as a driver takes it, nil if the page has none.
func Gold(g *schemas.Gold) *driver.Gold {
	if g == nil || !g.Known() {
		return nil
	}
	known := &driver.Gold{Text: g.Content(), SnippetsOnly: g.SnippetsOnly(), Markdown: g.Markdown, With: g.With, Without: g.Without, Language: g.Language}
	if g.HTML != "" {
		known.HTML = []byte(g.HTML)
	}
	return known
}
