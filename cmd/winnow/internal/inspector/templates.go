package inspector

import (
	"context"
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/learn/template"
)

// templates finds what the run learned about the site of a page, for driver.Input. It
// returns nil if the run has no templates.
func (r *Run) templates(ctx context.Context, site, url string) (func(*algorithms.Extractor) (*algorithms.Template, algorithms.Reason), error) {
	if len(r.methods) == 0 || r.m.Templates == nil {
		return nil, nil
	}
	learned, index, reason, err := template.ReadSite(ctx, r.store, site)
	if err != nil {
		return nil, fmt.Errorf("templates of site %.200s: %w", site, err)
	}
	opened := template.Nothing(reason)
	if learned != nil {
		opened = template.Open(learned, index.SiteBy, site, r.methods)
	}
	rank := website.RankOf(url)
	var lent algorithms.Template
	return func(e *algorithms.Extractor) (*algorithms.Template, algorithms.Reason) {
		t := opened.Method(template.NameOf(e))
		if t.Reason != algorithms.NoReason {
			return nil, t.Reason
		}
		lent = algorithms.Template{Value: t.Value, Ranks: t.Ranks, Page: t.SampleIndex(rank)}
		return &lent, algorithms.NoReason
	}, nil
}
