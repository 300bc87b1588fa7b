package verify

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// sampled is an item of the sample, and the part that holds it.
type sampled struct {
	part *schemas.Part
	item *schemas.Commit
}

// sample chooses items at random among those that were read and whose part is sound.
func (v *verifier) sample(ctx context.Context) ([]sampled, error) {
	var all []sampled
	for i := range v.manifest.Parts {
		p := &v.manifest.Parts[i]
		if slices.ContainsFunc(p.Files, func(f schemas.Shard) bool { _, damaged := v.damage[f.Name]; return damaged }) {
			continue
		}
		crashed, err := v.crashes(ctx, p)
		if err != nil {
			return nil, err
		}
		for j := range p.Items {
			c := &p.Items[j]
			if !c.Dead && c.First >= 0 && c.Next > c.First && !crashed(c) {
				all = append(all, sampled{p, c})
			}
		}
	}
	v.result.Items = len(all)
	draw := rand.New(rand.NewPCG(v.Seed, 0))
	n := min(v.Sample, len(all))
	for i := range n {
		j := i + draw.IntN(len(all)-i)
		all[i], all[j] = all[j], all[i]
	}
	return all[:n], nil
}

// crashes returns a function that says whether an item has a record that ended the
// process of a worker. The same record could end this process.
func (v *verifier) crashes(ctx context.Context, p *schemas.Part) (func(*schemas.Commit) bool, error) {
	at := map[string][]int64{} // offsets of such records, by file
	for row, err := range tables.PartRows(ctx, v.store, columnar.Failures, p) {
		if err != nil {
			return nil, err
		}
		if row.Stage == "record" && row.Reason == "crash" {
			at[row.File] = append(at[row.File], row.Offset)
		}
	}
	return func(c *schemas.Commit) bool {
		f := &v.manifest.Run.Files[c.File]
		return slices.ContainsFunc(at[f.URL], func(offset int64) bool {
			// The offsets of an index's records are not those of the items.
			return f.Selection != (schemas.Selection{}) || offset >= c.First && offset < c.Next
		})
	}, nil
}
