package main

import (
	"math"
	"math/rand/v2"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Small pages of shops, forums and encyclopedias are rare in packages of today's pages,
// where a page has hundreds of blocks. They are made from larger pages: of the elements
// that are in no gold some are removed and others cut to a few words, and of the text
// only the beginning stays.

// small returns a copy of d with a few hundred words. It returns nil if no gold is left.
func small(d *document, rng *rand.Rand) *document {
	left := int(40 * math.Exp(rng.Float64()*2.3)) // 40 to 400 words
	return reduce(d, left, .2+.7*rng.Float64(), .5, rng)
}

// bare returns a copy of d with almost nothing but its text, as pages of plain texts
// have it.
func bare(d *document, rng *rand.Rand) *document {
	return reduce(d, math.MaxInt, .3*rng.Float64(), .8, rng)
}

// reduce returns a copy of d with the first left words of its text, and the given share
// of its other elements. With the probability ages, the page is also aged.
func reduce(d *document, left int, keep, ages float64, rng *rand.Rand) *document {
	root := parse(d.HTML)
	body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body })
	if body == nil {
		return nil
	}
	gold := trigramsOf(d.Gold)
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; {
			next := c.NextSibling
			text := ""
			switch {
			case c.Type == html.TextNode:
				text = c.Data
			case c.Type != html.ElementNode || notText(c):
				c = next
				continue
			default:
				text = visible(c)
			}
			size := len(wordsIn(text))
			switch share := gold.share(text); {
			case size == 0:
			case share < 0: // too short to tell: of the text if it stands in it
				if left <= 0 && rng.Float64() < .5 {
					n.RemoveChild(c)
				}
			case share < .05:
				switch {
				case rng.Float64() >= keep:
					n.RemoveChild(c)
				case c.Type == html.ElementNode && size > 30:
					cut(c, 5+rng.IntN(60))
				}
			case c.Type == html.TextNode || share > .9 && size <= 60 || c.DataAtom == atom.P || c.DataAtom == atom.Li || headingAtom(c.DataAtom) || inline(c):
				if left <= 0 {
					n.RemoveChild(c)
				}
				left -= size
			default:
				walk(c)
			}
			c = next
		}
	}
	walk(body)
	kept := goldOf(d, root)
	if kept == "" {
		return nil
	}
	made := grafted
	if rng.Float64() < ages {
		made = aged
		age(root, rng)
	}
	g := d.copyAs(made, root)
	g.Gold = kept
	return g
}
