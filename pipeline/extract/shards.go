package extract

import (
	"context"
	"errors"

	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/pipeline/worker/shard"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// shards are the rows of one attempt at one item.
type shards struct {
	pages     *shard.Table[schemas.Page]
	documents *shard.Table[schemas.Document]
	scores    *shard.Table[schemas.ScoreRow]
	links     *shard.Table[schemas.LinkRow]
	texts     *shard.Table[schemas.Text]
	failures  *shard.Table[schemas.Failure]
	agreement *shard.Table[schemas.AgreementRow]
	records   *copies
}

func newShards(ctx context.Context, a *worker.Attempt) *shards {
	return &shards{
		pages:     shard.NewParquet(ctx, a, columnar.PagesOf(&a.Job.Run.Recipe)),
		documents: shard.NewParquet(ctx, a, columnar.DocumentsOf(&a.Job.Run.Recipe)),
		scores:    shard.NewParquet(ctx, a, columnar.Scores),
		links:     shard.NewParquet(ctx, a, columnar.Links),
		texts:     shard.NewParquet(ctx, a, columnar.TextsOf(&a.Job.Run.Recipe)),
		failures:  shard.NewParquet(ctx, a, columnar.Failures),
		agreement: shard.NewParquet(ctx, a, columnar.Agreement),
		records:   newCopies(ctx, a),
	}
}

// publish makes all shards visible, one after the other, and returns them in a fixed
// order. If it fails, some shards may be visible, but no report names them.
func (s *shards) publish() (out []schemas.Shard, err error) {
	err = errors.Join(s.pages.Publish(&out), s.documents.Publish(&out), s.scores.Publish(&out), s.links.Publish(&out), s.texts.Publish(&out), s.failures.Publish(&out), s.agreement.Publish(&out), s.records.publish(&out))
	return out, err
}

// discard removes the shards that were not published.
func (s *shards) discard() {
	s.pages.Discard()
	s.documents.Discard()
	s.scores.Discard()
	s.links.Discard()
	s.texts.Discard()
	s.failures.Discard()
	s.agreement.Discard()
	s.records.discard()
}
