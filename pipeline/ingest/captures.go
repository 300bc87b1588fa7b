package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// DefaultEarlierPages is the default of Limits.EarlierPages: 256 MiB of a worker's memory.
const DefaultEarlierPages = 16 << 20

// extractedRun is a finished run, with the files of its table of pages.
type extractedRun struct {
	store    blob.Store // nil if the folder was removed since it was listed
	id       schemas.RunID
	finished time.Time
	pages    int64
	files    []string
}

// writeCaptures writes the latest capture of each page that the runs have extracted to the
// output folder, and describes the file. The result is nil if there is nothing to compare
// with.
//
// The run that was finished last counts, whatever the dates of its records are: its texts
// are the ones that were sent to a search engine last. Runs older than one that cannot be
// compared are left out with it, because their captures may not be the latest ones.
func writeCaptures(ctx context.Context, opt *Options, runs []extractedRun) (*schemas.Shard, error) {
	runs = slices.DeleteFunc(runs, func(r extractedRun) bool { return r.store == nil })
	slices.SortFunc(runs, func(a, b extractedRun) int {
		return cmp.Or(b.finished.Compare(a.finished), cmp.Compare(b.id, a.id))
	})
	runs = slices.CompactFunc(runs, func(a, b extractedRun) bool { return a.store.URL() == b.store.URL() })
	note := func(compared int, why string) {
		if opt.Note != nil {
			opt.Note(fmt.Sprintf("pages are compared with those of the latest %d of %d earlier runs, because %s: other pages count as new", compared, len(runs), why))
		}
	}
	limit, sum := cmp.Or(opt.Recipe.Limits.EarlierPages, DefaultEarlierPages), int64(0)
	for i := range runs {
		if sum += runs[i].pages; sum > limit {
			note(i, fmt.Sprintf("all have more than %d pages (--limit earlier-pages)", limit))
			runs = runs[:i]
			break
		}
	}
	if len(runs) == 0 || opt.Store == nil {
		return nil, nil
	}
	// Finished runs do not change, so the name is that of the content.
	id := sha256.New()
	for _, r := range runs {
		fmt.Fprintf(id, "%q %q %d\n", r.store.URL(), r.id, r.finished.UnixNano())
	}
	run := schemas.Run{ID: opt.Run, Hash: opt.Recipe.Digest()}
	return tables.Write(ctx, opt.Store, columnar.Captures, schemas.CapturesName(hex.EncodeToString(id.Sum(nil)[:16])), &run, columnar.PartSize,
		latest(extsort.Sorted(ctx, capturesOf(ctx, runs, note), columnar.Captures, func(a, b *schemas.Capture) int {
			return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Run, b.Run))
		})))
}

// capturesOf yields the pages of runs. It ends before the first run whose table was written
// before there were hashes of pages.
func capturesOf(ctx context.Context, runs []extractedRun, note func(compared int, why string)) iter.Seq2[*schemas.Capture, error] {
	table := columnar.PageColumns(nil, "url", "content_hash")
	return func(yield func(*schemas.Capture, error) bool) {
		for i := range runs {
			r := &runs[i]
			for _, name := range r.files {
				for page, err := range tables.Rows(ctx, r.store, table, name) {
					switch {
					case errors.Is(err, columnar.ErrNoColumn):
						note(i, fmt.Sprintf("run %s was carried out by an earlier version of the program", r.id))
						return
					case err != nil:
						yield(nil, fmt.Errorf("%s: %w", r.store.URL(), err))
						return
					case !yield(&schemas.Capture{Address: source.HashAddress(page.URL), Content: page.ContentHash, Run: int32(i)}, nil):
						return
					}
				}
			}
		}
	}
}

// latest yields one of sorted captures for each address: that of the newest run. If that run
// has several captures with different content, it yields none, so that the page counts as
// new: the one whose text was sent to a search engine last need not be the latest.
func latest(sorted iter.Seq2[*schemas.Capture, error]) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		var first schemas.Capture // of its address
		found, unsure := false, false
		for c, err := range sorted {
			if err != nil {
				yield(nil, err)
				return
			}
			if found && c.Address == first.Address {
				unsure = unsure || c.Run == first.Run && c.Content != first.Content
				continue
			}
			if found && !unsure && !yield(&first, nil) {
				return
			}
			first, found, unsure = *c, true, false
		}
		if found && !unsure {
			yield(&first, nil)
		}
	}
}
