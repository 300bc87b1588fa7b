package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/html"
)

// oracle computes the node table in the simplest way: by recursion over the tree, with a
// walk over the subtree for every figure.
type oracle struct {
	p    *Page
	mode WordMode
	rows []oracleRow
	text strings.Builder
	gap  []oracleGap // white space and block boundaries since the last character of text
}

type oracleRow struct {
	node                  html.Node
	tag                   html.Tag
	parent, end           int
	depth, kids, ekids    int
	start, stop           int // range of its own text
	hidden, a, ahref, lnk bool
	chars, words          int
	scripts               int
}

// oracleGap is a white space character or, if line is true, a block boundary.
type oracleGap struct {
	r    rune
	pre  bool
	line bool
}

func isOracleSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

func (o *oracle) attr(n html.Node, name string) (string, bool) {
	v, ok := o.p.Attr(n, name)
	return string(v), ok
}

func (o *oracle) hides(n html.Node) bool {
	_, hidden := o.attr(n, "hidden")
	style, _ := o.attr(n, "style")
	var b strings.Builder
	for _, r := range style {
		if !strings.ContainsRune("\t\n\v\f\r \x1c\x1d\x1e\x1f", r) {
			b.WriteRune(r)
		}
	}
	s := strings.Map(func(r rune) rune { // ASCII alone
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, b.String())
	if o.p.opt.ShowHidden {
		return false
	}
	return hidden || strings.Contains(s, "display:none") || strings.Contains(s, "visibility:hidden")
}

const oracleBlocks = " address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol option p pre section summary table tbody td tfoot th thead tr ul "
const oracleF = " table tr p hr ul div span body "
const oracleChildless = " iframe object embed svg math select datalist "
const oracleLeftOut = " script style noscript template title "

const oracleMarkup = " a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr "

func in(set, name string) bool { return name != "" && strings.Contains(set, " "+name+" ") }

func (o *oracle) walk(n html.Node, parent int, depth int, up oracleRow, pre bool) {
	t := &o.p.Tree
	name := o.p.TagName(t.Tag[n])
	switch t.Kind[n] {
	case html.KindText:
		o.addText(n, parent, depth, up, pre)
		return
	case html.KindElement:
	default:
		return
	}
	if in(oracleLeftOut, name) {
		if name == "script" {
			o.rows[parent].scripts++
		}
		return
	}
	_, href := o.attr(n, "href")
	row := oracleRow{node: n, tag: t.Tag[n], parent: parent, depth: depth,
		hidden: up.hidden || o.hides(n), a: up.a, ahref: up.ahref, lnk: up.lnk}
	id := len(o.rows)
	if id > 0 {
		o.rows[parent].kids++
		o.rows[parent].ekids++
	}
	o.rows = append(o.rows, row)
	if in(oracleBlocks, name) || name == "br" {
		o.gap = append(o.gap, oracleGap{line: true})
	}
	if !in(oracleChildless, name) {
		inner := row
		inner.a = inner.a || name == "a"
		inner.ahref = inner.ahref || name == "a" && href
		inner.lnk = inner.lnk || in(" a button select ", name)
		for c := n + 1; c < t.End[n]; c = t.End[c] {
			o.walk(c, id, depth+1, inner, pre || name == "pre" || name == "textarea")
		}
	}
	if in(oracleBlocks, name) {
		o.gap = append(o.gap, oracleGap{line: true})
	}
	o.rows[id].end = len(o.rows)
}

func (o *oracle) addText(n html.Node, parent, depth int, up oracleRow, pre bool) {
	t := &o.p.Tree
	s := string(t.Text[t.Data[n].Start:t.Data[n].End])
	words := strings.FieldsFunc(s, isOracleSpace)
	if len(words) == 0 {
		for _, r := range s {
			o.gap = append(o.gap, oracleGap{r: r, pre: pre})
		}
		return
	}
	row := oracleRow{node: n, tag: html.TagText, parent: parent, end: len(o.rows) + 1, depth: depth,
		hidden: up.hidden, a: up.a, ahref: up.ahref, lnk: up.lnk, start: -1}
	if !up.hidden {
		row.chars = utf8.RuneCountInString(strings.Join(words, " "))
		for _, w := range words {
			row.words += oracleWords(w, o.mode)
		}
	}
	for i, w := 0, 0; i < len(s); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(s[i:])
		if isOracleSpace(r) {
			o.gap = append(o.gap, oracleGap{r: r, pre: pre})
			continue
		}
		o.closeGap(pre)
		if row.start < 0 {
			row.start = o.text.Len()
		}
		o.text.WriteString(s[i : i+w])
		row.stop = o.text.Len()
	}
	o.rows[parent].kids++
	o.rows = append(o.rows, row)
}

