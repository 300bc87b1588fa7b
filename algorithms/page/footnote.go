package page

import (
	"sort"

	"github.com/winnow/winnow/algorithms/html"
)

// notes has the footnotes of a page.
type notes map[html.Node]int // the number of a note for its mark and its item, and less than 0 for links back

// A footnote has a mark, which is a link of few characters, and an item of a list after it
// that links back to the mark. Nothing else marks footnotes: classes and texts differ from page to page.
const (
	maxMark     = 12 // bytes of a mark's text
	maxMarkTree = 8  // nodes of a mark, and between it and what the note links back to
	maxBack     = 64 // links of a note that are examined
	maxToItem   = 4  // elements from the target of a mark to the item
)

// findNotes finds the footnotes of the page. They are numbered from 1 by their first marks.
func (p *Page) findNotes() notes {
	t := &p.Tree
	type link struct {
		node   html.Node
		target string
	}
	var links []link
	targets := map[string]html.Node{}
	for n := range html.Node(t.Len()) {
		if t.Tag[n] == html.TagA {
			if href, _ := p.Attr(n, "href"); len(href) > 1 && href[0] == '#' {
				links = append(links, link{n, string(href[1:])})
				targets[string(href[1:])] = 0
			}
		}
	}
	if len(links) < 2 {
		return nil
	}
	for n := range html.Node(t.Len()) {
		for _, a := range p.Attrs(n) {
			if name := string(p.AttrName(a)); name == "id" || name == "name" && t.Tag[n] == html.TagA {
				if first, ok := targets[string(p.AttrValue(a))]; ok && first == 0 {
					targets[string(p.AttrValue(a))] = n
				}
			}
		}
	}
	found := notes{}
	last := 0
	for _, mark := range links {
		item := targets[mark.target]
		for i := 0; i < maxToItem && t.Tag[item] != html.TagLi; i++ {
			item = t.Parent[item]
		}
		if t.Tag[item] != html.TagLi || item < t.End[mark.node] || !p.isMark(mark.node) {
			continue
		}
		first := sort.Search(len(links), func(i int) bool { return links[i].node >= item })
		for _, back := range links[first:min(len(links), first+maxBack)] {
			if back.node >= t.End[item] {
				break
			}
			if to := targets[back.target]; to+maxMarkTree < mark.node || to >= t.End[mark.node] {
				continue
			}
			if found[item] == 0 {
				last++
				found[item] = last
			}
			found[mark.node], found[back.node] = found[item], -found[item]
		}
	}
	return found
}

// isMark reports whether the link n has as little text as the mark of a footnote.
func (p *Page) isMark(n html.Node) bool {
	t := &p.Tree
	if t.End[n]-n > maxMarkTree {
		return false
	}
	size := uint32(0)
	for c := n; c < t.End[n]; c++ {
		if t.Kind[c] == html.KindText {
			size += uint32(t.Data[c].End - t.Data[c].Start)
		}
	}
	return 0 < size && size <= maxMark
}
