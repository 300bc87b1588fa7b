package html

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestReferences decodes every reference of the table from which entities.go was
// generated, alone and before other text, and compares the result with that of the twin.
func TestReferences(t *testing.T) {
	file := filepath.Join(filepath.Dir(netTestdata(t)), "entity.go")
	f, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Skipf("no table: %v", err)
	}
	count := 0
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		name, err := strconv.Unquote(kv.Key.(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		count++
		for _, tail := range []string{"", " ", "=", "a", ";", "&"} {
			src := "&" + name + tail
			if got, want := string(appendDecoded(nil, []byte(src), decodeRefs)), html.UnescapeString(src); got != want {
				t.Errorf("%q: %q, want %q", src, got, want)
			}
		}
		if bare := strings.TrimSuffix(name, ";"); len(bare) > longestReference || bare == name && len(bare) > longestLegacy {
			t.Errorf("%q is longer than the scanner looks", name)
		}
		return false
	})
	if want := len(referenceNameEnd) - 1 + legacyReferences; count != want {
		t.Errorf("%d references, the table has %d", count, want)
	}
}

// TestReferenceForms decodes text that only looks like a reference, and the forms that
// are decoded differently in an attribute.
func TestReferenceForms(t *testing.T) {
	for _, c := range []struct{ src, text, attr string }{
		{"&", "&", "&"}, {"&#", "&#", "&#"}, {"&#x", "&#x", "&#x"}, {"&;", "&;", "&;"}, {"&#;", "&#;", "&#;"},
		{"&#65", "A", "A"}, {"&#65x", "Ax", "Ax"}, {"&#x41;", "A", "A"}, {"&#X41g", "Ag", "Ag"},
		{"&#0;", "\uFFFD", "\uFFFD"}, {"&#xD800;", "\uFFFD", "\uFFFD"}, {"&#x110000;", "\uFFFD", "\uFFFD"},
		{"&#99999999999999999999;", "\uFFFD", "\uFFFD"}, {"&#128;", "€", "€"}, {"&#x9F;", "Ÿ", "Ÿ"}, {"&#x81;", "\u0081", "\u0081"},
		{"&notit;", "¬it;", "&notit;"}, {"&notin;", "∉", "∉"}, {"&amp=1", "&=1", "&amp=1"}, {"&amp;=1", "&=1", "&=1"},
		{"a&lt b", "a< b", "a< b"}, {"&ltb", "<b", "&ltb"}, {"&lt1", "<1", "&lt1"}, {"&bogus;", "&bogus;", "&bogus;"},
		{"&NotEqualTilde;", "≂̸", "≂̸"}, {"\r\n&\r", "\n&\n", "\n&\n"},
		{"12345678\r90", "12345678\n90", "12345678\n90"}, {"1234567&amp;\x00", "1234567&\x00", "1234567&\x00"},
	} {
		if got := string(appendDecoded(nil, []byte(c.src), decodeRefs)); got != c.text {
			t.Errorf("%q in text: %q, want %q", c.src, got, c.text)
		}
		if got := string(appendDecoded(nil, []byte(c.src), decodeRefs|decodeAttr)); got != c.attr {
			t.Errorf("%q in an attribute: %q, want %q", c.src, got, c.attr)
		}
	}
}

// TestNextEncoded compares the eight-byte search with the table.
func TestNextEncoded(t *testing.T) {
	for _, special := range []byte{'&', '\r', 0, 'x', 0x80, 1, '\f', '\'', 0xFF} {
		for size := range 20 {
			for at := range size {
				s := []byte(strings.Repeat("a\x80\x01", 7))[:size]
				s[at] = special
				want := 0
				for want < len(s) && classOf[s[want]]&chEncoded == 0 {
					want++
				}
				if got := nextEncoded(s, 0); got != want {
					t.Fatalf("%q: %d, want %d", s, got, want)
				}
			}
		}
	}
}

// TestTagOf looks up every listed name in lower, upper and mixed case, and names that
// differ little from a listed one.
func TestTagOf(t *testing.T) {
	var p Document
	tagOf := func(name string) Tag {
		p.Parse([]byte("<"+name+" padding=1>"), Bounds{})
		if p.Lex.Len() == 0 {
			return TagNone
		}
		return p.Lex.Tag[0]
	}
	for tag := TagText + 1; tag < TagOther; tag++ {
		name := tagNames[tag]
		for _, s := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]} {
			if got := tagOf(s); got != tag {
				t.Errorf("%q: %d, want %d", s, got, tag)
			}
		}
		for _, s := range []string{name + "x", name + "\x00", name + "-", name + "é", "x" + name, strings.Repeat(name, 9)} {
			if got := tagOf(s); got < TagOther && tagNames[got] != s {
				t.Errorf("%q is taken for %q", s, tagNames[got])
			}
		}
		// Bytes that are not letters must not become letters by conversion to lower case.
		if low := []byte(name); low[len(low)-1]&^0x20 != low[len(low)-1] {
			low[len(low)-1] &^= 0x20
			if c := low[len(low)-1]; c < 'A' || c > 'Z' {
				if got := tagOf(string(low)); got == tag {
					t.Errorf("%q is taken for %q", low, name)
				}
			}
		}
	}
}
