package unfluff

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// ref numbers the nodes of a document. 0 means no node.
type ref int32

// node is an element or a text that can be moved.
type node struct {
	tag                             html.Tag // TagText for a text
	marks                           marks    // what the names of an element say
	parent, first, last, prev, next ref
	runs, lastRun                   int32 // first and last textRun of a text
	used                            bool  // a link that a bare text has taken

	// An element beside it was replaced: in the program, the way to the neighbour
	// on this side leads to the old element and no further.
	cutPrev, cutNext bool
}

// textRun is a part of a text node.
type textRun struct {
	start, end int32    // range of document.text
	row        page.Row // all of this text of the page; 0 for blanks of our own
	next       int32    // 0 for none
}

// document is a page that can be rewritten.
type document struct {
	nodes []node    // nodes[0] is not used
	runs  []textRun // runs[0] is not used
	text  []byte
	root  ref // the html element; 0 once it was removed
	open  []openElement

	sawEm, sawImageInEm, sawCode, sawDropCap, sawU bool
}

// chain is a list of siblings that may have no parent.
type chain struct{ first, last ref }

func (d *document) newElement(tag html.Tag) ref {
	d.nodes = append(d.nodes, node{tag: tag})
	return ref(len(d.nodes) - 1)
}

// newText makes a text of one run.
func (d *document) newText(start, end int, row page.Row) ref {
	d.runs = append(d.runs, textRun{start: int32(start), end: int32(end), row: row})
	r := int32(len(d.runs) - 1)
	d.nodes = append(d.nodes, node{tag: html.TagText, runs: r, lastRun: r})
	return ref(len(d.nodes) - 1)
}

// push puts x, which must not be in the tree, at the end of c.
func (d *document) push(c *chain, x ref) {
	n := &d.nodes[x]
	n.prev, n.next, n.parent = c.last, 0, 0
	if c.last != 0 {
		d.nodes[c.last].next = x
	} else {
		c.first = x
	}
	c.last = x
}

// adopt makes the nodes of c the children of x, which has none.
func (d *document) adopt(x ref, c chain) {
	d.nodes[x].first, d.nodes[x].last = c.first, c.last
	for k := c.first; k != 0; k = d.nodes[k].next {
		d.nodes[k].parent = x
	}
}

// take removes the children of x and returns them.
func (d *document) take(x ref) chain {
	n := &d.nodes[x]
	c := chain{n.first, n.last}
	n.first, n.last = 0, 0
	return c
}

// link makes b the neighbour after a below parent; either may be 0.
func (d *document) link(parent, a, b ref) {
	if a != 0 {
		d.nodes[a].next = b
	} else {
		d.nodes[parent].first = b
	}
	if b != 0 {
		d.nodes[b].prev = a
	} else {
		d.nodes[parent].last = a
	}
}

// remove takes x out of the tree.
func (d *document) remove(x ref) {
	n := d.nodes[x]
	if x == d.root {
		d.root = 0
		return
	}
	d.link(n.parent, n.prev, n.next)
	if n.cutPrev && n.next != 0 {
		d.nodes[n.next].cutPrev = true
	}
	if n.cutNext && n.prev != 0 {
		d.nodes[n.prev].cutNext = true
	}
}

// replace puts c in the place of x.
func (d *document) replace(x ref, c chain) {
	n := d.nodes[x]
	for k := c.first; k != 0; k = d.nodes[k].next {
		d.nodes[k].parent = n.parent
	}
	if c.first == 0 {
		d.link(n.parent, n.prev, n.next)
		if n.prev != 0 {
			d.nodes[n.prev].cutNext = true
		}
	} else {
		d.link(n.parent, n.prev, c.first)
		d.link(n.parent, c.last, n.next)
		d.nodes[c.first].cutPrev = false
		if n.prev != 0 {
			d.nodes[n.prev].cutNext = false
		}
		d.nodes[c.last].cutNext = true
	}
	if n.next != 0 {
		d.nodes[n.next].cutPrev = true
	}
}

