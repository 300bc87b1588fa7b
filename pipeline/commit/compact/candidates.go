package compact

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

const (
	// The number of candidates of an item of the phase learn is chosen, within these bounds, so that a run
	// has learnItemsMin items. In a run with many candidates the items are larger, so that
	// there are at most learnItemsMax.
	itemRowsMin, itemRowsMax     = 256, 4 << 10
	learnItemsMin, learnItemsMax = 64, 512
	// maxFrom bounds SiteRange.From in bytes.
	maxFrom = 1 << 10
)

// Candidates sorts the candidates that the phase scan left by site and rank, and writes
// those that are used: a file for every item of the phase learn. They come from parts that
// CandidatePart wrote, and from further entries.
func (c *Compactor) Candidates(ctx context.Context, parts []schemas.Shard, entries []*Entry) ([]schemas.SiteRange, error) {
	found := new(Damage)
	s, total, err := c.sortCandidates(ctx, found, entries)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if found.Any() {
		return nil, found
	}
	for _, p := range parts {
		total += p.Rows
		for row, err := range tables.Rows(ctx, c.Store, columnar.Candidates, p.Name) {
			if err == nil {
				err = s.Add(row)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	itemRows := max(itemRowsMin, min(itemRowsMax, total/learnItemsMin), total/learnItemsMax)
	next, stop := iter.Pull2(sampled(used(s.Sorted(ctx))))
	defer stop()
	row, err, more := next()
	var out []schemas.SiteRange
	for from := ""; more; {
		name := schemas.CandidatesName(c.Run.Hash, len(parts)+len(out), c.Term)
		out = append(out, schemas.SiteRange{From: from, Candidates: name})
		_, err := tables.Write(ctx, c.Store, columnar.Candidates, name, c.Run, c.Size, func(yield func(*schemas.Candidate, error) bool) {
			site := ""
			for n := int64(0); more && err == nil; n++ {
				if row.Site != site && n >= itemRows {
					if from = beginning(row.Site); from > site {
						return
					}
				}
				site = row.Site
				if !yield(row, nil) {
					return
				}
				row, err, more = next()
			}
			if err != nil {
				yield(nil, err)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// CandidatePart writes the candidates of some items to a file, which Candidates reads.
func (c *Compactor) CandidatePart(ctx context.Context, seq int, entries []*Entry) (*schemas.Shard, error) {
	found := new(Damage)
	s, _, err := c.sortCandidates(ctx, found, entries)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if found.Any() {
		return nil, found
	}
	return tables.Write(ctx, c.Store, columnar.Candidates, schemas.CandidatesName(c.Run.Hash, seq, c.Term), c.Run, c.Size, used(s.Sorted(ctx)))
}

// sortCandidates adds the candidates of entries to a sorter, which the caller closes. A
// copy of records that is gone is damage, too.
func (c *Compactor) sortCandidates(ctx context.Context, found *Damage, entries []*Entry) (s *extsort.Sorter[schemas.Candidate], total int64, err error) {
	s = newSorter(c, columnar.Candidates, schemas.CompareCandidates)
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	copies := map[*Entry]string{}
	for _, e := range entries {
		if e.Done == nil {
			continue
		}
		for i := range e.Done.Shards {
			shard := &e.Done.Shards[i]
			if shard.Table != schemas.TableSamples {
				continue
			}
			copies[e] = shard.Name
			if err := c.checkSize(ctx, shard); err != nil && IsDamage(err) {
				found.Add(e, err)
			} else if err != nil {
				return s, 0, err
			}
		}
	}
	total, err = gather(ctx, c, found, columnar.Candidates, s, entries, func(e *Entry, row *schemas.Candidate) {
		f := &e.Item.File
		row.File, row.Private, row.Stored, row.Copies = int32(f.Index), f.Private, f.Stored, ""
		if row.Copy >= 0 {
			if row.Stored, row.Copies = (schemas.Stored{}), copies[e]; row.Copies == "" {
				found.Add(e, fmt.Errorf("%w: a candidate has a copy, and its item has none", columnar.ErrMalformed))
			}
		}
	})
	return s, total, err
}

// used yields those of the sorted candidates that are used: the pages of smallest rank of
// each site, and for each address the redirect and the captures that are preferred; a file has
// one capture for each day. Those
// of a union are among those of each part, so the result does not depend on how the input
// is divided, on the order, or on repetitions.
func used(rows iter.Seq2[*schemas.Candidate, error]) iter.Seq2[*schemas.Candidate, error] {
	return func(yield func(*schemas.Candidate, error) bool) {
		var last schemas.Candidate
		ranks, captures := 0, 0 // numbers for the current site and kind, and for the current rank
		const day = 24 * 60 * 60
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			switch {
			case row.Site != last.Site || row.Kind != last.Kind || last.Kind == "":
				ranks, captures = 1, 1
			case row.Rank != last.Rank:
				ranks, captures = ranks+1, 1
			case row.Kind == schemas.KindFile && row.Date/day == last.Date/day:
				continue // the last capture of a day counts, and it came first
			default:
				captures++
			}
			last.Site, last.Kind, last.Rank, last.Date = row.Site, row.Kind, row.Rank, row.Date
			switch row.Kind {
			case schemas.KindFile:
				if captures > schemas.FileDays {
					continue
				}
			case schemas.KindPage:
				if ranks > schemas.SitePages || captures > 1 {
					continue
				}
			case schemas.KindTarget:
				if captures > schemas.TargetCaptures {
					continue
				}
			default:
				if captures > 1 {
					continue
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// sampled yields the candidates of sites that have a page for their sample or a file, which
// comes first.
func sampled(rows iter.Seq2[*schemas.Candidate, error]) iter.Seq2[*schemas.Candidate, error] {
	return func(yield func(*schemas.Candidate, error) bool) {
		site, known := "", false
		for row, err := range rows {
			if err == nil && (row.Kind == schemas.KindPage || row.Kind == schemas.KindFile) {
				site, known = row.Site, true
			}
			if (err != nil || known && row.Site == site) && !yield(row, err) {
				return
			}
		}
	}
}

// beginning returns a text that can be stored anywhere and that does not come after a
// site.
func beginning(site string) string {
	site = site[:min(len(site), maxFrom)]
	if i := strings.IndexFunc(site, func(r rune) bool { return r == '\uFFFD' }); i >= 0 { // no UTF-8
		site = site[:i]
	}
	return strings.Clone(site)
}
