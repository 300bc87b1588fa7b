package algotest

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/page"
)

// PlainCanon is a node of the canonical tree of a page, made of what
// golang.org/x/net/html builds and with strings where package canon has hashes:
// what independent twins of site-level extractors read.
type PlainCanon struct {
	Tag    string // "#text" for a text
	Text   string // the text in NFC, folded
	Media  bool   // a content leaf other than text
	InLink *PlainCanon
	Hidden bool
	Parent *PlainCanon
	Kids   []*PlainCanon
	Path   string // the names from body down

	attr map[string]string
	base *url.URL
}

// PlainCanonOf returns the canonical tree of a page, or nil if it has none or is too
// large.
func PlainCanonOf(p SitePage) *PlainCanon {
	root, err := html.ParseWithOptions(strings.NewReader(p.HTML), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil
	}
	base, err := url.Parse(p.URL)
	if err != nil {
		return nil
	}
	var body *html.Node
	based := false
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Namespace != "" {
			continue
		}
		if n.Data == "body" && body == nil {
			body = n
		}
		if n.Data == "base" && !based {
			for _, a := range n.Attr {
				if u, err := base.Parse(strings.TrimSpace(a.Val)); a.Key == "href" && err == nil {
					base, based = u, true
				}
			}
		}
	}
	if body == nil {
		return nil
	}
	c := canonical(body, nil, base)
	if len(c.All()) > canon.MaxNodes {
		return nil
	}
	return c
}

func canonical(n *html.Node, parent *PlainCanon, base *url.URL) *PlainCanon {
	c := &PlainCanon{Tag: n.Data, Path: n.Data, Parent: parent, attr: map[string]string{}, base: base}
	for _, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		c.attr[name] = a.Val
	}
	style := strings.ToLower(strings.Join(strings.FieldsFunc(c.attr["style"], IsBlank), ""))
	_, c.Hidden = c.attr["hidden"]
	c.Hidden = c.Hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
	if parent != nil {
		c.Path = parent.Path + "." + n.Data
		c.Hidden = c.Hidden || parent.Hidden
		if c.InLink = parent.InLink; parent.Tag == "a" {
			c.InLink = parent
		}
	}
	switch n.Data {
	case "img", "svg", "video", "audio", "canvas", "iframe", "object", "embed":
		c.Media = true
		return c
	case "select", "datalist", "math":
		return c
	}
	text := ""
	flush := func() {
		if s := Fold(norm.NFC.String(text)); s != "" {
			k := &PlainCanon{Tag: "#text", Text: s, Hidden: c.Hidden, Parent: c, Path: c.Path + ".#text", InLink: c.InLink}
			if c.Tag == "a" {
				k.InLink = c
			}
			c.Kids = append(c.Kids, k)
		}
		text = ""
	}
	for k := range n.ChildNodes() {
		switch k.Type {
		case html.TextNode:
			text += k.Data
		case html.ElementNode:
			switch k.Data {
			case "script", "style", "noscript", "template", "link", "meta", "title":
				continue
			}
			flush()
			c.Kids = append(c.Kids, canonical(k, c, base))
		}
	}
	flush()
	return c
}

// IsText reports whether n is a text.
func (n *PlainCanon) IsText() bool { return n.Tag == "#text" }

// All returns the nodes of the subtree of n in document order, n first.
func (n *PlainCanon) All() []*PlainCanon {
	all := []*PlainCanon{n}
	for _, k := range n.Kids {
		all = append(all, k.All()...)
	}
	return all
}

// Leaves returns the content leaves in the subtree of n.
func (n *PlainCanon) Leaves() []*PlainCanon {
	var leaves []*PlainCanon
	for _, m := range n.All() {
		if m.IsText() || m.Media {
			leaves = append(leaves, m)
		}
	}
	return leaves
}

var longNumber = regexp.MustCompile(`[0-9]{3,}`)

// Attr returns the value of an attribute as labels contain it: long numbers in id and
// class masked, addresses absolute and without fragment, classes sorted.
func (n *PlainCanon) Attr(name string) (string, bool) {
	v, ok := n.attr[name]
	switch {
	case !ok:
	case name == "id":
		v = longNumber.ReplaceAllString(v, "0")
	case name == "class":
		f := strings.FieldsFunc(longNumber.ReplaceAllString(v, "0"), IsBlank)
		slices.Sort(f)
		v = strings.Join(f, " ")
	case name == "href" || name == "src":
		if u, err := n.base.Parse(strings.TrimSpace(v)); err == nil {
			u.Fragment, u.RawFragment = "", ""
			u.Host = strings.ToLower(u.Host)
			v = u.String()
		}
	}
	return v, ok
}

