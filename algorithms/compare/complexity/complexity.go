// Package complexity measures how hard a page is for extraction: the share of
// its words that are not main content (Bevendorff, Gupta, Kiesel and Stein, "An
// Empirical Comparison of Web Content Extraction Algorithms", SIGIR 2023).
//
//	complexity = 1 - min(1, words of the gold / words of the page)
//
// It is a property of page and gold alone and scores no extraction. The study divides
// its pages by it at the quartiles of all datasets together: a quarter is low, a
// quarter is high, and the rest is medium.
//
// # Departures
//
// The words of a page are those of all text in its body but scripts and styles.
// The study leaves open what is between two text nodes; here every text node
// is cut by itself, so the cells of a row are words of their own, and a word that
// is partly bold is two.
//
// This package is internal to Winnow and may change in any release.
package complexity

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/page"
)

// Of returns the complexity of a page with the given gold text, from 0 to 1. ok is
// false if neither has a word. The time is linear in both, and no memory is kept.
func Of(gold string, p *page.Page) (c float64, ok bool) {
	content, all := tokens.CountPython([]byte(gold)), words(p)
	switch {
	case content == 0 && all == 0:
		return 0, false
	case content >= all:
		return 0, true
	}
	return 1 - float64(content)/float64(all), true
}

// words is the number of words of the body, scripts and styles left out.
func words(p *page.Page) (n int) {
	b, t := p.Body(), &p.Tree
	if b.Len() == 0 {
		return 0
	}
	body := b.Node[0]
	for at := body; at < t.End[body]; at++ {
		switch {
		case t.Tag[at] == html.TagScript, t.Tag[at] == html.TagStyle:
			at = t.End[at] - 1
		case t.Kind[at] == html.KindText:
			data := t.Data[at]
			n += tokens.CountPython(t.Text[data.Start:data.End])
		}
	}
	return n
}
