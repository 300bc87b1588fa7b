package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/template"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// gatherers is how many shards are read at once: it is the store that is
	// waited for.
	gatherers = 16
	// scanIndexMax is far above what a run of a million items needs.
	scanIndexMax = 1 << 30
)

// lesson is one try to process an item of the phase learn.
type lesson struct {
	s      *slot
	j      *job
	it     *schemas.Item
	c      *journal
	t      *tally
	index  *schemas.ScanIndex
	shards []*learn.ShardReader // of index.Items; nil for those without
	crawl  *gatherer
	store  *queue.Templates // nil: the output folder alone

	rows  shard[schemas.TemplateRow]
	file  lazyFile
	part  *template.Part
	count schemas.Learned
}

// learn carries out an item of the phase learn.
func (s *slot) learn(ctx context.Context, j *job, l *queue.Lease, c *journal, t *tally) (d *schemas.Done, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &bugError{v, debug.Stack()}
			s.drop()
		}
	}()
	if err := s.use(j); err != nil {
		return nil, err
	}
	it := &l.Item
	prefix := fmt.Sprintf("%s/%s/%s-%s-", schemas.ShardFolder, it.Hash, it.ID(), attemptName())
	n := &lesson{s: s, j: j, it: it, c: c, t: t}
	n.rows = parquet(columnar.Templates, prefix, it)
	n.file = lazyFile{ctx: ctx, store: j.store, name: prefix + string(schemas.TableBundles)}
	defer n.rows.discard()
	defer n.file.discard()
	done := &schemas.Done{Version: schemas.Version, Item: *it, ID: it.ID(), Worker: s.w.opt.Name, First: it.Start, Next: it.End, Learned: &n.count}
	if err := n.open(ctx); err != nil {
		return nil, err
	}
	if len(n.count.Missing) > 0 {
		return done, ofOutput(present(ctx, j.store)) // or they are only not to be seen from here
	}
	defer n.crawl.close()
	var missing *missingShard
	err = n.buckets(ctx)
	switch {
	case errors.As(err, &missing):
		s.w.opt.Log.Warn("scan shard is gone", "item", it.ID(), "reason", err)
		n.count = schemas.Learned{Missing: []string{missing.name}}
		return done, nil
	case err != nil:
		return nil, err
	}
	if err := c.read(ctx); err != nil {
		return nil, err
	}
	done.Shards, err = n.publish()
	return done, err
}

// open reads where the candidates are.
func (n *lesson) open(ctx context.Context) error {
	name := schemas.ShardFolder + "/" + n.it.Hash + "/" + schemas.ScanIndexFile
	data, err := blob.ReadAll(ctx, n.j.store, name, scanIndexMax)
	if errors.Is(err, blob.ErrNotFound) {
		n.count.Missing = []string{name}
		return nil
	}
	if err != nil {
		return ofOutput(err)
	}
	if n.index, err = schemas.DecodeScanIndex(data); err != nil {
		return err
	}
	if n.index.Run != n.it.Run || n.index.Hash != n.it.Hash {
		return fmt.Errorf("worker: the scan index is of run %s, recipe %s", n.index.Run, n.index.Hash)
	}
	admitted := func(ctx context.Context, public string) error {
		return admit(ctx, n.s.w.opt.Queue, n.s.w.opt.Blobs, n.it.Run, public)
	}
	n.crawl = &gatherer{blobs: n.s.w.opt.Blobs, admit: admitted, store: n.j.store, index: n.index, run: n.j.run, ctx: ctx}
	n.shards = make([]*learn.ShardReader, len(n.index.Items))
	missing := make([]string, len(n.index.Items))
	err = n.each(ctx, func(i int, name string, f blob.File) (err error) {
		n.shards[i], err = learn.ReadShard(f, f.Size(), n.it.Start, n.it.End)
		return err
	}, missing)
	n.count.Missing = slices.DeleteFunc(missing, func(s string) bool { return s == "" })
	if n.store, err = n.templates(ctx, err); err != nil {
		return err
	}
	return nil
}

