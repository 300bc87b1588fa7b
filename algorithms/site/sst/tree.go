package sst

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// layout holds the element nodes of one page in preorder, as they were sketched.
type layout struct {
	nodes    []laid
	label    []uint64  // tag and looks of each node; of body it does not matter
	kids     []int32   // children of all nodes
	features []feature // features of all leaves
	bytes    []byte    // scratch
}

// laid is an element node of one page: a leaf, or an inner node laid out in one
// style.
type laid struct {
	leaf     bool
	seq      uint64 // for an inner node, its style
	from, to int32  // its part of layout.kids, or of a leaf of layout.features
}

// feature is a word, a source or a link target of a leaf, as a hash, and how
// often the leaf has it.
type feature struct {
	hash  uint32
	count uint32
}

// element is an element node of the style tree.
type element struct {
	importance float64 // composite importance
	state      state
	styles     []style // by sequence, the leaf form first
}

// style is one way in which the children of an element are laid out.
type style struct {
	leaf   bool     // the element has no children: its only child represents the element itself
	seq    uint64   // otherwise: their sequence
	labels []uint64 // … spelled out
	pages  int      // number of pages that use it
	kids   []element
}

// state is the decision about an element.
type state uint8

const (
	noisy      state = iota // it and all below are unimportant: dropped
	meaningful              // nothing noisy is at or below it: kept
	mixed
)

// ref is an element node of a page.
type ref struct {
	page *layout
	node int32
}

// builder builds the style tree of the pages of a site.
type builder struct {
	Params
	joined []feature // features of one leaf on all pages
}

// build makes the element node of one place of the pages. It visits every
// node of every page once.
func (b *builder) build(refs []ref) element {
	if len(refs) == 1 {
		// Every leaf that occurs on one page only has importance 1, and so has every
		// mean over them.
		return element{importance: 1, state: meaningful}
	}
	slices.SortStableFunc(refs, func(x, y ref) int {
		v, w := x.laid(), y.laid()
		if v.leaf != w.leaf {
			if v.leaf {
				return -1
			}
			return 1
		}
		return cmp.Compare(v.seq, w.seq)
	})
	var e element
	var shares entropy
	for from := 0; from < len(refs); {
		first, to := refs[from].laid(), from+1
		for to < len(refs) && refs[to].laid().leaf == first.leaf && refs[to].laid().seq == first.seq {
			to++
		}
		shares.add(int64(to - from))
		e.styles = append(e.styles, style{leaf: first.leaf, seq: first.seq, labels: refs[from].labels(), pages: to - from, kids: b.kids(refs[from:to])})
		from = to
	}
	if len(e.styles) == 1 && e.styles[0].leaf {
		return e.styles[0].kids[0]
	}
	e.importance = b.composite(shares.base(len(refs)), len(refs), e.styles)
	e.state = e.classify(b.Threshold)
	return e
}

func (r ref) laid() *laid { return &r.page.nodes[r.node] }

// labels returns those of the children; a leaf has none.
func (r ref) labels() (labels []uint64) {
	v := r.laid()
	if v.leaf {
		return nil
	}
	for _, k := range r.page.kids[v.from:v.to] {
		labels = append(labels, r.page.label[k])
	}
	return labels
}

// sequence returns the hash of the labels of children. It uses buf, and returns it for
// the next call.
func sequence(labels []uint64, buf []byte) (uint64, []byte) {
	buf = buf[:0]
	for _, l := range labels {
		buf = binary.LittleEndian.AppendUint64(buf, l)
	}
	return xxhash.Sum64(buf), buf
}

// kids returns the element nodes of a style: for each position in its sequence, the
// node of the pages that use the style.
func (b *builder) kids(refs []ref) []element {
	first := refs[0].laid()
	if first.leaf {
		imp := b.leaf(refs)
		e := element{importance: imp, state: meaningful}
		if imp < b.Threshold {
			e.state = noisy
		}
		return []element{e}
	}
	kids := make([]element, first.to-first.from)
	below := make([]ref, len(refs))
	for k := range kids {
		for i, r := range refs {
			below[i] = ref{r.page, r.page.kids[r.laid().from+int32(k)]}
		}
		kids[k] = b.build(below)
	}
	return kids
}

// composite returns the importance of an inner element: its own, which says how varied
// its styles are, and with weight γ^l that of its styles.
func (b *builder) composite(own float64, pages int, styles []style) float64 {
	weight := 1.0
	for range styles {
		weight *= b.Gamma
	}
	below := 0.0
	for _, s := range styles {
		sum := 0.0
		for _, k := range s.kids {
			sum += k.importance
		}
		mean := 0.0
		if len(s.kids) > 0 {
			mean = sum / float64(len(s.kids))
		}
		below += float64(float64(s.pages) / float64(pages) * mean)
	}
	// The conversions keep machines that have the instruction from fusing the
	// products with the sums, which rounds differently.
	return float64((1-weight)*own) + float64(weight*below)
}

// leaf returns the importance of a leaf: 1 minus the mean entropy of its features over
// the pages, or 0 if it has none.
func (b *builder) leaf(refs []ref) float64 {
	if len(refs) == 1 {
		return 1
	}
	b.joined = b.joined[:0]
	for _, r := range refs {
		v := r.laid()
		b.joined = append(b.joined, r.page.features[v.from:v.to]...)
	}
	slices.SortFunc(b.joined, func(x, y feature) int { return cmp.Compare(x.hash, y.hash) })
	sum, features := 0.0, 0
	for from := 0; from < len(b.joined); features++ {
		var e entropy
		hash := b.joined[from].hash
		for ; from < len(b.joined) && b.joined[from].hash == hash; from++ {
			e.add(int64(b.joined[from].count))
		}
		sum += e.base(len(refs))
	}
	if features == 0 {
		return 0
	}
	return 1 - sum/float64(features)
}

// classify returns the state of an element whose styles are known.
func (e *element) classify(threshold float64) state {
	allNoisy, allMeaningful := true, true
	for _, s := range e.styles {
		for _, k := range s.kids {
			allNoisy = allNoisy && k.state == noisy
			allMeaningful = allMeaningful && k.state == meaningful
		}
	}
	switch {
	case allNoisy && e.importance < threshold:
		return noisy
	case allMeaningful:
		return meaningful
	}
	return mixed
}
