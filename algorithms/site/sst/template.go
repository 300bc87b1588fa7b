package sst

import (
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// finish builds the style tree and cuts it down to the parts that decide.
func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	b := builder{Params: p}
	var roots []ref
	for _, page := range s.Pages {
		l, err := readSketch(page.Data)
		if err != nil {
			return algorithms.Learned{}, fmt.Errorf("sst: %w", err)
		}
		if len(l.nodes) > 0 {
			roots = append(roots, ref{l, 0})
		}
	}
	if len(roots) == 0 {
		return algorithms.Learned{}, algorithms.ErrTooFewPages
	}
	root := b.build(roots)
	// A style that one page uses is meaningful in all its parts, so only styles of at
	// least 2 pages are written.
	var learned algorithms.Learned
	for least := 2; ; least++ {
		var w codec.Writer
		w.Byte(p.spelled())
		if root.write(&w, least, p.Align == AlignLCS); len(w.Out) <= algorithms.MaxTemplate {
			learned.Body = w.Out
			learned.Nothing = root.state == meaningful || root.state == mixed && len(w.Out) == emptyMixed
			return learned, nil
		}
		// Styles that the fewest pages use go first. The elements in them are then
		// kept.
		learned.Notes = []string{algorithms.NoteTruncated}
	}
}

// emptyMixed is the size of a template whose root is mixed and has no styles.
const emptyMixed = 3

// spelled returns the first byte of a template: 1 if styles are sequences of labels, 0
// if they are the hashes of these.
func (p Params) spelled() byte {
	if p.Align == AlignLCS {
		return 1
	}
	return 0
}

// write writes the element with those styles that at least the given number of pages
// use. A style without a noisy part is left out, because elements of no known style are
// kept.
func (e *element) write(w *codec.Writer, least int, spelled bool) {
	w.Byte(byte(e.state))
	if e.state != mixed {
		return
	}
	n := 0
	for i := range e.styles {
		if e.styles[i].decides(least) {
			n++
		}
	}
	w.Int(n)
	for _, s := range e.styles {
		if !s.decides(least) {
			continue
		}
		if s.leaf {
			w.Byte(leafByte)
		} else {
			w.Byte(innerByte)
			if !spelled {
				w.Hash(s.seq)
			}
			w.Int(len(s.kids))
		}
		for i := range s.kids {
			if spelled && !s.leaf {
				w.Hash(s.labels[i])
			}
			s.kids[i].write(w, least, spelled)
		}
	}
}

func (s *style) decides(least int) bool {
	if s.pages < least {
		return false
	}
	for _, k := range s.kids {
		if k.state != meaningful {
			return true
		}
	}
	return false
}

// template is a style tree that was cut below noisy and meaningful elements, where
// nothing more is decided.
type template struct {
	elements []cut
	styles   []cutStyle // styles of all elements
	kids     []int32    // children of all styles
	labels   []uint64   // labels of kids, filled only if styles are to be aligned
	spelled  bool
	bytes    []byte // scratch of open
}

type cut struct {
	state    state
	from, to int32 // for a mixed element, its styles: the leaf form first, then by sequence
}

type cutStyle struct {
	leaf     bool
	seq      uint64
	from, to int32 // its kids
}

func open(body []byte) (any, error) {
	t := new(template)
	r := codec.NewReader(body)
	spelled := r.Byte()
	if spelled > 1 {
		r.Fail("template")
	}
	t.spelled = spelled == 1
	t.read(r, 0)
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("sst: %w", err)
	}
	return t, nil
}

// read reads an element and its descendants. The bytes come from outside: memory is
// bounded by their number, and depth by that of pages.
func (t *template) read(r *codec.Reader, depth int) (own int32) {
	own = int32(len(t.elements))
	e := cut{state: state(r.Byte())}
	if e.state > mixed || depth > maxDepth+1 {
		r.Fail("element")
	}
	t.elements = append(t.elements, e)
	if r.Err() != nil || e.state != mixed {
		return own
	}
	n := r.Count(2)
	if len(t.styles)+n > algorithms.MaxTemplate {
		r.Fail("styles")
		return own
	}
	e.from, e.to = int32(len(t.styles)), int32(len(t.styles)+n)
	t.elements[own] = e
	t.styles = append(t.styles, make([]cutStyle, n)...)
	for i := e.from; i < e.to; i++ {
		kind := r.Byte()
		if kind > innerByte {
			r.Fail("style")
		}
		s := cutStyle{leaf: kind == leafByte}
		kids := 1
		if !s.leaf {
			if !t.spelled {
				s.seq = r.Hash()
			}
			kids = r.Count(1)
		}
		if len(t.kids)+kids > algorithms.MaxTemplate {
			r.Fail("styles")
		}
		if r.Err() != nil {
			return own
		}
		s.from, s.to = int32(len(t.kids)), int32(len(t.kids)+kids)
		t.styles[i] = s
		t.kids = append(t.kids, make([]int32, kids)...)
		if t.spelled {
			t.labels = append(t.labels, make([]uint64, kids)...)
		}
		for k := s.from; k < s.to; k++ {
			if t.spelled && !s.leaf {
				t.labels[k] = r.Hash()
			}
			kid := t.read(r, depth+1)
			if r.Err() != nil {
				return own
			}
			t.kids[k] = kid
		}
		if t.spelled && !s.leaf {
			t.styles[i].seq, t.bytes = sequence(t.labels[s.from:s.to], t.bytes)
		}
		if i > e.from && !t.styles[i-1].before(t.styles[i]) {
			r.Fail("styles are not in order")
			return own
		}
	}
	return own
}

// before is the order of styles: the leaf form, then by sequence.
func (s cutStyle) before(next cutStyle) bool {
	return !next.leaf && (s.leaf || s.seq < next.seq)
}

// style returns the style of e that has the children of v.
func (t *template) style(e cut, v *laid) (s cutStyle, ok bool) {
	lo, hi := int(e.from), int(e.to)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		s := t.styles[mid]
		switch {
		case s.leaf == v.leaf && (s.leaf || s.seq == v.seq):
			return s, true
		case s.leaf || !v.leaf && s.seq < v.seq:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return s, false
}
