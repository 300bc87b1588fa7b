package extract

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// capture is a row of the table of captures, without what is not needed to compare: the
// worker holds one for each address of the earlier runs.
//
// A page that has changed counts as unchanged if the 64 bits of its content agree by chance,
// and a new page if those of its address do, too. A billion changed pages a night have one
// such mistake in fifty million years. The hashes are no protection against a page that is
// made to agree: it keeps its own old text, or that of a page whose next content it knows.
type capture struct{ address, content uint64 }

// openCaptures reads the captures of pages in earlier runs that the plan names.
func (w *work) openCaptures(ctx context.Context) error {
	f := w.job.Run.Captures
	if f == nil {
		return nil
	}
	list, err := readCaptures(ctx, w.job, f)
	if err != nil {
		return worker.OutputError(fmt.Errorf("captures of earlier runs: %s: %w", f.Name, err))
	}
	w.captures = list
	return nil
}

func readCaptures(ctx context.Context, j *worker.Job, f *schemas.Shard) ([]capture, error) {
	file, err := j.Store.Open(ctx, f.Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := columnar.NewReader(columnar.Captures, file, file.Size())
	if err == nil && r.Rows() != f.Rows {
		err = fmt.Errorf("%w: %d rows, and the plan says %d", columnar.ErrMalformed, r.Rows(), f.Rows)
	}
	if err != nil {
		return nil, err
	}
	list := make([]capture, 0, f.Rows)
	for row, err := range r.All(ctx) {
		if err != nil {
			return nil, err
		}
		list = append(list, capture{row.Address, row.Content})
	}
	return list, nil
}

// unchanged reports whether the latest capture of an address in earlier runs has this
// content.
func (w *work) unchanged(url string, content uint64) bool {
	i, found := slices.BinarySearchFunc(w.captures, source.HashAddress(url), func(c capture, address uint64) int {
		return cmp.Compare(c.address, address)
	})
	return found && w.captures[i].content == content
}

// allAnswered reports whether every extractor has an answer to the page, which may be empty. The
// others may have one another time: their time was up, or the site had too few pages.
func allAnswered(res *driver.Result) bool {
	return !slices.ContainsFunc(res.Extractions, func(x driver.Extraction) bool {
		return x.Outcome != algorithms.OK && x.Outcome != algorithms.Empty
	})
}

// hashContent returns the hash of all that extractors and facts read of a page itself, and of
// what files of its host say about it: a page that newly forbids something is not unchanged.
func hashContent(p *source.Page, site *fact.Site) uint64 {
	h := xxhash.New()
	if site == nil {
		site = new(fact.Site)
	}
	fmt.Fprintf(h, "%d %q %q\n", p.Status, p.Fields, *site)
	h.Write(p.HTML)
	return h.Sum64()
}
