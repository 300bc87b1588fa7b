package unfluff

import "github.com/winnow/winnow/algorithms/html"

// prune passes the paragraphs of the winner's siblings, and those of its children that
// are not clutter, to the formatter.
func (w *working) prune(top int32) {
	f, e := &w.flat, &w.election
	base := w.baseline(top)
	for i := w.firstSibling(top); i >= 0 && i < top; i = f.end[i] {
		switch {
		case f.tag[i] == html.TagText:
		case f.tag[i] == html.TagP && f.units(i) > 0:
			w.format.add(f, i)
		default:
			w.fromSibling(i, base)
		}
	}
	for i := top + 1; i < f.end[top]; i = f.end[i] {
		switch tag := f.tag[i]; tag {
		case html.TagText, html.TagP, html.TagA:
			w.format.add(f, i)
		default:
			if f.linkHeavy(i) {
				continue
			}
			list := tag == html.TagTd || tag == html.TagUl || tag == html.TagOl
			if left := w.dropShortParagraphs(i); left == 0 && !list {
				continue
			}
			if e.scoreOf(i) < 0.08*e.scoreOf(top) && !list && tag != html.TagBlockquote {
				continue
			}
			w.format.add(f, i)
		}
	}
}

// baseline returns the mean number of function words of the winner's paragraphs.
func (w *working) baseline(top int32) float64 {
	f := &w.flat
	sum, n := 0, 0
	for i := top + 1; i < f.end[top]; i++ {
		if f.tag[i] != html.TagP {
			continue
		}
		if s := f.stopWords(i); s > 2 && !f.linkHeavy(i) {
			sum += s
			n++
		}
	}
	if n == 0 {
		return 100_000 // so that no sibling reaches it
	}
	return float64(sum) / float64(n)
}

// firstSibling returns the first sibling of top that the program can walk to, or -1.
func (w *working) firstSibling(top int32) int32 {
	f := &w.flat
	p := f.parent[top]
	if p < 0 {
		return -1
	}
	first := p + 1
	for i := p + 1; i <= top; i = f.end[i] {
		if w.nodes[f.node[i]].cutPrev {
			first = i
		}
	}
	return first
}

// fromSibling passes on the paragraphs below i that look like the winner's.
func (w *working) fromSibling(i int32, base float64) {
	f := &w.flat
	for k := i + 1; k < f.end[i]; k++ {
		if f.tag[k] == html.TagP && f.units(k) > 0 &&
			float64(f.stopWords(k)) > 0.30*base && !f.linkHeavy(k) {
			w.format.addFlat(f, k)
		}
	}
}

// dropShortParagraphs marks the paragraphs below i with less than 25 characters
// as gone, and returns how many are left.
func (w *working) dropShortParagraphs(i int32) (left int) {
	f := &w.flat
	for k := i + 1; k < f.end[i]; k++ {
		if f.tag[k] != html.TagP {
			continue
		}
		if f.units(k) < 25 {
			w.format.gone(k)
			k = f.end[k] - 1
			continue
		}
		left++
	}
	return left
}
