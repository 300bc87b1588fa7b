package menupages

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/equaltopdown"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// A template of whole pages has, instead of a common part, the pages themselves:
//
//	number, and for each page
//	  rank, what it is (candidate, chosen), its links if pages choose, tree
//	whether the chosen ones are tied
//
// Candidates come first, the best of them at the front, then chosen pages that are not
// candidates.

// stored is a page of such a template.
type stored struct {
	rank  uint64
	is    byte     // aCandidate, aChosen
	links []uint64 // sorted
	part  *part
	side  equaltopdown.Side
}

const (
	aCandidate byte = 1 << iota // a page of the site may choose it
	aChosen                     // chosen for the site
)

// whole reports whether the template has whole pages.
func (p Params) whole() bool { return p.Fold == FoldExact || p.CS == ChoosePage }

// finishWhole writes the pages that a page of the site may be mapped to. If there is
// not enough room, the last of the candidates that are not chosen for the site are left
// out.
func (p Params) finishWhole(chosen, candidates []sketched, tied bool, learned algorithms.Learned) (algorithms.Learned, error) {
	type entry struct {
		sketched
		is byte
	}
	var pages []entry
	if p.CS == ChoosePage {
		for _, c := range candidates {
			pages = append(pages, entry{c, aCandidate})
		}
	}
	for _, c := range chosen {
		if i := slices.IndexFunc(pages, func(e entry) bool { return e.rank == c.rank }); i >= 0 {
			pages[i].is |= aChosen
		} else {
			pages = append(pages, entry{c, aChosen})
		}
	}
	var written [][]byte
	size := headSize
	for _, page := range pages {
		of, err := p.read(page.tree)
		if err != nil {
			return algorithms.Learned{}, err
		}
		var w codec.Writer
		w.Hash(page.rank)
		w.Byte(page.is)
		if p.CS == ChoosePage {
			mask.WriteKeys(&w, page.links)
		}
		p.write(&w, of)
		written = append(written, w.Out)
		size += len(w.Out)
	}
	for i := len(pages) - 1; i >= 0 && size > algorithms.MaxTemplate; i-- {
		if pages[i].is&aChosen == 0 {
			size -= len(written[i])
			pages, written = slices.Delete(pages, i, i+1), slices.Delete(written, i, i+1)
			if !slices.Contains(learned.Notes, algorithms.NoteTruncated) {
				learned.Notes = append(learned.Notes, algorithms.NoteTruncated)
			}
		}
	}
	if size > algorithms.MaxTemplate {
		return algorithms.Learned{}, algorithms.ErrOversize
	}
	var w codec.Writer
	w.Int(len(pages))
	for _, b := range written {
		w.Out = append(w.Out, b...)
	}
	w.Byte(bit(tied))
	learned.Body = w.Out
	return learned, nil
}

// headSize is an upper bound of the bytes of the template besides the pages.
const headSize = 16

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// openWhole reads a template that finishWhole wrote.
func (p Params) openWhole(body []byte) (*Template, error) {
	r := codec.NewReader(body)
	t := &Template{pages: make([]stored, r.Int(2*algorithms.MaxLinked))}
	others := false // pages that are not candidates have begun
	for i := range t.pages {
		s := &t.pages[i]
		s.rank, s.is = r.Hash(), r.Byte()
		if p.CS == ChoosePage {
			s.links = mask.ReadKeys(r)
		}
		candidate := s.is&aCandidate != 0
		if s.is == 0 || s.is > aCandidate|aChosen || candidate && (others || p.CS != ChoosePage || i >= algorithms.MaxLinked) {
			r.Fail("page of a template")
		}
		others = others || !candidate
		s.part = p.readPart(r)
		if r.Err() != nil {
			return nil, r.Err()
		}
		s.side = s.part.side(s.part.Hashes(nil))
		if s.is&aChosen != 0 {
			t.Pages = append(t.Pages, s.rank)
			t.chosen = append(t.chosen, i)
		}
	}
	t.Tied = r.Bool("chosen pages")
	if err := r.Close(); err != nil {
		return nil, err
	}
	if p.CS == ChoosePage {
		t.ties = ties(t.candidates(), func(s *stored) (uint64, []uint64) { return s.rank, s.links })
	}
	return t, nil
}

