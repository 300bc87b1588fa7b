package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// anchors gives headings the anchors that code hosts give them, so that a link to a
// heading leads to the same place there and here.
type anchors map[string]int

// Generate returns the anchor of a heading.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	n := a[id]
	a[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put notes an anchor that a document gives by itself.
func (a anchors) Put(value []byte) { a[string(value)]++ }