// closeGap writes the white space that the gap before a character becomes. The character
// may belong to a text that keeps its white space.
func (o *oracle) closeGap(pre bool) {
	first, line := o.text.Len() == 0, false
	tail := o.gap
	for i, g := range o.gap {
		if g.line {
			line, tail = true, o.gap[i+1:]
		}
	}
	if line || first {
		if line && !first {
			o.text.WriteByte('\n')
		}
		var indent []rune
		for _, g := range tail {
			if g.pre && g.r == '\n' {
				indent = nil
			} else if g.pre {
				indent = append(indent, g.r)
			}
		}
		if pre {
			o.text.WriteString(string(indent))
		}
	} else {
		for i, g := range tail {
			if g.pre {
				o.text.WriteRune(g.r)
			} else if i == 0 {
				o.text.WriteByte(' ')
			}
		}
	}
	o.gap = o.gap[:0]
}

// oracleWords returns the number of words of a run without white space.
func oracleWords(s string, mode WordMode) int {
	if mode == WordsBySpace {
		return 1
	}
	n, open, base := 0, false, false
	for _, r := range s {
		mark := unicode.Is(unicode.M, r)
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !mark:
			n++
			open, base = false, true
		case mark && base:
		default:
			if !open {
				n++
			}
			open, base = true, false
		}
	}
	return n
}

// checkBody compares p.Body() with the oracle.
func checkBody(t testing.TB, p *Page) {
	t.Helper()
	b := p.Body()
	o := &oracle{p: p, mode: p.opt.Words}
	body := p.BodyElement()
	if body != 0 {
		up := oracleRow{}
		for n := p.Tree.Parent[body]; n != 0; n = p.Tree.Parent[n] {
			up.hidden = up.hidden || o.hides(n)
		}
		o.walk(body, 0, 0, up, false)
	}
	if b.Len() != len(o.rows) {
		t.Fatalf("%d rows, want %d", b.Len(), len(o.rows))
	}
	if got, want := string(b.Text), o.text.String(); got != want {
		t.Fatalf("text %q, want %q", got, want)
	}
	sums := b.sums()
	var acc [13]int32
	for i, c := range sums {
		if len(*c) != b.Len()+1 {
			t.Fatalf("sum %d has %d entries for %d rows", i, len(*c), b.Len())
		}
	}
	lt := make([]int, len(o.rows))
	for i := len(o.rows) - 1; i >= 0; i-- {
		lt[i] = o.linkTags(i, lt)
	}
	lastEnd := int32(0)
	var words int
	for i, w := range o.rows {
		r := Row(i)
		bad := func(what string, got, want any) {
			t.Helper()
			t.Fatalf("row %d (%s): %s is %v, want %v", i, p.TagName(w.tag), what, got, want)
		}
		same := func(what string, got, want int) {
			t.Helper()
			if got != want {
				bad(what, got, want)
			}
		}
		same("Node", int(b.Node[r]), int(w.node))
		same("Tag", int(b.Tag[r]), int(w.tag))
		same("Parent", int(b.Parent[r]), w.parent)
		same("End", int(b.End[r]), w.end)
		same("Depth", int(b.Depth[r]), w.depth)
		same("Kids", int(b.Kids[r]), w.kids)
		same("EKids", int(b.EKids[r]), w.ekids)
		same("Scripts", int(b.Scripts[r]), w.scripts)
		same("LT", int(b.LinkTags[r]), lt[i])
		start, stop := o.textRange(i)
		if start < 0 {
			start, stop = int(lastEnd), int(lastEnd)
		}
		same("TextStart", int(b.TextStart[r]), start)
		same("TextEnd", int(b.TextEnd[r]), stop)
		if w.tag == html.TagText {
			lastEnd = b.TextEnd[r]
		}
		name := p.TagName(w.tag)
		_, href := o.attr(w.node, "href")
		isText := w.tag == html.TagText
		var flags Flag
		for _, f := range []struct {
			on   bool
			flag Flag
		}{{isText, IsText}, {w.a, InA}, {w.ahref, InAHref}, {w.lnk, InLink}, {w.hidden, Hidden},
			{!isText && in(oracleBlocks, name), IsBlock}, {!isText && href, HasHref}} {
			if f.on {
				flags |= f.flag
			}
		}
		if got := b.Flags[r] &^ private; got != flags {
			bad("Flags", got, flags)
		}
		same("Block", int(b.Block[r]), o.nearest(i, oracleBlocks))
		same("FBlock", int(b.FBlock[r]), o.nearest(i, oracleF))
		for k, c := range sums {
			same(fmt.Sprintf("sum %d", k), int((*c)[r]), int(acc[k]))
		}
		add := func(k int, on bool, n int) {
			if on {
				acc[k] += int32(n)
			}
		}
		visible := isText && !w.hidden
		add(0, true, w.chars)
		add(1, true, w.words)
		add(2, w.a, w.chars)
		add(3, w.a, w.words)
		add(4, w.ahref, w.chars)
		add(5, w.lnk, w.chars)
		element := !isText && !w.hidden
		add(6, element, 1)
		add(7, element && name == "a", 1)
		add(8, element && name == "a" && href, 1)
		add(9, visible || element && w.kids == 0, 1)
		add(10, element && name == "img", 1)
		add(11, element && in(" ul ol li ", name), 1)
		add(12, isText && w.hidden, 1)
		words += w.words
		if got, ok := b.Row(w.node); !ok || got != r {
			bad("Row of its node", got, r)
		}
	}
	for k, c := range sums {
		if got := (*c)[b.Len()]; got != acc[k] {
			t.Fatalf("total %d is %d, want %d", k, got, acc[k])
		}
	}
	checkWords(t, p, words)
}

