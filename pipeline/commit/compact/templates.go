package compact

import (
	"context"
	"fmt"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Templates makes a part of the table of templates of what an item of the phase learn
// made: its shard with another name, because the items are in the order of sites. to is
// where the item's range of sites ends ("": it has no end). The error is a *Damage if the shard
// cannot be used.
func (c *Compactor) Templates(ctx context.Context, e *Entry, to string) (part schemas.Shard, err error) {
	var rows int64
	for i := range e.Done.Shards {
		s := &e.Done.Shards[i]
		if s.Table != schemas.TableTemplates {
			continue
		}
		last := schemas.TemplateRow{Site: e.Item.Sites.From}
		err = readShard(ctx, c, columnar.Templates, s, func(row *schemas.TemplateRow) error {
			if schemas.CompareTemplates(&last, row) >= 0 && rows > 0 || row.Site < last.Site || to != "" && row.Site >= to {
				return fmt.Errorf("%w: a row of site %.200q is not in its place", columnar.ErrMalformed, row.Site)
			}
			last.Site, last.Method = row.Site, row.Method
			rows++
			return nil
		})
		if err == nil {
			part = *s
			part.Name = schemas.PartName(schemas.TableTemplates, e.Item.Seq, c.Term) + ".parquet"
			err = c.Copy(ctx, s, part.Name)
		}
	}
	if n := account.Sum(e.Done.Learned.Statuses); err == nil && rows != n {
		err = fmt.Errorf("%w: its shard has %d rows of templates, its report %d", account.ErrConservation, rows, n)
	}
	if err != nil && IsDamage(err) {
		found := new(Damage)
		found.Add(e, err)
		return part, found
	}
	return part, err
}