// Label returns what nodes are compared by under the policies "tag", "idc", "full" and
// "looks".
func (n *PlainCanon) Label(policy string) string {
	if n.IsText() {
		if policy == "tag" || policy == "looks" {
			return "#text"
		}
		return "#text\x00" + n.Text
	}
	var names []string
	switch policy {
	case "idc":
		names = []string{"class", "id"}
		if n.Media {
			names = append(names, "src")
		}
	case "looks":
		names = []string{"align", "bgcolor", "border", "cellpadding", "cellspacing", "class", "color", "face", "height", "size", "valign", "width"}
	case "full":
		for name := range n.attr {
			if !strings.HasPrefix(name, "on") && !strings.HasPrefix(name, "data-") && name != "nonce" && name != "integrity" {
				names = append(names, name)
			}
		}
		slices.Sort(names)
	}
	label := n.Tag
	for _, name := range names {
		if v, ok := n.Attr(name); ok {
			label += "\x00" + name + "=" + v
		}
	}
	return label
}

// Subtree returns the subtree of n as a string, with the labels of a policy.
func (n *PlainCanon) Subtree(policy string) string {
	var b strings.Builder
	n.write(&b, policy)
	return b.String()
}

func (n *PlainCanon) write(b *strings.Builder, policy string) {
	b.WriteString("\x01" + n.Label(policy))
	for _, k := range n.Kids {
		k.write(b, policy)
	}
	b.WriteString("\x02")
}

// PlainWords are the words of a text as site-level extractors count them: runs
// of letters, digits and the marks on them in lower case, and every two
// neighbouring characters of scripts without blanks, or one alone.
func PlainWords(text string) []string {
	var words []string
	var run, pairs []rune
	flush := func() {
		if len(run) > 0 {
			words = append(words, string(run))
		}
		for i := 0; i+1 < len(pairs); i++ {
			words = append(words, string(pairs[i:i+2]))
		}
		if len(pairs) == 1 {
			words = append(words, string(pairs))
		}
		run, pairs = nil, nil
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) && unicode.IsLetter(r):
			if len(run) > 0 {
				flush()
			}
			pairs = append(pairs, r)
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r) && len(run) > 0:
			if len(pairs) > 0 {
				flush()
			}
			run = append(run, r)
		default:
			flush()
		}
	}
	flush()
	return words
}

// IndependentSite compares e with a twin on a site. twin learns from the sample, in the
// order of ranks, and returns a function that cleans a page. Its argument at is the
// page's index in the sample, or -1 for a page outside of it. Its answer is the leaves
// that are kept. IndependentSite returns the number of pages from which something was
// dropped.
func IndependentSite(t *testing.T, e *algorithms.Extractor, name string, sample, others []SitePage,
	twin func(sample []*PlainCanon, pages []SitePage) func(p *PlainCanon, at int) []*PlainCanon) int {
	t.Helper()
	learned, err := TryLearn(t, e, sample, others...)
	if err != nil {
		t.Logf("%s on %s: %v", e.Name, name, err)
		return 0
	}
	var trees []*PlainCanon
	var pages []SitePage
	for _, p := range byRank(sample) {
		if tree := PlainCanonOf(p); tree != nil {
			trees, pages = append(trees, tree), append(pages, p)
		}
	}
	if len(trees) != len(learned.Ranks) {
		t.Fatalf("%s on %s: %d pages of the sample have a tree, the extractor learned from %d", e.Name, name, len(trees), len(learned.Ranks))
	}
	clean := twin(trees, pages)
	cleaned, wrong := 0, 0
	for i, p := range append(slices.Clone(pages), others...) {
		tree := PlainCanonOf(p)
		if tree == nil {
			continue
		}
		at := i
		if i >= len(pages) {
			at = -1
		}
		kept := clean(tree, at)
		if len(kept) < len(tree.Leaves()) {
			cleaned++
		}
		if !sameLeaves(t, e.Name+" on "+name+" "+p.URL, learned.Run(t, p), tree, kept) {
			if wrong++; wrong == 3 {
				break
			}
		}
	}
	return cleaned
}

func sameLeaves(t *testing.T, name string, pass *algorithms.Pass, tree *PlainCanon, kept []*PlainCanon) bool {
	t.Helper()
	c, err := canon.Of(pass)
	if err != nil {
		t.Errorf("%s: %v, but its twin has a tree", name, err)
		return false
	}
	leaves := tree.Leaves()
	if len(leaves) != len(c.Leaves) {
		t.Errorf("%s: %d leaves, the twin's tree has %d", name, len(c.Leaves), len(leaves))
		return false
	}
	for i, l := range c.Leaves {
		if got, want := string(c.Text(i)), leaves[i].Text; got != want || l.Hidden != leaves[i].Hidden {
			t.Errorf("%s: leaf %d is %.60q (hidden %v), the twin's %.60q (hidden %v)", name, i, got, l.Hidden, want, leaves[i].Hidden)
			return false
		}
		if l.Hidden {
			continue
		}
		got := slices.ContainsFunc(pass.Out.Rows, func(r page.Rows) bool {
			return r.Start <= l.Rows.Start && l.Rows.End <= r.End
		})
		if want := slices.Contains(kept, leaves[i]); got != want {
			t.Errorf("%s: leaf %d %s %.60q is kept: %v, twin says %v (notes %v)", name, i, leaves[i].Path, leaves[i].Text, got, want, pass.Notes)
			return false
		}
	}
	return true
}