func (o *oracle) textRange(i int) (start, stop int) {
	start = -1
	for j := i; j < o.rows[i].end; j++ {
		if o.rows[j].tag == html.TagText {
			if start < 0 {
				start = o.rows[j].start
			}
			stop = o.rows[j].stop
		}
	}
	return start, stop
}

func (o *oracle) nearest(i int, set string) int {
	for i != 0 && !(o.rows[i].tag != html.TagText && in(set, o.p.TagName(o.rows[i].tag))) {
		i = o.rows[i].parent
	}
	return i
}

// linkTags computes the number of link tags from those of the children.
func (o *oracle) linkTags(i int, lt []int) int {
	if o.rows[i].tag == html.TagText || o.rows[i].hidden {
		return 0
	}
	if in(" a button select ", o.p.TagName(o.rows[i].tag)) {
		return o.tags(i)
	}
	sum := 0
	for c := i + 1; c < o.rows[i].end; c = o.rows[c].end {
		if o.rows[c].tag == html.TagText || o.rows[c].hidden {
			continue
		}
		sum += lt[c]
		chars, linked := 0, 0
		for j := c; j < o.rows[c].end; j++ {
			chars += o.rows[j].chars
			if o.rows[j].lnk {
				linked += o.rows[j].chars
			}
		}
		if in(" a button select ", o.p.TagName(o.rows[c].tag)) || lt[c] == o.tags(c) && lt[c] != 0 && chars == linked {
			sum++
		}
	}
	return sum
}

// tags returns the number of visible elements strictly inside row i.
func (o *oracle) tags(i int) (n int) {
	for j := i + 1; j < o.rows[i].end; j++ {
		if o.rows[j].tag != html.TagText && !o.rows[j].hidden {
			n++
		}
	}
	return n
}

// checkWords checks the word list against W and the text.
func checkWords(t testing.TB, p *Page, total int) {
	t.Helper()
	b := p.Body()
	w := b.Words()
	if len(w.Span) != total || len(w.Row) != total {
		t.Fatalf("%d words, want %d", len(w.Span), total)
	}
	last := int32(0)
	for i, sp := range w.Span {
		r := w.Row[i]
		if i < int(b.TextWords[r]) || i >= int(b.TextWords[r+1]) {
			t.Fatalf("word %d is in row %d, whose words are %d to %d", i, r, b.TextWords[r], b.TextWords[r+1])
		}
		if sp.Start < last || sp.Start >= sp.End || sp.Start < b.TextStart[r] || sp.End > b.TextEnd[r] {
			t.Fatalf("word %d %v of row %d [%d,%d) after %d", i, sp, r, b.TextStart[r], b.TextEnd[r], last)
		}
		if s := b.Text[sp.Start:sp.End]; bytes.IndexFunc(s, isOracleSpace) >= 0 {
			t.Fatalf("word %d is %q", i, s)
		}
		last = sp.End
	}
}

