package main

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parse parses a page. It ignores the error of html.Parse, which only reports read
// errors.
func parse(src []byte) *html.Node {
	root, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return &html.Node{Type: html.DocumentNode}
	}
	return root
}

func fragment(source string) []*html.Node {
	nodes, err := html.ParseFragment(strings.NewReader(source), element("div"))
	if err != nil {
		return nil
	}
	return nodes
}

func element(name string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
}

func rename(n *html.Node, name string) { n.Data, n.DataAtom = name, atom.Lookup([]byte(name)) }

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// notText reports whether the content of n is not page text.
func notText(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe:
		return true
	}
	return false
}

// wordsIn returns the words of a text. Of scripts without blanks, every character is one.
func wordsIn(s string) (words []string) {
	for _, f := range strings.Fields(s) {
		if utf8.RuneCountInString(f)*5 > len(f)*2 {
			words = append(words, f)
			continue
		}
		words = append(words, strings.Split(f, "")...)
	}
	return words
}

func words(n *html.Node) (count int) {
	if n.Type == html.TextNode {
		return len(wordsIn(n.Data))
	}
	if notText(n) {
		return 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		count += words(c)
	}
	return count
}

// find returns the first element in document order for which ok returns true.
func find(n *html.Node, ok func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && ok(n) {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := find(c, ok); f != nil {
			return f
		}
	}
	return nil
}

// namedLike reports whether a part of a class or id of n begins with prefix.
func namedLike(n *html.Node, prefix string) bool {
	for _, key := range []string{"class", "id"} {
		for _, part := range strings.FieldsFunc(strings.ToLower(attribute(n, key)), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if strings.HasPrefix(part, prefix) {
				return true
			}
		}
	}
	return false
}

// cut removes from n what is not page text, and everything after the first most words.
func cut(n *html.Node, most int) {
	left := most
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; {
			next := c.NextSibling
			switch {
			case left <= 0 || c.Type == html.ElementNode && notText(c):
				n.RemoveChild(c)
			case c.Type == html.TextNode:
				left -= len(wordsIn(c.Data))
			default:
				walk(c)
			}
			c = next
		}
	}
	walk(n)
}

// strip removes all attributes except addresses from n and the elements in it.
func strip(n *html.Node) {
	var kept []html.Attribute
	for _, a := range n.Attr {
		if a.Key == "href" || a.Key == "src" {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		strip(c)
	}
}

func insertAfter(at, n *html.Node) { at.Parent.InsertBefore(n, at.NextSibling) }

// moveChildren moves all children of from into to.
func moveChildren(from, to *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}
