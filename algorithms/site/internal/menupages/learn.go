package menupages

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/equaltopdown"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// Fallback is the note on a template of pages that do not link to each other.
const Fallback = "cs_fallback"

// defaultPages is the default of Params.Pages.
const defaultPages = 4

// Params are the settings that learning depends on.
type Params struct {
	Pages int    // chosen at most
	Equal string // when two nodes are equal: EqualLabel or EqualScore
	Fold  string // what is stored: FoldCommon or FoldExact
	CS    string // for what pages are chosen: ChooseSite or ChoosePage
}

// Values of Params.Equal.
const (
	EqualLabel = "label" // tag, id and classes are equal
	EqualScore = "score" // the tag is, and most of id, classes and number of children
)

// Values of Params.Fold.
const (
	FoldCommon = "common" // the common part of the chosen pages
	FoldExact  = "exact"  // the chosen pages, which a page is mapped to in turn
)

// The values of Params.CS. If each page chooses, it is mapped to the chosen pages in
// turn, whatever Fold says.
const (
	ChooseSite = "site" // once for the site
	ChoosePage = "page" // for every page, by its own links
)

// Default has the values of the reconstruction.
var Default = Params{Pages: defaultPages, Equal: EqualLabel, Fold: FoldCommon, CS: ChooseSite}

// Settings are the settings of p.
func (p *Params) Settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("n", &p.Pages, 2, algorithms.MaxLinked, "pages that link to each other, whose common part is the template"),
		setting.Choice("eq", &p.Equal, "nodes are equal by tag, id and classes, or by a score of how equal these are", EqualLabel, EqualScore),
		setting.Choice("fold", &p.Fold, "a page is mapped to the common part of the chosen pages, or to these in turn, as published", FoldCommon, FoldExact),
		setting.Choice("cs", &p.CS, "pages are chosen once for the site, or by the links of the page at hand, as published", ChooseSite, ChoosePage),
	}
}

// Learner learns with the given settings.
func Learner(p Params) *algorithms.Learner {
	return &algorithms.Learner{
		Version:  1,
		MinPages: 2,
		As:       p.as(),
		Linked:   true,
		Sketch:   p.sketch,
		Finish:   p.finish,
		Open:     func(body []byte) (any, error) { return p.open(body) },
	}
}

// as returns the name of what is learned, which depends on the settings.
func (p Params) as() string {
	name := fmt.Sprintf("temex:eq=%s:n=%d", p.Equal, p.Pages)
	switch {
	case p.CS == ChoosePage:
		name += ":cs=page"
	case p.Fold == FoldExact:
		name += ":fold=exact"
	}
	return name
}

// sketch writes the links and the labels of a page, and its looks if they matter.
func (p Params) sketch(pass *algorithms.Pass) ([]byte, error) {
	t, err := canon.Of(pass)
	if err != nil {
		return nil, err
	}
	var w codec.Writer
	mask.WriteKeys(&w, mask.Keys(slices.Clone(website.Links.Of(pass).Ranks)))
	tree := labeltree.Tree{Label: canon.IDC.Of(pass).Label, End: t.End}
	tree.Write(&w)
	if p.Equal == EqualScore {
		var k looks
		k.readPage(pass, t)
		k.write(&w)
	}
	if len(w.Out) > algorithms.MaxSketch { // only classes without end can do that
		return nil, algorithms.ErrPageTooLarge
	}
	return w.Out, nil
}

// sketched is a page's sketch. The tree is read when it is needed.
type sketched struct {
	rank  uint64
	links []uint64
	tree  *codec.Reader
}

func readAll(pages []algorithms.Sketched) ([]sketched, error) {
	read := make([]sketched, len(pages))
	for i, p := range pages {
		r := codec.NewReader(p.Data)
		read[i] = sketched{p.Rank, mask.ReadKeys(r), r}
		if err := r.Err(); err != nil {
			return nil, err
		}
	}
	return read, nil
}

