package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/shard"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// shardReaders is the number of shards that are read at once, because most of the
	// time is spent waiting for the store.
	shardReaders = 16
	// scanIndexMax is far larger than the index of a run with a million items.
	scanIndexMax = 1 << 30
)

// learnRunner implements worker.Runner. It holds what one slot needs for the items of
// the phase learn.
type learnRunner struct {
	*learnWork
	engine *Engine
}

// Close implements worker.Runner.
func (r *learnRunner) Close() {}

// lesson is one attempt to learn the sites of an item.
type lesson struct {
	*learnRunner
	attempt *worker.Attempt
	index   *schemas.ScanIndex
	shards  []*ShardReader // of index.Items; nil for items without candidates
	crawl   *gatherer
	near    *queue.Templates // the broker's store; nil if only the output folder is used

	rows  *shard.Table[schemas.TemplateRow]
	file  *shard.File // of part
	part  *template.Part
	count schemas.Learned
}

// Run implements worker.Runner. If shards of the phase scan are missing, the report
// contains only their names.
func (r *learnRunner) Run(ctx context.Context, a *worker.Attempt) (*schemas.Done, error) {
	n := &lesson{learnRunner: r, attempt: a}
	n.rows = shard.NewParquet(ctx, a, columnar.Templates)
	n.file = shard.NewFile(ctx, a.Job.Store, a.ShardPrefix()+string(schemas.TableBundles))
	defer n.rows.Discard()
	defer n.file.Discard()
	done := a.Report()
	done.Learned = &n.count
	if err := n.open(ctx); err != nil {
		return nil, err
	}
	if len(n.count.Missing) > 0 {
		return done, a.Job.Missing(ctx) // an error if the whole output folder cannot be seen from this machine
	}
	defer n.crawl.files.Clear()
	var missing *missingShard
	err := n.buckets(ctx)
	switch {
	case errors.As(err, &missing):
		a.Log.Warn("scan shard is gone", "reason", err)
		n.count = schemas.Learned{Missing: []string{missing.name}}
		return done, nil
	case err != nil:
		return nil, err
	}
	if err := a.InputRead(ctx); err != nil {
		return nil, err
	}
	done.Shards, err = n.publish()
	return done, err
}

// open reads the index of the scan and the indexes of its shards.
func (n *lesson) open(ctx context.Context) error {
	name := schemas.ShardFolder + "/" + n.attempt.Item.Hash + "/" + schemas.ScanIndexFile
	data, err := blob.ReadAll(ctx, n.job.Store, name, scanIndexMax)
	if errors.Is(err, blob.ErrNotFound) {
		n.count.Missing = []string{name}
		return nil
	}
	if err != nil {
		return worker.OutputError(err)
	}
	if n.index, err = schemas.DecodeScanIndex(data); err != nil {
		return err
	}
	if n.index.Run != n.attempt.Item.Run || n.index.Hash != n.attempt.Item.Hash {
		return fmt.Errorf("learn: the scan index is of run %s, recipe %s", n.index.Run, n.index.Hash)
	}
	n.crawl = newGatherer(ctx, n.job, n.index)
	n.shards = make([]*ShardReader, len(n.index.Items))
	missing := make([]string, len(n.index.Items))
	err = n.each(ctx, func(i int, name string, f blob.File) (err error) {
		n.shards[i], err = ReadShard(f, f.Size(), n.attempt.Item.Sites.Start, n.attempt.Item.Sites.End)
		return err
	}, missing)
	n.count.Missing = slices.DeleteFunc(missing, func(s string) bool { return s == "" })
	if err != nil {
		return err
	}
	n.near, err = n.job.Queue.Templates(ctx, n.attempt.Item.Run)
	if errors.Is(err, queue.ErrNotFound) { // the templates are then in the output folder only
		n.near, err = nil, nil
	}
	return worker.BrokerError(err)
}

// each calls f with every shard of candidates, several at a time. It adds the names of
// missing shards to missing. If missing is nil, a missing shard is an error.
func (n *lesson) each(ctx context.Context, f func(i int, name string, file blob.File) error, missing []string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(shardReaders)
	for i := range n.index.Items {
		sh := findShard(&n.index.Items[i], schemas.TableCandidates)
		if sh == nil {
			continue
		}
		g.Go(func() error {
			file, err := n.job.Store.Open(ctx, sh.Name)
			if err == nil {
				defer file.Close()
				err = f(i, sh.Name, file)
			}
			err = lostShard(sh.Name, err)
			var gone *missingShard
			if missing != nil && errors.As(err, &gone) {
				missing[i] = sh.Name
				return nil
			}
			return err
		})
	}
	return g.Wait()
}

