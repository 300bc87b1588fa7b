package main

import (
	"math/rand/v2"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// aging says which changes are made to a page.
type aging struct {
	nameless   bool // no class, no id
	breaks     bool // br instead of p
	listless   bool // div instead of lists
	headless   bool // bold div instead of headings
	tables     bool // cells instead of some blocks
	noMetadata bool // no Open Graph, no JSON-LD
}

// age rewrites a page as it might have been made in 2008: without semantic
// elements, with few names, with tables and br.
func age(root *html.Node, rng *rand.Rand) {
	chance := func(p float64) bool { return rng.Float64() < p }
	f := aging{nameless: chance(.6), breaks: chance(.3), listless: chance(.4), headless: chance(.4), tables: chance(.6), noMetadata: chance(.7)}
	f.age(root, 0, rng)
}

func (f *aging) age(n *html.Node, depth int, rng *rand.Rand) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type != html.ElementNode:
		case f.noMetadata && isMetadata(c):
			n.RemoveChild(c)
		case notText(c) || c.DataAtom == atom.Svg:
		default:
			f.dropAttributes(c, rng)
			f.age(c, depth+1, rng)
			f.change(c, depth, rng)
		}
		c = next
	}
}

// isMetadata reports whether n describes the page to programs and not to readers.
func isMetadata(n *html.Node) bool {
	return n.DataAtom == atom.Meta && strings.HasPrefix(attribute(n, "property"), "og:") ||
		n.DataAtom == atom.Script && strings.Contains(attribute(n, "type"), "ld+json")
}

// dropAttributes removes attributes that came into use later, and names.
func (f *aging) dropAttributes(n *html.Node, rng *rand.Rand) {
	nameless := f.nameless || rng.Float64() < .6
	var kept []html.Attribute
	for _, a := range n.Attr {
		switch {
		case a.Key == graftMark:
		case a.Key == "role" || strings.HasPrefix(a.Key, "item") || strings.HasPrefix(a.Key, "aria-") || strings.HasPrefix(a.Key, "data-"):
			continue
		case nameless && (a.Key == "class" || a.Key == "id"):
			continue
		}
		kept = append(kept, a)
	}
	n.Attr = kept
}

func (f *aging) change(n *html.Node, depth int, rng *rand.Rand) {
	switch n.DataAtom {
	case atom.Header, atom.Nav, atom.Footer, atom.Aside, atom.Section, atom.Article, atom.Main, atom.Figure, atom.Figcaption:
		f.box(n, rng)
	case atom.Div:
		if f.tables && depth < 7 && rng.Float64() < .25 {
			f.box(n, rng)
		}
	case atom.P:
		if f.breaks {
			unwrap(n)
		}
	case atom.Li, atom.Ul, atom.Ol:
		if f.listless {
			rename(n, "div")
		}
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if f.headless {
			bold := element("b")
			moveChildren(n, bold)
			n.AppendChild(bold)
			rename(n, "div")
		}
	}
}

// box turns n into a div. If the page uses tables, its content may go into a table of one
// cell.
func (f *aging) box(n *html.Node, rng *rand.Rand) {
	if f.tables && rng.Float64() < .6 && words(n) >= 8 {
		table, row, cell := element("table"), element("tr"), element("td")
		moveChildren(n, cell)
		row.AppendChild(cell)
		table.AppendChild(row)
		n.AppendChild(table)
	}
	rename(n, "div")
}

// unwrap replaces n by its content, followed by two br.
func unwrap(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.InsertBefore(element("br"), n)
	n.Parent.InsertBefore(element("br"), n)
	n.Parent.RemoveChild(n)
}
