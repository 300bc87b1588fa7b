package learn

import (
	"context"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// siteStream reads the sorted candidates of an item from front to back, one site after
// the other: its files, the pages for its sample, redirects, and pages that may be linked to.
// It holds the files and the pages for the sample, and what Seek asks for.
type siteStream struct {
	file blob.File
	pull func() (*schemas.Candidate, error, bool)
	stop func()
	row  *schemas.Candidate // the next one that is not taken; nil at the end

	site      string
	redirects map[uint64]uint64               // ranks of the targets of the site's redirects, by the rank of the redirect
	targets   map[uint64][]*schemas.Candidate // targets on the site by rank, the best first
}

// openSites opens a file of sorted candidates.
func openSites(ctx context.Context, store blob.Store, name string) (*siteStream, error) {
	file, err := store.Open(ctx, name)
	if err != nil {
		return nil, worker.OutputError(err)
	}
	r, err := columnar.NewReader(columnar.Candidates, file, file.Size())
	if err != nil {
		file.Close()
		return nil, worker.OutputError(fmt.Errorf("%s: %w", name, err))
	}
	s := &siteStream{file: file}
	s.pull, s.stop = iter.Pull2(r.All(ctx))
	if err := s.advance(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *siteStream) close() {
	s.stop()
	s.file.Close()
}

// advance goes to the next row.
func (s *siteStream) advance() error {
	row, err, more := s.pull()
	if err != nil {
		return worker.OutputError(err)
	}
	if s.row = row; !more {
		s.row = nil
	}
	return nil
}

// next goes to the next site and returns its files, the latest of each address first, and its
// pages for the sample, in the order of ranks. There are neither at the end.
func (s *siteStream) next() (files, pages []*schemas.Candidate, err error) {
	s.redirects, s.targets = nil, nil
	for s.row != nil && s.row.Site == s.site { // what Seek left
		if err := s.advance(); err != nil {
			return nil, nil, err
		}
	}
	if s.row == nil {
		return nil, nil, nil
	}
	for s.site = s.row.Site; s.row != nil && s.row.Site == s.site; {
		c := *s.row
		switch c.Kind {
		case schemas.KindFile:
			files = append(files, &c)
		case schemas.KindPage:
			pages = append(pages, &c)
		default:
			return files, pages, nil
		}
		if err := s.advance(); err != nil {
			return nil, nil, err
		}
	}
	return files, pages, nil
}

// Seek implements Crawl: it reads the rest of the site.
func (s *siteStream) Seek(ranks []uint64) error {
	s.redirects, s.targets = map[uint64]uint64{}, map[uint64][]*schemas.Candidate{}
	wanted := make(map[uint64]bool, len(ranks))
	for _, r := range ranks {
		wanted[r] = true
	}
	for s.row != nil && s.row.Site == s.site {
		switch c := *s.row; {
		case !wanted[c.Rank]:
		case c.Kind == schemas.KindRedirect:
			// A redirect to another redirect is not followed.
			s.redirects[c.Rank] = c.Target
			wanted[c.Target] = true
		case c.Kind == schemas.KindTarget:
			s.targets[c.Rank] = append(s.targets[c.Rank], &c)
		}
		if err := s.advance(); err != nil {
			return err
		}
	}
	return nil
}

// Captures implements Crawl. If there is no page at an address, it returns the pages to
// which a redirect from the address leads.
func (s *siteStream) Captures(rank uint64) []*schemas.Candidate {
	if out := s.targets[rank]; len(out) > 0 {
		return out
	}
	if to, ok := s.redirects[rank]; ok {
		return s.targets[to]
	}
	return nil
}
