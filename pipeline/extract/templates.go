package extract

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// openTemplates makes the templates of the run ready for its last phase.
func (w *work) openTemplates(ctx context.Context) error {
	j := w.job
	methods := template.Methods(w.config.Extractors)
	index, _, err := template.ReadIndex(ctx, j.Store)
	if err != nil {
		return err
	}
	l := template.NewLibrary(j.Store, index)
	context.AfterFunc(j.Context(), l.Close)
	if len(j.Run.Recipe.Learn.Agents) > 0 {
		if err := w.openFiles(l); err != nil {
			return err
		}
	}
	if len(methods) == 0 {
		return nil
	}
	w.cache = template.NewCache(w.opt.TemplateBytes, func(ctx context.Context, name string) (*template.Opened, error) {
		learned, reason, err := l.Site(ctx, name)
		if err != nil {
			return nil, worker.OutputError(fmt.Errorf("templates of site %.200s: %w", name, err))
		}
		if learned == nil {
			return template.Nothing(reason), nil
		}
		w.opt.Metrics.templateLoads.Inc()
		return template.Open(learned, index.SiteBy, name, methods), nil
	})
	return nil
}

// applying holds the templates for the current page.
type applying struct {
	site *template.Opened // nil without templates
	rank uint64
}

// template finds what was learned about the site of a page. The function is for
// driver.Input; nil if the run has no templates.
func (r *runner) template(ctx context.Context, name, url string) (func(*algorithms.Extractor) (*algorithms.Template, algorithms.Reason), error) {
	r.apply.site = nil
	if r.cache == nil {
		return nil, nil
	}
	var err error
	if r.apply.site, err = r.cache.Get(ctx, name); err != nil {
		return nil, err
	}
	r.apply.rank = website.RankOf(url)
	return r.apply.site.For(r.apply.rank), nil
}

// applied fills in what the table of documents states about the template that an extraction
// applied.
func (r *runner) applied(doc *schemas.Document, x *driver.Extraction, b *page.Body) {
	doc.TemplateID, doc.TemplatePages, doc.InSample, doc.Coverage, doc.Notes = "", 0, false, 0, ""
	doc.TemplateMethod, doc.TemplateStatus, doc.LOO, doc.Cluster = "", "", false, 0
	if x.Extractor.Learn == nil || r.apply.site == nil {
		return
	}
	doc.TemplateMethod = template.NameOf(x.Extractor)
	t := r.apply.site.Method(doc.TemplateMethod)
	doc.TemplateStatus = t.Status
	if t.Reason != algorithms.NoReason {
		return
	}
	doc.TemplateID, doc.TemplatePages, doc.InSample = t.ID, int64(len(t.Ranks)), t.SampleIndex(r.apply.rank) >= 0
	doc.LOO = doc.InSample && x.Extractor.Learn.LeaveOneOut
	doc.Notes, doc.Cluster = strings.Join(x.Notes, ","), int64(x.Cluster)
	if x.Outcome == algorithms.OK || x.Outcome == algorithms.Empty {
		doc.Coverage = removed(b, &x.Selection)
	}
}

// removed is the share of a page's words that are not selected.
func removed(b *page.Body, s *page.Selection) float64 {
	words := b.Words().Span
	if len(words) == 0 {
		return 0
	}
	kept, at := 0, 0
	for _, w := range words {
		for at < len(s.Spans) && s.Spans[at].End <= w.Start {
			at++
		}
		if at < len(s.Spans) && s.Spans[at].Start < w.End {
			kept++
		}
	}
	return float64(len(words)-kept) / float64(len(words))
}
