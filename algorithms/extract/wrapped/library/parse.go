package library

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
)

// parser makes the tree that all libraries read.
var parser = &algorithms.Parser{Parse: func(src []byte) (any, error) { return parse(src) }}

func parse(src []byte) (*html.Node, error) {
	doc, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("parse page for wrapped libraries: %w", err) // deeper than 512 open elements
	}
	return doc, nil
}

// fromSource returns Extractor.Text of a library.
func fromSource(l library) func(src []byte, address string) (string, error) {
	return func(src []byte, address string) (string, error) {
		doc, err := parse(src)
		if err != nil {
			return "", err
		}
		return l(doc, pageURL(address))
	}
}

// fromParsed returns Extractor.FromParsed of a library. A library that changes the tree
// gets a copy of it, which costs an eighth of a parse.
func fromParsed(l library, u use) func(parsed any, address string) (string, error) {
	return func(parsed any, address string) (string, error) {
		doc := parsed.(*html.Node)
		if u == changes {
			doc = copyOf(doc)
		}
		return l(doc, pageURL(address))
	}
}

// pageURL is the address as a URL, or one that says that there is none.
func pageURL(address string) *url.URL {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" {
		page = &url.URL{Scheme: "http", Host: "invalid.example", Path: "/"}
	}
	return page
}

// copyOf copies a tree. It keeps the elements around the present node itself instead
// of calling itself: a hostile page would else choose the depth of the stack.
func copyOf(root *html.Node) *html.Node {
	top := copyNode(root)
	at, copied := root, top
	for {
		switch {
		case at.FirstChild != nil:
			at = at.FirstChild
			next := copyNode(at)
			copied.AppendChild(next)
			copied = next
		default:
			for at != root && at.NextSibling == nil {
				at, copied = at.Parent, copied.Parent
			}
			if at == root {
				return top
			}
			at = at.NextSibling
			next := copyNode(at)
			copied.Parent.AppendChild(next)
			copied = next
		}
	}
}

func copyNode(n *html.Node) *html.Node {
	return &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
}
