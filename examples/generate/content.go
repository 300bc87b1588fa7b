package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// doc is one text file of a site: the content of a page, without any markup of the site
// around it. Pages and golds are both made from it.
type doc struct {
	name   string            // file name without extension
	meta   map[string]string // the "key: value" lines at the top
	blocks []block           // of articles and products
	posts  []post            // of forum threads
}

// block is a paragraph or another block of content; kind says which.
type block struct {
	kind kind
	text string // with inline markup: *emphasis*, [[link]]
	cell string // of a row: the text of its second cell
}

type kind int

const (
	paragraph kind = iota
	heading        // "## text"
	item           // "- text"
	quote          // "> text"
	row            // "| name | value"
)

// post is one message of a forum thread: "=== author | time", then blocks.
type post struct {
	author, when string
	blocks       []block
}

// parseDoc reads a text file: key lines, an empty line, then blocks separated
// by empty lines. Items and rows need no empty line between them.
func parseDoc(name, text string) (*doc, error) {
	head, body, ok := strings.Cut(text, "\n\n")
	if !ok {
		return nil, fmt.Errorf("%s: no text below the key lines", name)
	}
	d := &doc{name: name, meta: make(map[string]string)}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("%s: %q is not of the form key: value", name, line)
		}
		d.meta[key] = value
	}
	if d.meta["title"] == "" || d.meta["layout"] == "" {
		return nil, fmt.Errorf("%s: no title or no layout", name)
	}
	for line := range strings.SplitSeq(body, "\n") {
		if err := d.add(line); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return d, nil
}

func (d *doc) add(line string) error {
	if line == "" {
		return nil
	}
	if rest, ok := strings.CutPrefix(line, "=== "); ok {
		author, when, ok := strings.Cut(rest, " | ")
		if !ok {
			return fmt.Errorf("post %q has no time", rest)
		}
		d.posts = append(d.posts, post{author: author, when: when})
		return nil
	}
	b := block{kind: paragraph, text: line}
	for prefix, k := range map[string]kind{"## ": heading, "- ": item, "> ": quote, "| ": row} {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			b.kind, b.text = k, rest
		}
	}
	if b.kind == row {
		name, value, ok := strings.Cut(b.text, " | ")
		if !ok {
			return fmt.Errorf("row %q has one cell", b.text)
		}
		b.text, b.cell = name, value
	}
	if n := len(d.posts); n > 0 {
		d.posts[n-1].blocks = append(d.posts[n-1].blocks, b)
	} else {
		d.blocks = append(d.blocks, b)
	}
	return nil
}

// gold returns the main content of the page that is made from d: only its text, one
// line for each block, and nothing of the site around it.
func (d *doc) gold() string {
	lines := []string{d.meta["title"]}
	if lead := d.meta["lead"]; lead != "" {
		lines = append(lines, lead)
	}
	add := func(blocks []block) {
		for _, b := range blocks {
			if b.kind == row {
				b.text += " " + b.cell
			}
			lines = append(lines, strip(b.text))
		}
	}
	add(d.blocks)
	for _, p := range d.posts {
		add(p.blocks)
	}
	return strings.Join(lines, "\n")
}

var (
	emphasis = regexp.MustCompile(`\*([^*]+)\*`)
	link     = regexp.MustCompile(`\[\[([^\]]+)\]\]`)
)

// strip removes the inline markup.
func strip(s string) string {
	return link.ReplaceAllString(emphasis.ReplaceAllString(s, "$1"), "$1")
}

// inline turns text with inline markup into HTML; links go to hrefs below base.
func inline(s, base string) string {
	s = html.EscapeString(s)
	s = emphasis.ReplaceAllString(s, "<em>$1</em>")
	return link.ReplaceAllStringFunc(s, func(m string) string {
		name := m[2 : len(m)-2]
		target := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], " ", "_")
		return fmt.Sprintf(`<a href="%s%s" title="%s">%s</a>`, base, target, name, name)
	})
}