// site learns one site, or uses again what an earlier run learned.
func (n *lesson) site(ctx context.Context, name string, long []*Candidate) error {
	learned := n.job.Run.Created.Unix()
	recipe := &n.job.Run.Recipe
	b := &template.Bundle{Site: name, SiteBy: recipe.SiteBy, Sites: recipe.Learn.Sites}
	old, err := n.earlier.Templates(ctx, name, n.methods, learned)
	if err != nil {
		return worker.OutputError(err)
	}
	// A site at which the process ended too often is given up, like a record.
	step := schemas.Learning(name)
	var made []Made
	if crash := n.attempt.Crashed(step); crash != nil {
		n.attempt.Log.Error("site given up", "site", name,
			"crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
		n.attempt.CountDeadSite()
		made, old = n.engine.Failed(learned), nil
	} else {
		err := n.attempt.Step(ctx, step, func() (bool, error) {
			var err error
			n.opt.BeforeSite(name)
			made, err = n.engine.Site(long, n.crawl, func(m template.Method) bool { return old[m.Name] == nil }, learned)
			return true, err
		})
		if err != nil {
			return err
		}
	}
	for _, t := range old {
		made = append(made, Made{Template: *t})
	}
	slices.SortFunc(made, func(x, y Made) int { return strings.Compare(x.Method, y.Method) })
	told := false // some template has another status than too few pages
	for i := range made {
		b.Templates = append(b.Templates, made[i].Template)
		told = told || made[i].Status != template.StatusTooFewPages
	}
	if told {
		if err := n.keep(ctx, name, b.Encode()); err != nil {
			return err
		}
	}
	return n.row(ctx, b, made)
}

// keep stores a site's templates in the part, and also in the broker if there is room.
func (n *lesson) keep(ctx context.Context, name string, data []byte) (err error) {
	if n.part == nil {
		if n.part, err = template.NewPart(n.file); err != nil {
			return err
		}
	}
	if err := n.part.Add(name, data); err != nil {
		return err
	}
	if n.near == nil {
		return nil
	}
	err = n.near.Put(ctx, name, data)
	switch {
	case errors.Is(err, queue.ErrConflict):
		// Nobody uses the templates in the broker, because they differ from those that
		// the part names. Either another worker wrote wrong templates, or learning gave
		// two different results.
		n.attempt.Log.Error("the broker has other templates of a site", "site", name)
	case err != nil && queue.Transient(err):
		return worker.BrokerError(err)
	case err != nil: // the store is full: further templates are in the part only
		n.attempt.Log.Warn("templates are not in the broker", "site", name, "reason", err)
		n.near = nil
	}
	return nil
}

// row writes the rows of a site.
func (n *lesson) row(ctx context.Context, b *template.Bundle, made []Made) error {
	n.count.Sites++
	if n.count.Statuses == nil {
		n.count.Statuses = make(map[string]int64)
	}
	for i := range made {
		t := &made[i]
		if t.Detail != "" {
			n.attempt.Log.Warn("no template was learned", "site", b.Site, "learner", t.Method, "status", t.Status, "reason", t.Detail)
		}
		n.count.Statuses[t.Status]++
		n.opt.Metrics.learned.WithLabelValues(t.Method, t.Status).Inc()
		if t.Usable() {
			n.opt.Metrics.templateBytes.WithLabelValues(t.Method).Observe(float64(len(t.Body)))
		}
		err := n.rows.Append(&schemas.TemplateRow{
			Run: string(n.attempt.Item.Run), Site: b.Site, Method: t.Method, Status: t.Status, Pages: int64(len(t.Ranks)), Linked: int64(t.Linked),
			Bytes: int64(len(t.Body)), Clusters: int64(t.Clusters), Flags: strings.Join(t.Notes, ","),
			TemplateID: b.TemplateID(&t.Template), LearnNS: t.LearnNS,
			SiteBy: b.SiteBy, Version: int64(t.Version), Learned: t.Learned,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// publish makes the item's files visible in the output folder.
func (n *lesson) publish() ([]schemas.Shard, error) {
	var out []schemas.Shard
	if n.part != nil {
		if err := n.part.Close(); err != nil {
			return nil, err
		}
		sh, err := n.file.Publish(schemas.TableBundles, n.part.Sites())
		if err != nil {
			return nil, err
		}
		out = append(out, sh)
	}
	err := n.rows.Publish(&out)
	return out, err
}
