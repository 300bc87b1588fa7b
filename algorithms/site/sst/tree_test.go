package sst

import (
	"math"
	"testing"
)

// pageOf makes a layout; kids name their place among the nodes.
type written struct {
	seq      uint64 // 0: a leaf
	kids     []int32
	features []feature
}

func pageOf(nodes ...written) *layout {
	l := new(layout)
	for _, w := range nodes {
		v := laid{leaf: w.seq == 0, seq: w.seq}
		if v.leaf {
			v.from = int32(len(l.features))
			l.features = append(l.features, w.features...)
			v.to = int32(len(l.features))
		} else {
			v.from = int32(len(l.kids))
			l.kids = append(l.kids, w.kids...)
			v.to = int32(len(l.kids))
		}
		l.nodes, l.label = append(l.nodes, v), append(l.label, 0)
	}
	return l
}

func refs(pages ...*layout) (r []ref) {
	for _, p := range pages {
		r = append(r, ref{p, 0})
	}
	return r
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 5e-6 {
		t.Errorf("%s: %.6f, want %v", what, got, want)
	}
}

// TestCompositeImportance is the vector of the composite importance: four pages,
// three of one style with two leaves, one of another with one leaf.
//
// The first leaf says the same on all three pages, importance 0. The second has
// three words, one of which is on all three pages (entropy 1) and the others on
// one each (0, 0): importance 2/3. The leaf of the fourth page is seen once: 1.
func TestCompositeImportance(t *testing.T) {
	same := []feature{{1, 1}}
	three := func(own ...uint32) *layout {
		f := []feature{{7, 1}}
		for _, h := range own {
			f = append(f, feature{h, 1})
		}
		return pageOf(written{seq: 5, kids: []int32{1, 2}}, written{features: same}, written{features: f})
	}
	other := pageOf(written{seq: 6, kids: []int32{1}}, written{features: same})
	b := builder{Params: Default}
	e := b.build(refs(three(8), three(9), other, three()))
	if len(e.styles) != 2 || e.styles[0].pages != 3 || e.styles[1].pages != 1 {
		t.Fatalf("styles %+v", e.styles)
	}
	near(t, "first leaf", e.styles[0].kids[0].importance, 0)
	near(t, "second leaf", e.styles[0].kids[1].importance, 2.0/3)
	near(t, "leaf of one page", e.styles[1].kids[0].importance, 1)
	near(t, "element", e.importance, 0.48207)
	if e.styles[0].kids[0].state != noisy || e.styles[0].kids[1].state != meaningful || e.state != mixed {
		t.Errorf("states %v %v %v", e.styles[0].kids[0].state, e.styles[0].kids[1].state, e.state)
	}
}

func TestStates(t *testing.T) {
	same := written{features: []feature{{1, 2}}}
	own := func(h uint32) written { return written{features: []feature{{h, 1}}} }
	b := builder{Params: Default}
	inner := written{seq: 9, kids: []int32{1, 2}}

	e := b.build(refs(pageOf(inner, same, same), pageOf(inner, same, same)))
	near(t, "all the same", e.importance, 0)
	if e.state != noisy {
		t.Errorf("all the same: state %v, want noisy", e.state)
	}
	e = b.build(refs(pageOf(inner, own(2), own(3)), pageOf(inner, own(4), own(5))))
	near(t, "all different", e.importance, 0.9) // one style: 0.1·0 + 0.9·1
	if e.state != meaningful {
		t.Errorf("all different: state %v, want meaningful", e.state)
	}
	e = b.build(refs(pageOf(inner, same, own(3)), pageOf(inner, same, own(5))))
	near(t, "half", e.importance, 0.45)
	if e.state != mixed {
		t.Errorf("half: state %v, want mixed", e.state)
	}
	// Where it is a leaf on two pages and inner on two, the leaf form is a style.
	e = b.build(refs(pageOf(same), pageOf(inner, same, same), pageOf(same), pageOf(inner, same, same)))
	if len(e.styles) != 2 || !e.styles[0].leaf || e.styles[0].pages != 2 || len(e.styles[0].kids) != 1 {
		t.Fatalf("leaf form: styles %+v", e.styles)
	}
	near(t, "leaf form", e.importance, 0.19*0.5) // own 0.5, two styles: 0.19·0.5 + 0.81·0
	if e.state != noisy {
		t.Errorf("leaf form: state %v, want noisy", e.state)
	}
	// Unimportant parts in ever new styles: −Σ p log12 p = log12 6 = 0.72106, and
	// (1 − 0.9^6)·0.72106 = 0.33786 is not noise.
	var varied []*layout
	for i := range 12 {
		varied = append(varied, pageOf(written{seq: uint64(10 + i/2), kids: []int32{1}}, same))
	}
	e = b.build(refs(varied...))
	near(t, "six styles", e.importance, 0.33786)
	if e.state != mixed {
		t.Errorf("six styles of noise: state %v, want mixed", e.state)
	}
	// A leaf everywhere is a plain leaf, one without features is unimportant.
	if e = b.build(refs(pageOf(same), pageOf(same))); e.state != noisy || e.styles != nil {
		t.Errorf("a leaf on every page: %+v", e)
	}
	if e = b.build(refs(pageOf(written{}), pageOf(written{}))); e.importance != 0 || e.state != noisy {
		t.Errorf("a leaf without features: %+v", e)
	}
	if e = b.build(refs(pageOf(same))); e.importance != 1 || e.state != meaningful {
		t.Errorf("one page: %+v", e)
	}
}