// after returns the node that follows x and everything below it, in document order, or
// 0 when that is outside of top.
func (d *document) after(x, top ref) ref {
	for x != top {
		n := &d.nodes[x]
		if n.next != 0 {
			return n.next
		}
		x = n.parent
	}
	return 0
}

// step returns the node that follows x in document order inside top.
func (d *document) step(x, top ref) ref {
	if f := d.nodes[x].first; f != 0 {
		return f
	}
	return d.after(x, top)
}

// previousElement returns the element that the program finds before its sibling x.
func (d *document) previousElement(x ref) ref {
	for x != 0 {
		n := &d.nodes[x]
		if n.cutPrev {
			return 0
		}
		if x = n.prev; x != 0 && d.nodes[x].tag != html.TagText {
			return x
		}
	}
	return 0
}

// lookAhead finds the element after each text among siblings. It must be asked for
// every text, in their order. Comments can divide a text into very many, and a search
// from each would be quadratic.
type lookAhead struct {
	found ref // for all texts from the last one asked for …
	until ref // … up to this one; 0 if not known yet
}

// element returns the element that the program finds after its sibling x.
func (l *lookAhead) element(d *document, x ref) ref {
	if l.until == 0 {
		l.found = 0
		for l.until = x; !d.nodes[l.until].cutNext && d.nodes[l.until].next != 0; {
			next := d.nodes[l.until].next
			if d.nodes[next].tag != html.TagText {
				l.found = next
				break
			}
			l.until = next
		}
	}
	found := l.found
	if x == l.until {
		l.until = 0
	}
	return found
}

// renew does to the nodes of c and everything below them what writing them as HTML and
// parsing them again does: adjacent texts become one, and replaced neighbours are
// forgotten.
func (d *document) renew(c chain) chain {
	c = d.joinTexts(c)
	for k := c.first; k != 0; k = d.nodes[k].next {
		if d.nodes[k].first == 0 {
			continue
		}
		for x := k; x != 0; x = d.step(x, k) {
			if d.nodes[x].first != 0 {
				kids := d.joinTexts(chain{d.nodes[x].first, d.nodes[x].last})
				d.nodes[x].first, d.nodes[x].last = kids.first, kids.last
			}
		}
	}
	return c
}

func (d *document) joinTexts(c chain) chain {
	for k := c.first; k != 0; k = d.nodes[k].next {
		n := &d.nodes[k]
		n.cutPrev, n.cutNext = false, false
		if n.tag != html.TagText || n.prev == 0 || d.nodes[n.prev].tag != html.TagText {
			continue
		}
		before := &d.nodes[n.prev]
		d.runs[before.lastRun].next = n.runs
		before.lastRun = n.lastRun
		before.next = n.next
		if n.next != 0 {
			d.nodes[n.next].prev = n.prev
		} else {
			c.last = n.prev
		}
	}
	return c
}

// copy returns a copy of x and all below it, without its neighbours.
func (d *document) copy(x ref) ref {
	top := d.copyNode(x)
	to := top
	for from := x; ; {
		if f := d.nodes[from].first; f != 0 {
			from = f
			k := d.copyNode(f)
			d.append(to, k)
			to = k
			continue
		}
		for from != x && d.nodes[from].next == 0 {
			from, to = d.nodes[from].parent, d.nodes[to].parent
		}
		if from == x {
			return top
		}
		from = d.nodes[from].next
		k := d.copyNode(from)
		to = d.nodes[to].parent
		d.append(to, k)
		to = k
	}
}

// append makes k the last child of x.
func (d *document) append(x, k ref) {
	d.link(x, d.nodes[x].last, k)
	d.nodes[k].parent = x
	d.link(x, k, 0)
}

func (d *document) copyNode(x ref) ref {
	n := d.nodes[x]
	c := node{tag: n.tag, marks: n.marks}
	for r := n.runs; r != 0; r = d.runs[r].next {
		old := d.runs[r]
		old.next = 0
		d.runs = append(d.runs, old)
		at := int32(len(d.runs) - 1)
		if c.runs == 0 {
			c.runs = at
		} else {
			d.runs[c.lastRun].next = at
		}
		c.lastRun = at
	}
	d.nodes = append(d.nodes, c)
	return ref(len(d.nodes) - 1)
}
