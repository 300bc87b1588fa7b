package html

import (
	"reflect"
	"testing"

	"github.com/winnow/winnow/algorithms/html/worst"
	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// heldBytes returns the number of bytes of memory that the slices of v hold.
func heldBytes(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.Slice:
		return v.Cap() * int(v.Type().Elem().Size())
	case reflect.Struct:
		for i := range v.NumField() {
			n += heldBytes(v.Field(i))
		}
	}
	return n
}

func held(p *Document) int {
	b := &p.builder
	page, src := b.doc, b.src
	b.doc, b.src = nil, nil // these do not belong to the builder
	n := heldBytes(reflect.ValueOf(b).Elem()) + heldBytes(reflect.ValueOf(&p.names).Elem())
	b.doc, b.src = page, src
	return n
}

// TestParseAllocatesNothing checks that parsing into a used page allocates nothing.
func TestParseAllocatesNothing(t *testing.T) {
	var p Document
	pages := testpages.Made()
	for _, w := range worst.Pages {
		pages[w.Name] = []byte(w.Make(20_000))
	}
	for name, src := range pages {
		p.Parse(src, Bounds{})
		if n := testing.AllocsPerRun(3, func() { p.Parse(src, Bounds{}) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// The memory of a parsed page is at most bytesPerByte times the size of the source, plus
// bytesAtLeast.
const (
	bytesPerByte = 200
	bytesAtLeast = 2 << 20
	keptBytes    = 64 << 20
)

// TestParseMemory checks the bound of a page's memory, and that a page releases the
// memory that a huge document needed.
func TestParseMemory(t *testing.T) {
	small := []byte("<p>a</p>")
	most, name := 0.0, ""
	for _, w := range worst.Pages {
		src := []byte(w.Make(1 << 20))
		var p Document
		p.Parse(src, Bounds{})
		n := held(&p)
		if r := float64(n) / float64(len(src)); r > most {
			most, name = r, w.Name
		}
		if n > bytesPerByte*len(src)+bytesAtLeast {
			t.Errorf("%s: %d bytes for a source of %d", w.Name, n, len(src))
		}
		p.Parse(small, Bounds{})
		if n := held(&p); n > keptBytes {
			t.Errorf("%s: %d bytes kept", w.Name, n)
		}
	}
	t.Logf("most: %.1f bytes for a byte of source, %s", most, name)
	for name, src := range testpages.Made() {
		var p Document
		p.Parse(src, Bounds{})
		t.Logf("%s: %.1f bytes for a byte of source", name, float64(held(&p))/float64(len(src)))
	}
}

// TestHasBase: the tree tells whether there is a base element of HTML, also when it is used
// again.
func TestHasBase(t *testing.T) {
	var d Document
	for html, want := range map[string]bool{
		`<base href=x>`: true, `<body><p><table><tr><BASE>`: true, `<template><base></template>`: true, `</head><base>`: true,
		`<basefont>`: false, `<svg><base/></svg>`: false, `<select><base>`: true, `<!--<base>-->`: false,
	} {
		d.Parse([]byte(html), Bounds{})
		found := d.Find(TagBase, 0, Node(d.Tree.Len())) != 0
		if got := d.Tree.HasBase; got != want || got != found {
			t.Errorf("%s: %v, and an element is found: %v", html, got, found)
		}
	}
}

// TestAttrNames: the tree tells which of the flagged names occur, also when it is used again.
func TestAttrNames(t *testing.T) {
	var d Document
	for _, step := range []struct {
		html       string
		has, lacks AttrFlags
	}{
		{`<p itemprop=x><a HREF=y>`, AttrItemprop | AttrHref, AttrClass},
		{`<svg><path class=x></svg><a rel=z>`, AttrClass | AttrRel, AttrItemprop | AttrHref},
		{`<p id=x>`, 0, AttrItemprop | AttrHref | AttrClass | AttrRel},
	} {
		d.Parse([]byte(step.html), Bounds{})
		if got := d.Tree.AttrNames; got&step.has != step.has || got&step.lacks != 0 {
			t.Errorf("%s: %b", step.html, got)
		}
	}
}
