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
	return opened.For(website.RankOf(url)), nil
}