// candidates returns the pages that may be chosen.
func (t *Template) candidates() []stored {
	n := 0
	for n < len(t.pages) && t.pages[n].is&aCandidate != 0 {
		n++
	}
	return t.pages[:n]
}

// choose returns the largest set of at most n candidates that, together with the page
// of the given rank and links, all link to each other. It is 0 if no candidate links to
// the page and is linked by it. The page itself is not in the set.
func (t *Template) choose(rank uint64, links []uint64, n int) (set uint16) {
	var tied uint16
	for i, c := range t.candidates() {
		if contains(c.links, rank) && c.rank != rank && slices.Contains(links, c.rank) {
			tied |= 1 << i
		}
	}
	if tied == 0 {
		return 0
	}
	return largest(t.ties, tied, n)
}

// mapWhole sets f.mapped: a node of the page is mapped if the mapping to every chosen
// page in turn contains it.
func (f *Free) mapWhole(p *algorithms.Pass, params Params, template *Template) {
	f.pick(p, params, template)
	labels := canon.IDC.Of(p)
	f.whole.Label = append(f.whole.Label[:0], labels.Label...)
	f.whole.End = append(f.whole.End[:0], f.Tree.End...)
	f.whole.looks = nil
	if params.Equal == EqualScore {
		f.looks.readPage(p, f.Tree)
		f.whole.looks = &f.looks
	}
	f.place = f.place[:0]
	for n := range int32(f.Tree.Len()) {
		f.place = append(f.place, n)
	}
	f.sub = append(f.sub[:0], labels.Sub...)
	for _, i := range f.chosen {
		of := &template.pages[i]
		if of.part.Len() == 0 {
			f.place = f.place[:1]
			break
		}
		left := f.mapped[:f.whole.Len()]
		f.mapper.Like = f.whole.like(of.part)
		f.mapper.Map(f.whole.side(f.sub), of.side, left)
		kept := f.place[:0]
		for n, in := range left {
			if in {
				kept = append(kept, f.place[n])
			}
		}
		f.place = kept
		f.whole.restrict(left)
		f.sub = f.whole.Hashes(f.sub)
	}
	clear(f.mapped)
	if len(f.chosen) > 0 {
		for _, n := range f.place {
			f.mapped[n] = true
		}
	}
}

// pick chooses the pages that this page is mapped to.
func (f *Free) pick(p *algorithms.Pass, params Params, template *Template) {
	f.chosen = f.chosen[:0]
	if params.CS == ChoosePage {
		rank := website.RankOf(p.URL)
		if at := p.Template.Page; at >= 0 && at < len(p.Template.Ranks) {
			rank = p.Template.Ranks[at]
		}
		set := template.choose(rank, website.Links.Of(p).Ranks, params.Pages)
		for i := range template.pages {
			if set>>i&1 != 0 {
				f.chosen = append(f.chosen, i)
			}
		}
		if len(f.chosen) > 0 {
			return
		}
		p.Notes = append(p.Notes, Fallback)
	}
	f.chosen = append(f.chosen, template.chosen...)
}

// restrict keeps the root and the nodes for which keep is true.
func (t *part) restrict(keep []bool) {
	if t.looks != nil {
		t.looks.restrict(keep)
	}
	t.Restrict(keep)
}

// readPart reads a tree and its looks.
func (p Params) readPart(r *codec.Reader) *part {
	of := new(part)
	of.Read(r)
	if p.Equal == EqualScore {
		of.looks = new(looks)
		of.looks.read(r, of.Len())
	}
	return of
}
