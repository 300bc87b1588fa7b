package main

import (
	"math"
	"math/rand/v2"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The articles of packages of today's pages are long. News agencies' reports of three
// paragraphs, with as many lists of links around them as any other page has, are made
// from such articles: everything after the beginning of the article is removed from the
// page and from its gold, and parts of other pages that are not in any gold are put
// around it.

// trigrams holds the sequences of three words of a text.
type trigrams map[[3]string]bool

func trigramsOf(text string) trigrams {
	words := wordsIn(strings.ToLower(text))
	t := make(trigrams, len(words))
	for i := range len(words) - 2 {
		t[[3]string(words[i:])] = true
	}
	return t
}

// share returns the share of text that is in t, measured by sequences of three words.
// It returns -1 if text has fewer than three words.
func (t trigrams) share(text string) float64 {
	words := wordsIn(strings.ToLower(text))
	if len(words) < 3 {
		return -1
	}
	found := 0
	for i := range len(words) - 2 {
		if t[[3]string(words[i:])] {
			found++
		}
	}
	return float64(found) / float64(len(words)-2)
}

// visible returns the page text of n.
func visible(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
		if n.Type == html.ElementNode && notText(n) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

// surroundings collects the outermost elements of a page that are not part of its gold.
// It takes only a few of a page, so that pages with many such elements do not dominate.
func (s *donors) surroundings(d *document, root *html.Node, rng *rand.Rand) {
	const most, largest = 8, 20 << 10
	gold := trigramsOf(d.Gold)
	var found []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode || notText(c) {
				continue
			}
			switch c.DataAtom {
			case atom.Div, atom.Section, atom.Aside, atom.Nav, atom.Footer, atom.Header, atom.Ul, atom.Table, atom.Form:
				text := visible(c)
				if n := len(wordsIn(text)); n >= 6 && n <= 300 && gold.share(text) < .05 {
					found = append(found, c)
					continue
				}
			}
			walk(c)
		}
	}
	if body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body }); body != nil {
		walk(body)
	}
	rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	for _, n := range found[:min(most, len(found))] {
		cut(n, math.MaxInt)
		if source := render(n); len(source) <= largest {
			s.around = append(s.around, section{source: string(source)})
		}
	}
}

// clutter puts surroundings of other pages around at, and into main.
func (s *donors) clutter(main *html.Node, rng *rand.Rand) {
	if len(s.around) == 0 {
		return
	}
	for range 1 + rng.IntN(5) {
		box := s.clutterBox(rng)
		if rng.Float64() < .15 && main.FirstChild != nil {
			at := main.FirstChild
			for range rng.IntN(8) {
				if at.NextSibling != nil {
					at = at.NextSibling
				}
			}
			insertAfter(at, box)
			continue
		}
		beside(around(main, rng), box, rng)
	}
}

// clutterBox makes an element from a part of another page that is in no gold.
func (s *donors) clutterBox(rng *rand.Rand) *html.Node {
	box := element("div")
	from := pick(rng, s.around...)
	bare := rng.Float64() < .5
	for _, n := range fragment(from.source) {
		if bare {
			strip(n)
		}
		box.AppendChild(n)
	}
	return box
}

// shorten returns a copy of the article d with only the beginning of its text, and with
// parts of other pages around it. It returns nil if d has no main element.
func (s *donors) shorten(d *document, rng *rand.Rand) *document {
	root := parse(d.HTML)
	main := mainElement(root)
	if main == nil || main.DataAtom == atom.Body || main.Parent == nil {
		return nil
	}
	gold := trigramsOf(d.Gold)
	left := int(25 * math.Exp(rng.Float64()*2.3)) // 25 to 250 words
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
			n := len(wordsIn(text))
			switch share := gold.share(text); {
			case n == 0 || share >= 0 && share < .05: // stays
			case share < 0: // too short to tell: of the text if it stands in it
				if left <= 0 && c.Type == html.ElementNode && (c.DataAtom == atom.P || c.DataAtom == atom.Li || headingAtom(c.DataAtom)) {
					c.Parent.RemoveChild(c)
				}
			case c.Type == html.TextNode || c.DataAtom == atom.P || c.DataAtom == atom.Li || headingAtom(c.DataAtom) || inline(c):
				if left <= 0 {
					c.Parent.RemoveChild(c)
				}
				left -= n
			default:
				walk(c)
			}
			c = next
		}
	}
	walk(main)
	kept := goldOf(d, root)
	if kept == "" {
		return nil
	}
	s.clutter(main, rng)
	if rng.Float64() < .4 {
		s.putPieces(main, rng)
	}
	if rng.Float64() < .3 {
		s.putSections(main, rng)
	}
	if rng.Float64() < .6 {
		age(root, rng)
	}
	g := d.copyAs(grafted, root)
	g.Gold = kept
	return g
}

// goldOf returns the part of the gold of d that is still on the page after elements were
// removed from it.
func goldOf(d *document, root *html.Node) string {
	rest := trigramsOf(visible(root))
	var kept, pending []string
	sentences := strings.NewReplacer(". ", ".\n", "! ", "!\n", "? ", "?\n")
	for _, line := range strings.Split(sentences.Replace(d.Gold), "\n") {
		switch share := rest.share(line); {
		case share < 0:
			pending = append(pending, line)
		case share > .5:
			kept = append(append(kept, pending...), line)
			pending = nil
		default:
			pending = nil
		}
	}
	return strings.Join(kept, "\n")
}

func headingAtom(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

func inline(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.B, atom.Strong, atom.I, atom.Em, atom.Span, atom.Blockquote, atom.Pre, atom.Figure:
		return true
	}
	return false
}
