package unfluff

import (
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/html"
)

// flat is the cleaned document as columns in preorder: the subtree of i is
// [i, end[i]).
type flat struct {
	tag    []html.Tag
	node   []ref
	parent []int32
	end    []int32
	prevP  []int32 // the p that the program finds first among the siblings before it; -1 for none
	marks  []mark  // where the text of i begins; one more for the end

	links      []int32 // a elements before i
	linkBlanks []int32 // blanks in the texts of the a elements before i

	words wordText
	list  *stopwords.List

	stack []layFrame
}

type layFrame struct{ row, lastP int32 }

// lay fills f with the document.
func (f *flat) lay(d *document, list *stopwords.List) {
	f.tag, f.node, f.parent, f.end, f.prevP = f.tag[:0], f.node[:0], f.parent[:0], f.end[:0], f.prevP[:0]
	f.marks, f.links, f.linkBlanks = f.marks[:0], f.links[:0], f.linkBlanks[:0]
	f.stack = f.stack[:0]
	f.words.reset()
	f.list = list

	f.stack = append(f.stack, layFrame{-1, -1})
	for x := d.root; ; {
		n := &d.nodes[x]
		i := int32(len(f.tag))
		frame := &f.stack[len(f.stack)-1]
		if n.cutPrev {
			frame.lastP = -1
		}
		f.tag = append(f.tag, n.tag)
		f.node = append(f.node, x)
		f.parent = append(f.parent, frame.row)
		f.end = append(f.end, i+1)
		f.prevP = append(f.prevP, frame.lastP)
		f.marks = append(f.marks, f.words.here())
		switch n.tag {
		case html.TagText:
			for r := n.runs; r != 0; r = d.runs[r].next {
				f.words.add(d.text[d.runs[r].start:d.runs[r].end])
			}
		case html.TagP:
			frame.lastP = i
		}
		if n.first != 0 {
			f.stack = append(f.stack, layFrame{i, -1})
			x = n.first
			continue
		}
		for x != d.root && d.nodes[x].next == 0 {
			f.end[f.stack[len(f.stack)-1].row] = int32(len(f.tag))
			f.stack = f.stack[:len(f.stack)-1]
			x = d.nodes[x].parent
		}
		if x == d.root {
			break
		}
		x = d.nodes[x].next
	}
	f.marks = append(f.marks, f.words.here())
	f.words.seal(list)

	links, blanks := int32(0), int32(0)
	for i, tag := range f.tag {
		f.links = append(f.links, links)
		f.linkBlanks = append(f.linkBlanks, blanks)
		if tag == html.TagA {
			links++
			blanks += f.marks[f.end[i]].blanks - f.marks[i].blanks
		}
	}
	f.links = append(f.links, links)
	f.linkBlanks = append(f.linkBlanks, blanks)
}

// stopWords is the number of function words in the text of i.
func (f *flat) stopWords(i int32) int {
	return f.words.count(f.marks[i], f.marks[f.end[i]], f.list)
}

// units is the length of the text of i as the program measures it.
func (f *flat) units(i int32) int32 { return f.marks[f.end[i]].units - f.marks[i].units }

// linkHeavy reports whether the share of words in links below i, times the number
// of links, is one or more.
func (f *flat) linkHeavy(i int32) bool {
	end := f.end[i]
	links := f.links[end] - f.links[i+1]
	if links == 0 {
		return false
	}
	words := float64(f.marks[end].blanks - f.marks[i].blanks + 1)
	linked := float64(f.linkBlanks[end] - f.linkBlanks[i+1] + links) // texts of links are joined by a blank
	return linked/words*float64(links) >= 1
}
