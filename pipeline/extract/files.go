package extract

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/worker"
)

// openFiles makes the files of hosts ready, which the phase learn has read. Those that an
// earlier run has read (schemas.Learn.Templates) count with them: a run that retries a part
// of another one does not read the files again.
func (w *work) openFiles(l *template.Library) error {
	j := w.job
	earlier, err := template.OpenEarlier(j.Context(), j.Blobs, j.Run.Recipe.Learn)
	if err != nil {
		return err
	}
	decode := func(body []byte) (any, error) { return robots.Decode(body, j.Run.Recipe.Learn.Agents) }
	methods := []template.Method{{Name: robots.Name, Learner: &algorithms.Learner{Version: robots.Version, Open: decode}}}
	w.files = template.NewCache(w.opt.TemplateBytes, func(ctx context.Context, origin string) (*template.Opened, error) {
		learned, reason, err := l.Site(ctx, origin)
		if err != nil {
			return nil, worker.OutputError(fmt.Errorf("files of %.200s: %w", origin, err))
		}
		old, err := earlier.Templates(ctx, origin, methods, j.Run.Created.Unix())
		if err != nil {
			return nil, worker.InputError(blob.Object{URL: j.Run.Recipe.Learn.Templates}, err)
		}
		before := old[robots.Name]
		if learned == nil && before != nil {
			learned, before = []template.Template{*before}, nil
		}
		if learned == nil {
			return template.Nothing(reason), nil
		}
		opened := template.Open(learned, robots.SiteBy, origin, methods)
		if files, ok := opened.Method(robots.Name).Value.(*robots.Files); ok && before != nil {
			second, err := robots.Decode(before.Body, files.Agents)
			if err != nil {
				return nil, worker.InputError(blob.Object{URL: j.Run.Recipe.Learn.Templates}, err)
			}
			files.Merge(second)
		}
		return opened, nil
	})
	return nil
}

// site returns what files of the host of a page say about it; nil if none was read.
func (r *runner) site(ctx context.Context, url string, date time.Time) (*fact.Site, error) {
	if r.files == nil {
		return nil, nil
	}
	origin, path := website.Origin(url)
	if origin == "" {
		return nil, nil
	}
	opened, err := r.files.Get(ctx, origin)
	if err != nil {
		return nil, err
	}
	files, ok := opened.Method(robots.Name).Value.(*robots.Files)
	if !ok {
		return nil, nil
	}
	seconds := int64(0)
	if !date.IsZero() {
		seconds = date.Unix()
	}
	return files.About(path, seconds), nil
}