// checkTokens checks the stream against the source and the text.
func checkTokens(t testing.TB, p *Page) {
	t.Helper()
	b, k := p.Body(), p.Tokens()
	last, segment := uint32(0), int32(-1)
	for i := range k.Kind {
		src := k.Src[i]
		if src.Start < last || src.End < src.Start || int(src.End) > len(p.Source) {
			t.Fatalf("token %d is at %v after %d", i, src, last)
		}
		last = src.End
		if k.Kind[i] != TokenWord {
			if k.Segment[i] != -1 || k.Lead[i] || k.Text[i] != (Span{}) || k.Tag[i] == html.TagNone {
				t.Fatalf("token %d is no plain tag", i)
			}
			continue
		}
		if s := k.Segment[i]; s != segment && s != segment+1 {
			t.Fatalf("token %d: segment %d after %d", i, s, segment)
		}
		segment = k.Segment[i]
		sp := k.Text[i]
		if sp.Start > sp.End || int(sp.End) > len(b.Text) {
			t.Fatalf("token %d is %v of %d bytes", i, sp, len(b.Text))
		}
		text := b.Text[sp.Start:sp.End]
		if bytes.IndexFunc(text, isOracleSpace) >= 0 {
			t.Fatalf("token %d is %q", i, text)
		}
		if raw := p.Source[src.Start:src.End]; sp.Start < sp.End && !bytes.ContainsAny(raw, "&\x00") && !bytes.Equal(raw, text) {
			t.Fatalf("token %d is %q in the source and %q in the text", i, raw, text)
		}
	}
}

// checkPage checks everything that holds for every page.
func checkPage(t testing.TB, p *Page) {
	t.Helper()
	checkBody(t, p)
	checkTokens(t, p)
	checkSelections(t, p)
}

// checkSelections makes selections in several ways and parses their markup again.
func checkSelections(t testing.TB, p *Page) {
	t.Helper()
	b := p.Body()
	var all, words, rows, some Selection
	if b.Len() > 0 {
		all.AddRow(b, 0)
	}
	words.AddWords(b, 0, len(b.Words().Span))
	for r := range b.Tag {
		rows.AddRows(b, Rows{Row(r), Row(r) + 1})
		if r%7 < 3 {
			some.AddRows(b, Rows{Row(r), Row(r) + 1})
		}
	}
	for i, s := range []*Selection{&all, &words, &rows, &some} {
		if err := s.Validate(b); err != nil {
			t.Fatalf("selection %d: %v", i, err)
		}
		if i < 3 && !slices.Equal(s.Spans, all.Spans) {
			t.Fatalf("selection %d: %v, want %v", i, s.Spans, all.Spans)
		}
		checkMarkup(t, p, s)
	}
}

// checkMarkup parses the markup of s and compares the text of the result with that of s.
func checkMarkup(t testing.TB, p *Page, s *Selection) {
	t.Helper()
	markup := p.AppendHTML(nil, s)
	var again Page
	again.Parse(append([]byte("<!doctype html><body>"), markup...), Options{Bounds: html.Bounds{MaxDepth: 1 << 20, MaxAttrs: 1 << 20}})
	if again.Cut != 0 {
		return
	}
	for n := again.BodyElement() + 1; int(n) < again.Tree.Len(); n++ {
		if again.Tree.Kind[n] == html.KindText {
			continue
		}
		if name := again.TagName(again.Tree.Tag[n]); !in(oracleMarkup, name) {
			t.Fatalf("markup %q has an element %q", markup, name)
		}
		for _, a := range again.Attrs(n) {
			value := strings.ToLower(strings.Join(strings.Fields(string(again.AttrValue(a))), ""))
			if name := string(again.AttrName(a)); !in(" href src alt title colspan rowspan lang dir start value class ", name) ||
				in(" href src ", name) && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:")) {
				t.Fatalf("markup %q has the attribute %s=%q", markup, name, value)
			}
		}
	}
	fold := func(text []byte) string { return strings.Join(strings.FieldsFunc(string(text), isOracleSpace), " ") }
	want := fold(s.AppendText(nil, p.Body()))
	if got := fold(again.Body().Text); got != want {
		t.Fatalf("markup %q reads %q, want %q", markup, got, want)
	}
}