// templates binds to the broker's store, after err is known to be nil. That it
// is not there costs nearness and no template.
func (n *lesson) templates(ctx context.Context, err error) (*queue.Templates, error) {
	if err != nil {
		return nil, err
	}
	t, err := n.s.w.opt.Queue.Templates(ctx, n.it.Run)
	switch {
	case errors.Is(err, queue.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, &brokerError{err}
	}
	return t, nil
}

// each calls f with every shard of candidates, several at a time. The names of
// those that are gone are put into missing; without it they are an error.
func (n *lesson) each(ctx context.Context, f func(i int, name string, file blob.File) error, missing []string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(gatherers)
	for i := range n.index.Items {
		sh := shardOf(&n.index.Items[i], schemas.TableCandidates)
		if sh == nil {
			continue
		}
		g.Go(func() error {
			file, err := n.j.store.Open(ctx, sh.Name)
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

// site learns one site, or takes over what an earlier run learned.
func (n *lesson) site(ctx context.Context, name string, long []*learn.Candidate) error {
	run := n.j.run
	learned := run.Created.Unix()
	b := &template.Bundle{Site: name, SiteBy: run.Recipe.SiteBy, Sites: run.Recipe.Learn.Sites}
	old, err := n.j.earlier.Templates(ctx, name, n.j.methods, learned)
	if err != nil {
		return ofOutput(err)
	}
	// A site at which the process ended is given up like a record.
	at := schemas.Place{Offset: int64(xxhash.Sum64String(name) >> 1)}
	var made []learn.Made
	if crash := n.c.givenUp(at); crash != nil {
		n.s.w.opt.Log.Error("site given up", "run", n.it.Run, "item", n.it.ID(), "site", name,
			"crashes", crash.Times, "alone", crash.Alone, "workers", crash.Workers)
		n.s.w.opt.Metrics.deadLetters.WithLabelValues("site", "crash").Inc()
		made, old = n.s.engine.Failed(learned), nil
	} else {
		err := n.s.during(ctx, n.c, at, func() (bool, error) {
			var err error
			n.s.w.opt.Before(name, at)
			made, err = n.s.engine.Site(long, n.crawl, func(m template.Method) bool { return old[m.Name] == nil }, learned)
			return true, err
		})
		if err != nil {
			return err
		}
	}
	for _, t := range old {
		made = append(made, learn.Made{Template: *t})
	}
	slices.SortFunc(made, func(x, y learn.Made) int { return strings.Compare(x.Method, y.Method) })
	told := false // whether there is more to say than that there are too few pages
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

// keep stores a site's templates: in the part, and near the workers if there is
// room.
func (n *lesson) keep(ctx context.Context, name string, data []byte) (err error) {
	if n.part == nil {
		if n.part, err = template.NewPart(&n.file); err != nil {
			return err
		}
	}
	if err := n.part.Add(name, data); err != nil {
		return err
	}
	if n.store == nil {
		return nil
	}
	err = n.store.Put(ctx, name, data)
	switch {
	case errors.Is(err, queue.ErrConflict):
		// The copy there will not be used: it is not the one that the part names. Either
		// another worker wrote what it should not, or learning gave two answers.
		n.s.w.opt.Log.Error("the broker has other templates of a site", "item", n.it.ID(), "site", name)
	case err != nil && queue.Transient(err):
		return &brokerError{err}
	case err != nil: // full: what comes after is in the part alone
		n.s.w.opt.Log.Warn("templates are not in the broker", "site", name, "reason", err)
		n.store = nil
	}
	return nil
}

// row writes the rows of a site.
func (n *lesson) row(ctx context.Context, b *template.Bundle, made []learn.Made) error {
	n.count.Sites++
	if n.count.Statuses == nil {
		n.count.Statuses = make(map[string]int64)
	}
	for i := range made {
		t := &made[i]
		if t.Detail != "" {
			n.s.w.opt.Log.Warn("method did not learn", "item", n.it.ID(), "site", b.Site, "method", t.Method, "status", t.Status, "reason", t.Detail)
		}
		n.count.Statuses[t.Status]++
		n.s.w.opt.Metrics.learned.WithLabelValues(t.Method, t.Status).Inc()
		if t.Usable() {
			n.s.w.opt.Metrics.templateBytes.WithLabelValues(t.Method).Observe(float64(len(t.Body)))
		}
		err := n.rows.append(ctx, n.j.store, &schemas.TemplateRow{
			Run: string(n.it.Run), Site: b.Site, Method: t.Method, Status: t.Status, Pages: int64(len(t.Ranks)), Linked: int64(t.Linked),
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

// publish makes what was learned appear.
func (n *lesson) publish() ([]schemas.Shard, error) {
	var out []schemas.Shard
	if n.part != nil {
		if err := n.part.Close(); err != nil {
			return nil, err
		}
		w, err := n.file.w.Commit()
		if err != nil {
			return nil, ofOutput(err)
		}
		out = append(out, schemas.Shard{Table: schemas.TableBundles, Name: w.Name, Rows: n.part.Sites(), Bytes: w.Bytes, SHA256: w.SHA256})
	}
	if n.rows.rows != nil {
		sh, err := n.rows.publish()
		if err != nil {
			return nil, err
		}
		out = append(out, sh)
	}
	return out, nil
}
