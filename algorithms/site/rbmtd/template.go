package rbmtd

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// MaxPaths bounds how many paths of a page are compared, and how many of a
// leader are stored.
const MaxPaths = 4096

// sketch is what learning uses of one page.
type sketch struct {
	paths []uint64 // distinct, sorted
	keys  []uint64 // hashes of the subtrees with content leaves: distinct, sorted
	sizes []int    // nodes of the subtree of each key
}

// sketchPage writes the sketch of the page.
func sketchPage(pass *algorithms.Pass) ([]byte, error) {
	t, err := canon.Of(pass)
	if err != nil {
		return nil, err
	}
	sub := canon.Full.Of(pass).Sub
	type subtree struct {
		key  uint64
		size int
	}
	subtrees := make([]subtree, 0, t.Len())
	for n := range canon.Node(t.Len()) {
		if t.First[n] < t.First[t.End[n]] { // others remove nothing
			subtrees = append(subtrees, subtree{canon.Join(t.Path[n], sub[n]), int(t.End[n] - n)})
		}
	}
	slices.SortFunc(subtrees, func(a, b subtree) int { return cmp.Or(cmp.Compare(a.key, b.key), a.size-b.size) })
	subtrees = slices.CompactFunc(subtrees, func(a, b subtree) bool { return a.key == b.key })

	var w codec.Writer
	mask.WriteKeys(&w, distinctPaths(nil, t))
	keys := make([]uint64, len(subtrees))
	for i, s := range subtrees {
		keys[i] = s.key
	}
	mask.WriteKeys(&w, keys)
	for _, s := range subtrees {
		w.Int(s.size)
	}
	return w.Out, nil
}

func readSketch(data []byte) (s sketch, err error) {
	r := codec.NewReader(data)
	s.paths = mask.ReadKeys(r)
	s.keys = mask.ReadKeys(r)
	s.sizes = make([]int, len(s.keys))
	for i := range s.sizes {
		s.sizes[i] = r.Int(canon.MaxNodes)
	}
	return s, r.Close()
}

// finish makes a template of every cluster of two pages and more.
func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	pages := make([]sketch, len(s.Pages))
	for i, page := range s.Pages {
		var err error
		if pages[i], err = readSketch(page.Data); err != nil {
			return algorithms.Learned{}, err
		}
	}
	var made []cluster
	for _, g := range groups(pages, p.Sigma) {
		n := bits.OnesCount64(g.members)
		if n < 2 {
			continue
		}
		keys := make([][]uint64, len(pages))
		for i := range pages {
			if g.members>>i&1 != 0 {
				keys[i] = pages[i].keys
			}
		}
		paths := pages[g.leader].paths
		made = append(made, cluster{
			members: g.members,
			paths:   paths[:min(len(paths), MaxPaths)],
			entries: mask.Common(mask.Fold(keys), mask.Threshold(p.Rho, n)),
		})
	}
	if len(made) == 0 {
		return algorithms.Learned{}, algorithms.ErrTooFewPages
	}
	learned := algorithms.Learned{Clusters: len(made), Nothing: true}
	if evict(made, pages) {
		learned.Notes = append(learned.Notes, algorithms.NoteTruncated)
	}
	var w codec.Writer
	w.Int(len(made))
	for _, c := range made {
		w.Hash(c.members)
		mask.WriteKeys(&w, c.paths)
		mask.Write(&w, c.entries)
		learned.Nothing = learned.Nothing && len(c.entries) == 0
	}
	if learned.Body = w.Out; len(learned.Body) > algorithms.MaxTemplate {
		return algorithms.Learned{}, algorithms.ErrOversize // by paths alone
	}
	return learned, nil
}

// countSize is an upper bound of the bytes that the numbers of entries take, for all
// clusters.
const countSize = 8 + 2*5*algorithms.MaxSample

// evict drops the smallest subtrees of all clusters until the template fits, and
// reports whether it dropped any.
func evict(made []cluster, pages []sketch) bool {
	size, entries := countSize, 0
	for _, c := range made {
		size += 8 + 8*len(c.paths) + mask.EntrySize*len(c.entries)
		entries += len(c.entries)
	}
	excess := (size - algorithms.MaxTemplate + mask.EntrySize - 1) / mask.EntrySize
	if excess <= 0 {
		return false
	}
	sizes := make(map[uint64]int, entries)
	for _, s := range pages {
		for i, key := range s.keys {
			sizes[key] = max(sizes[key], s.sizes[i])
		}
	}
	type place struct {
		size    int
		key     uint64
		cluster int
	}
	order := make([]place, 0, entries)
	for i, c := range made {
		for _, e := range c.entries {
			order = append(order, place{sizes[e.Key], e.Key, i})
		}
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(a.size-b.size, cmp.Compare(a.key, b.key), a.cluster-b.cluster)
	})
	gone := make(map[place]bool)
	for _, p := range order[:min(excess, len(order))] {
		gone[p] = true
	}
	for i := range made {
		made[i].entries = slices.DeleteFunc(made[i].entries, func(e mask.Entry) bool {
			return gone[place{sizes[e.Key], e.Key, i}]
		})
	}
	return true
}

// template is what was learned about a site.
type template struct{ clusters []cluster }

// cluster is what was learned about pages of similar structure.
type cluster struct {
	members uint64   // the places of its pages in the sample
	paths   []uint64 // paths of its leader: sorted, at most MaxPaths
	entries []mask.Entry
	keys    *mask.Map // entries, when they are to be found
}

// open reads a template.
func open(body []byte) (any, error) {
	r := codec.NewReader(body)
	t := &template{clusters: make([]cluster, r.Int(algorithms.MaxSample/2))}
	for i := range t.clusters {
		c := &t.clusters[i]
		c.members = r.Hash()
		c.paths = mask.ReadKeys(r)
		c.keys = mask.Read(r, algorithms.MaxSample)
		if len(c.paths) > MaxPaths || c.members == 0 {
			r.Fail("cluster")
		}
		if r.Err() != nil {
			break
		}
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return t, nil
}