func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	sample, err := readAll(s.Pages)
	if err != nil {
		return algorithms.Learned{}, err
	}
	linked, err := readAll(s.Linked)
	if err != nil {
		return algorithms.Learned{}, err
	}
	var learned algorithms.Learned
	from := candidates(sample, linked)
	chosen := choose(from, p.Pages)
	tied := chosen != nil
	if !tied {
		chosen = sample[:min(p.Pages, len(sample))]
		learned.Notes = append(learned.Notes, Fallback)
	}
	if len(chosen) < 2 {
		return algorithms.Learned{}, algorithms.ErrTooFewPages
	}
	if p.whole() {
		return p.finishWhole(chosen, from, tied, learned)
	}
	tree, err := p.common(chosen)
	if err != nil {
		return algorithms.Learned{}, err
	}
	var w codec.Writer
	w.Int(len(chosen))
	for _, page := range chosen {
		w.Hash(page.rank)
	}
	w.Byte(bit(tied))
	p.write(&w, tree)
	if learned.Body = w.Out; len(learned.Body) > algorithms.MaxTemplate {
		return algorithms.Learned{}, algorithms.ErrOversize
	}
	learned.Nothing = tree.Len() <= 1
	return learned, nil
}

// common returns the part that the pages have in common.
func (p Params) common(pages []sketched) (*part, error) {
	var m equaltopdown.Mapper
	var of *part
	for i, page := range pages {
		next, err := p.read(page.tree)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			of = next
			continue
		}
		mapped := make([]bool, of.Len())
		if len(mapped) > 0 && next.Len() > 0 {
			a := of.side(of.Hashes(nil))
			b := next.side(next.Hashes(nil))
			m.Like = of.like(next)
			m.Map(a, b, mapped)
		}
		of.restrict(mapped)
	}
	return of, nil
}

// part is a page, or what remains of one after mapping.
type part struct {
	labeltree.Tree
	looks *looks // nil if labels alone matter
}

func (p Params) write(w *codec.Writer, of *part) {
	of.Write(w)
	if of.looks != nil {
		of.looks.write(w)
	}
}

// read reads the rest of a sketch or template.
func (p Params) read(r *codec.Reader) (*part, error) {
	of := p.readPart(r)
	return of, r.Close()
}

// side returns the part with the hashes of its subtrees, ready for mapping.
func (t *part) side(sub []uint64) equaltopdown.Side {
	s := equaltopdown.Side{Tree: &t.Tree, Sub: sub}
	if t.looks != nil {
		s.Group = t.looks.groups(&t.Tree)
	}
	return s
}

// like returns the equality of nodes of t and o in one group, or nil if all are equal.
func (t *part) like(o *part) func(x, y int32) bool {
	if t.looks == nil || o.looks == nil {
		return nil
	}
	return func(x, y int32) bool { return t.looks.equal(x, o.looks, y) }
}

// Template is the common part of the chosen pages of a site.
type Template struct {
	Pages []uint64 // ranks of the chosen pages
	Tied  bool     // they link to each other

	part *part // nil if the template has whole pages
	side equaltopdown.Side

	pages  []stored
	chosen []int    // places in pages
	ties   []uint16 // for each candidate, the candidates tied to it; see ties
}

// Nodes returns the number of nodes of the common part.
func (t *Template) Nodes() int { return t.part.Len() }

func (p Params) open(body []byte) (*Template, error) {
	if p.whole() {
		return p.openWhole(body)
	}
	r := codec.NewReader(body)
	t := &Template{Pages: make([]uint64, r.Int(algorithms.MaxLinked))}
	for i := range t.Pages {
		t.Pages[i] = r.Hash()
	}
	t.Tied = r.Bool("chosen pages")
	var err error
	if t.part, err = p.read(r); err != nil {
		return nil, err
	}
	t.side = t.part.side(t.part.Hashes(nil))
	return t, nil
}
