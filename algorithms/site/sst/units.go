package sst

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/address"
	"github.com/winnow/winnow/algorithms/feature/canon"
)

// units holds the element nodes of the current page in preorder, as layout does for a
// sketched page. It is working memory of one worker.
type units struct {
	layout
	leaves []span // content leaves of each node

	tree    *canon.Tree
	looks   []uint64
	open    []int32 // children of the nodes that are being made, a stack
	labels  []uint64
	link    uint64 // feature for the address of the a element around the current node; 0 if there is none
	address []byte
}

type span struct{ first, end int32 }

// runLabel is the label of a run: texts with nothing between them that has
// content, beside an element that has.
var runLabel = xxhash.Sum64String("#run")

// Kinds of features, so that a word and a source have different hashes.
const (
	sourceFeature = 1
	linkFeature   = 2
)

// fill makes the units of the page. Features are needed for learning only.
func (u *units) fill(p *algorithms.Pass, t *canon.Tree, features bool) {
	u.nodes, u.kids, u.features = u.nodes[:0], u.kids[:0], u.features[:0]
	u.label, u.leaves, u.open = u.label[:0], u.leaves[:0], u.open[:0]
	u.tree, u.looks, u.link = t, canon.Looks.Of(p).Label, 0
	if t.Len() > 0 {
		u.element(p, 0, features)
	}
}

// element makes the units of the element n and its descendants. It is recursive, up to
// the depth of the page, which is canon.MaxDepth at most.
func (u *units) element(p *algorithms.Pass, n canon.Node, features bool) {
	t := u.tree
	own := u.add(u.looks[n], span{t.First[n], t.First[t.End[n]]})
	outer := u.link
	if features {
		u.enter(p, n)
	}
	base := len(u.open)
	run := span{-1, -1}
	inner := false
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		at := span{t.First[c], t.First[t.End[c]]}
		switch {
		case at.first == at.end: // no content
		case t.Leaves[at.first].Node == c && !t.Leaves[at.first].Media:
			if run.first < 0 {
				run.first = at.first
			}
			run.end = at.end
		default:
			u.run(p, &run, features)
			inner = true
			u.open = append(u.open, int32(len(u.nodes)))
			u.element(p, c, features)
		}
	}
	if inner {
		u.run(p, &run, features)
		u.close(own, u.open[base:])
	} else if features {
		u.say(p, own)
	}
	u.open, u.link = u.open[:base], outer
}

func (u *units) add(label uint64, leaves span) (own int32) {
	own = int32(len(u.nodes))
	u.nodes = append(u.nodes, laid{leaf: true})
	u.label = append(u.label, label)
	u.leaves = append(u.leaves, leaves)
	return own
}

// run makes the unit of a run that has ended, if there is one.
func (u *units) run(p *algorithms.Pass, run *span, features bool) {
	if run.first < 0 {
		return
	}
	own := u.add(runLabel, *run)
	u.open = append(u.open, own)
	if features {
		u.say(p, own)
	}
	*run = span{-1, -1}
}

// close makes own an inner node with the given children.
func (u *units) close(own int32, kids []int32) {
	v := laid{from: int32(len(u.kids)), to: int32(len(u.kids) + len(kids))}
	u.kids = append(u.kids, kids...)
	u.labels = u.labels[:0]
	for _, k := range kids {
		u.labels = append(u.labels, u.label[k])
	}
	v.seq, u.bytes = sequence(u.labels, u.bytes)
	u.nodes[own] = v
}

// enter remembers the link target of n.
func (u *units) enter(p *algorithms.Pass, n canon.Node) {
	if u.tree.TagHash[n] != anchor {
		return
	}
	if href, ok := p.Page.Attr(p.Body.Node[u.tree.Row[n]], "href"); ok {
		u.address, _ = address.Of.Of(p).Append(u.address[:0], href)
		u.link = canon.Join(xxhash.Sum64(u.address), linkFeature)
	}
}

var anchor = xxhash.Sum64String("a")

// say makes the features of a leaf: its words, the sources of its media, and the target
// of the link around it.
func (u *units) say(p *algorithms.Pass, own int32) {
	words := canon.WordsOf.Of(p)
	from := len(u.features)
	for i := u.leaves[own].first; i < u.leaves[own].end; i++ {
		for _, word := range words.Of(int(i)) {
			u.features = append(u.features, feature{uint32(word), 1})
		}
		l := u.tree.Leaves[i]
		if !l.Media {
			continue
		}
		if src, ok := p.Page.Attr(p.Body.Node[u.tree.Row[l.Node]], "src"); ok {
			u.address, _ = address.Of.Of(p).Append(u.address[:0], src)
			u.features = append(u.features, feature{uint32(canon.Join(xxhash.Sum64(u.address), sourceFeature)), 1})
		}
	}
	if u.link != 0 {
		u.features = append(u.features, feature{uint32(u.link), 1})
	}
	all := u.features[from:]
	slices.SortFunc(all, func(a, b feature) int { return cmp.Compare(a.hash, b.hash) })
	kept := from
	for _, f := range all {
		if kept > from && u.features[kept-1].hash == f.hash {
			u.features[kept-1].count = min(u.features[kept-1].count+1, maxCount)
			continue
		}
		u.features[kept] = f
		kept++
	}
	u.features = u.features[:kept]
	u.nodes[own].from, u.nodes[own].to = int32(from), int32(kept)
}
