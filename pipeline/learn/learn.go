package learn

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/shard"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// learnRunner implements worker.Runner. It holds what one slot needs for the items of
// the phase learn.
type learnRunner struct {
	*run
	earlier *template.Earlier // templates that may be used again; nil if there are none
	engine  *Engine
}

// Close implements worker.Runner.
func (r *learnRunner) Close() {}

// lesson is one attempt to learn the sites of an item.
type lesson struct {
	*learnRunner
	attempt *worker.Attempt
	crawl   *gatherer
	rows    *shard.Table[schemas.TemplateRow]
	count   schemas.Learned
}

// Run implements worker.Runner.
func (r *learnRunner) Run(ctx context.Context, a *worker.Attempt) (*schemas.Done, error) {
	n := &lesson{learnRunner: r, attempt: a}
	file := shard.NewFile(ctx, a.Job.Store, a.ShardPrefix()+string(schemas.TableTemplates)+".parquet")
	n.rows = shard.NewTable(schemas.TableTemplates, file, func(w io.Writer) (shard.Rows[schemas.TemplateRow], error) {
		return columnar.NewWriter(columnar.Templates, w, a.Item.Run, a.Item.Hash, columnar.LookupSize) // the shard becomes a part
	})
	defer n.rows.Discard()
	sites, err := openSites(ctx, a.Job.Store, a.Item.Sites.Candidates)
	if err != nil {
		return nil, err
	}
	n.crawl = &gatherer{siteStream: sites, job: a.Job, ctx: ctx}
	defer n.crawl.close()
	for {
		files, pages, err := sites.next()
		if err != nil {
			return nil, err
		}
		if len(files)+len(pages) == 0 {
			break
		}
		if err := n.site(ctx, sites.site, files, n.engine.Long(pages)); err != nil {
			return nil, err
		}
	}
	if err := a.InputRead(ctx); err != nil {
		return nil, err
	}
	done := a.Report()
	done.Learned = &n.count
	err = n.rows.Publish(&done.Shards)
	return done, err
}

// site learns one site from its files and from the long list of its pages, or uses again what
// an earlier run learned from its pages.
func (n *lesson) site(ctx context.Context, name string, files, long []*schemas.Candidate) error {
	learned := n.job.Run.Created.Unix()
	var old map[string]*template.Template
	if len(long) > 0 {
		var err error
		if old, err = n.earlier.Templates(ctx, name, n.methods, learned); err != nil {
			return worker.InputError(blob.Object{URL: n.job.Run.Recipe.Learn.Templates}, err)
		}
	}
	// A site at which the process ended too often is given up, like a record.
	step := schemas.Learning(name)
	var made []Made
	if crash := n.attempt.Crashed(step); crash != nil {
		n.attempt.Log.Error("site given up", "site", name,
			"crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
		n.attempt.CountDeadSite()
		old = nil
		if len(long) > 0 {
			made = n.engine.Failed(learned)
		}
		if len(files) > 0 {
			made = append(made, Made{Template: template.Template{Method: robots.Name, Version: robots.Version, Learned: learned, Status: template.StatusLearnFailed}})
		}
	} else {
		if err := n.attempt.Begin(ctx, step); err != nil {
			return err
		}
		n.opt.BeforeSite(name)
		var err error
		if len(long) > 0 {
			if made, err = n.engine.Site(long, n.crawl, func(m template.Method) bool { return old[m.Name] == nil }, learned); err != nil {
				return err
			}
		}
		if len(files) > 0 {
			t, err := n.files(files)
			if err != nil {
				return err
			}
			t.Learned = learned
			made = append(made, Made{Template: t})
		}
		if err := n.attempt.End(ctx, true); err != nil {
			return err
		}
	}
	for _, t := range old {
		made = append(made, Made{Template: *t})
	}
	slices.SortFunc(made, func(x, y Made) int { return strings.Compare(x.Method, y.Method) })
	if len(long) > 0 {
		n.count.Sites++
	}
	return n.write(name, made)
}

// files reads the files of a host.
func (n *lesson) files(files []*schemas.Candidate) (template.Template, error) {
	b := robots.NewBuilder(n.agents)
	for _, c := range files {
		_, path, ok := robots.Origin(c.URL)
		body, status, err := n.crawl.File(c)
		if errors.Is(err, ErrNoPage) || !ok {
			continue
		}
		if err != nil {
			return template.Template{}, err
		}
		b.Add(path, c.Date, status, body)
	}
	t := template.Template{Method: robots.Name, Version: robots.Version, Status: template.StatusOK}
	var cut bool
	if t.Body, cut = b.Encode(); cut {
		t.Notes = []string{algorithms.NoteTruncated}
	}
	return t, nil
}

// write writes the rows of a site.
func (n *lesson) write(site string, made []Made) error {
	if n.count.Statuses == nil {
		n.count.Statuses = make(map[string]int64)
	}
	for i := range made {
		t := &made[i]
		if t.Detail != "" {
			n.attempt.Log.Warn("no template was learned", "site", site, "learner", t.Method, "status", t.Status, "reason", t.Detail)
		}
		n.count.Statuses[t.Status]++
		n.opt.Metrics.learned.WithLabelValues(t.Method, t.Status).Inc()
		if t.Usable() {
			n.opt.Metrics.templateBytes.WithLabelValues(t.Method).Observe(float64(len(t.Body)))
		}
		by := n.job.Run.Recipe.SiteBy
		if t.Method == robots.Name {
			by = robots.SiteBy
		}
		row := t.Row(n.attempt.Item.Run, by, site)
		row.LearnNS = t.LearnNS
		if err := n.rows.Append(&row); err != nil {
			return err
		}
	}
	return nil
}
