package page

import "bytes"

// lookahead is how far the two cursors of spec page-level 2.2 search for each
// other after a difference.
const lookahead = 64

// textCursor pairs the runs of characters of the source (x) with the text nodes
// of the tree (y), both without the blank ones. A node may hold several runs.
type textCursor struct {
	p    *Page
	text []byte // decoded text of the runs
	x    []int  // lexical items
	y    []Node
}

// rest is what remains of a node from position at on, without leading blanks.
func (c *textCursor) rest(j int, at uint32) (s []byte, start uint32) {
	d := c.p.Tree.Data[c.y[j]]
	s = c.p.Tree.Text[d.Start+at : d.End]
	lead := skipSpace(s, 0)
	return s[lead:], d.Start + at + uint32(lead)
}

// run is the text of a lexical item without blanks around it.
func (c *textCursor) run(i int) []byte {
	d := c.p.Lex.Data[c.x[i]]
	s := c.text[d.Start:d.End]
	s = s[skipSpace(s, 0):]
	return s[:trimSpaceEnd(s)]
}

// same says whether node j continues at position at with run i.
func (c *textCursor) same(i, j int, at uint32) bool {
	s, _ := c.rest(j, at)
	return bytes.HasPrefix(s, c.run(i))
}

// extent is what run i, which node j continues with at position at, became of
// the text: with the white space around it, as far as that is in the node.
func (c *textCursor) extent(i, j int, at uint32) Range {
	d := c.p.Lex.Data[c.x[i]]
	run, core := c.text[d.Start:d.End], c.run(i)
	lead := uint32(skipSpace(run, 0))
	trail := len(run) - int(lead) - len(core)

	s, start := c.rest(j, at)
	tail := s[len(core):]
	end := start + uint32(len(core)+min(trail, skipSpace(tail, 0)))
	return Range{max(start-min(lead, start), c.p.Tree.Data[c.y[j]].Start+at), end}
}

// resume says whether run i begins node j and both go on alike.
func (c *textCursor) resume(i, j int) bool {
	if !c.same(i, j, 0) {
		return false
	}
	if i+1 == len(c.x) || j+1 == len(c.y) || c.same(i+1, j+1, 0) {
		return true
	}
	_, start := c.rest(j, 0)
	return c.same(i+1, j, start-c.p.Tree.Data[c.y[j]].Start+uint32(len(c.run(i))))
}

// alignText sets Node and Data of the text items.
func (z *parser) alignText(p *Page) {
	c := textCursor{p: p, text: z.text}
	l, t := &p.Lex, &p.Tree
	for i, k := range l.Kind {
		if k == LexText && skipSpace(z.text[l.Data[i].Start:l.Data[i].End], 0) < l.Data[i].Len() {
			c.x = append(c.x, i)
		}
	}
	for n, k := range t.Kind {
		if k == KindText && skipSpace(t.Text[t.Data[n].Start:t.Data[n].End], 0) < t.Data[n].Len() {
			c.y = append(c.y, Node(n))
		}
	}
	found := make([]Range, l.Len())
	i, j, at := 0, 0, uint32(0)
	for i < len(c.x) && j < len(c.y) {
		if c.same(i, j, at) {
			item, node := c.x[i], c.y[j]
			data := c.extent(i, j, at)
			l.Node[item], found[item] = node, data
			if t.Open[node].Len() == 0 {
				t.Open[node] = l.Src[item]
			}
			i++
			at = data.End - t.Data[node].Start
			if s, _ := c.rest(j, at); len(s) == 0 {
				j, at = j+1, 0
			}
			continue
		}
		if at > 0 {
			j, at = j+1, 0
			continue
		}
		skipX, skipY := 1, 1
		for d := 1; d <= lookahead; d++ {
			if i+d < len(c.x) && c.resume(i+d, j) {
				skipX, skipY = d, 0
				break
			}
			if j+d < len(c.y) && c.resume(i, j+d) {
				skipX, skipY = 0, d
				break
			}
		}
		i, j = i+skipX, j+skipY
	}
	copy(l.Data, found)
}

// alignTags sets Node of the tag items, and Open and Close of the elements.
func alignTags(p *Page) {
	l, t := &p.Lex, &p.Tree
	var x []int
	for i, k := range l.Kind {
		if k == LexStart || k == LexSelfClose {
			x = append(x, i)
		}
	}
	var y []Node
	for n, k := range t.Kind {
		if k == KindElement {
			y = append(y, Node(n))
		}
	}
	same := func(i, j int) bool {
		return i >= len(x) || j >= len(y) || l.Tag[x[i]] == t.Tag[y[j]]
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		if same(i, j) {
			l.Node[x[i]], t.Open[y[j]] = y[j], l.Src[x[i]]
			i, j = i+1, j+1
			continue
		}
		skipX, skipY := 1, 1
		for d := 1; d <= lookahead; d++ {
			if j+d < len(y) && same(i, j+d) && same(i+1, j+d+1) {
				skipX, skipY = 0, d
				break
			}
			if i+d < len(x) && same(i+d, j) && same(i+d+1, j+1) {
				skipX, skipY = d, 0
				break
			}
		}
		i, j = i+skipX, j+skipY
	}
	matchEnds(p)
}

// matchEnds pairs end tags with the innermost open start tag of their name.
func matchEnds(p *Page) {
	l, t := &p.Lex, &p.Tree
	open := make(map[Tag]int)
	var stack []int
	for i, k := range l.Kind {
		switch tag := l.Tag[i]; {
		case k == LexStart && !tag.IsVoid():
			open[tag]++
			stack = append(stack, i)
		case k == LexEnd && open[tag] > 0:
			for {
				start := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				open[l.Tag[start]]--
				if l.Tag[start] == tag {
					if n := l.Node[start]; n != 0 {
						l.Node[i], t.Close[n] = n, l.Src[i]
					}
					break
				}
			}
		}
	}
}
