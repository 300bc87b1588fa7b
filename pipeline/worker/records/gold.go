package records

import (
	"context"
	"fmt"

	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/worker"
)

// OpenGold reads the side file with gold that the recipe of a run names, nil if it names
// none. A file that has changed since the run was planned is an error.
func OpenGold(ctx context.Context, j *worker.Job) (*gold.SideFile, error) {
	r := &j.Run.Recipe
	if r.Gold == "" {
		return nil, nil
	}
	if r.GoldPrivate {
		if err := j.Admit(ctx, r.Gold); err != nil {
			return nil, err
		}
	}
	s, err := source.ReadGold(ctx, j.Blobs, r.Gold)
	if err == nil && s.Digest != r.GoldDigest {
		err = fmt.Errorf("gold file %s has changed since the run was planned", r.Gold)
	}
	return s, err
}
