package cetd_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/cetd"
)

// The twins below follow sections 3.10, 3.11 and 3.13 of the specification and
// the authors' program (FeiSun/ContentExtraction, textdensity.cpp), and were
// written without knowledge of the package.

// counts are the four numbers of a node.
type counts struct{ chars, tags, linkChars, linkTags int }

func isLink(n *algotest.Plain) bool {
	return n.Tag == "a" || n.Tag == "button" || n.Tag == "select"
}

func count(n *algotest.Plain) counts {
	c := counts{chars: n.Chars()}
	for _, m := range n.All() {
		switch {
		case m.Hidden:
		case !m.IsText() && m != n:
			c.tags++
		case m.IsText():
			for a := m.Parent; a != nil; a = a.Parent {
				if isLink(a) {
					c.linkChars += m.Chars()
					break
				}
			}
		}
	}
	if isLink(n) {
		c.linkTags = c.tags
		return c
	}
	for _, k := range seen(n) {
		of := count(k)
		c.linkTags += of.linkTags
		if isLink(k) || of.linkTags != 0 && of.linkTags == of.tags && of.chars == of.linkChars {
			c.linkTags++
		}
	}
	return c
}

// density is the composite density of weight instead of the characters, as the
// successor of the paper has it; for the composite density itself weight is
// the characters.
func (c counts) density(weight, rho float64) float64 {
	if weight == 0 {
		return 0
	}
	or1 := func(x int) float64 { return float64(max(x, 1)) }
	tags, linkChars, linkTags, rest := or1(c.tags), or1(c.linkChars), or1(c.linkTags), or1(c.chars-c.linkChars)
	return weight / tags * math.Log(weight*tags/(linkChars*linkTags)) /
		math.Log(math.Log(weight*linkChars/rest+rho*weight+math.E))
}

// seen are the element children of n that are not hidden: the authors' program
// takes hidden elements out before it counts.
func seen(n *algotest.Plain) []*algotest.Plain {
	var list []*algotest.Plain
	for _, k := range n.Elements() {
		if !k.Hidden {
			list = append(list, k)
		}
	}
	return list
}

// sums finds content by density sums, given the density of every node, texts
// included.
func sums(body *algotest.Plain, density map[*algotest.Plain]float64) []*algotest.Plain {
	sum := map[*algotest.Plain]float64{}
	best := body
	for _, n := range body.All() {
		if n.IsText() {
			continue
		}
		if len(seen(n)) == 0 {
			sum[n] = density[n]
		} else {
			for _, k := range n.Kids {
				sum[n] += density[k]
			}
		}
		if sum[n] > sum[best] {
			best = n
		}
	}
	threshold := density[body]
	for n := best; n != nil; n = n.Parent {
		threshold = min(threshold, density[n])
	}
	threshold -= cetd.DefaultSums.Tolerance

	chosen := map[*algotest.Plain]bool{}
	inside := func(n *algotest.Plain) bool {
		for ; n != nil; n = n.Parent {
			if chosen[n] {
				return true
			}
		}
		return false
	}
	var mark func(n *algotest.Plain)
	mark = func(n *algotest.Plain) {
		if inside(n) || density[n] < threshold {
			return
		}
		most := n
		for _, m := range n.All() {
			if !m.IsText() && sum[m] > sum[most] {
				most = m
			}
		}
		chosen[most] = true
		for _, k := range n.Elements() {
			mark(k)
		}
	}
	mark(body)

	var texts []*algotest.Plain
	for _, x := range body.Texts() {
		take := inside(x)
		for c := range chosen { // the bare text of what a chosen element lies in survives
			take = take || c.Parent != nil && c.Within(x.Parent) && c != x.Parent
		}
		if take {
			texts = append(texts, x)
		}
	}
	return texts
}

func composite(body *algotest.Plain) map[*algotest.Plain]float64 {
	page := count(body)
	rho := float64(page.linkChars) / float64(page.chars)
	density := map[*algotest.Plain]float64{}
	for _, n := range body.All() {
		c := count(n)
		if n.IsText() {
			c = counts{chars: n.Chars()} // a text has no tags, links or link characters of its own
		}
		density[n] = c.density(float64(c.chars), rho)
	}
	return density
}

func independentSums(body *algotest.Plain) []*algotest.Plain { return sums(body, composite(body)) }

// independentSmoothing is section 3.11.
func independentSmoothing(body *algotest.Plain) []*algotest.Plain {
	density := composite(body)
	var elements []*algotest.Plain
	for _, n := range body.All() {
		if !n.IsText() && !n.Hidden {
			elements = append(elements, n)
		}
	}
	s := cetd.DefaultSmoothing.S
	radius := int(math.Ceil(s))
	smooth := map[*algotest.Plain]float64{}
	for i, n := range elements {
		sum, weights := 0.0, 0.0
		for j := max(0, i-radius); j <= min(len(elements)-1, i+radius); j++ {
			g := math.Exp(-float64((i-j)*(i-j)) / (2 * s * s))
			sum += g * density[elements[j]]
			weights += g
		}
		smooth[n] = sum / weights
	}
	var texts []*algotest.Plain
	for _, x := range body.Texts() {
		if !x.Hidden && smooth[x.Parent] >= density[body] {
			texts = append(texts, x)
		}
	}
	return texts
}

// box is the position of an element, in widths of the page, with the prior of its
// ancestors.
type box struct{ x, w, prior float64 }

// independentHybrid is section 3.13.
func independentHybrid(body *algotest.Plain) []*algotest.Plain {
	boxes := map[*algotest.Plain]box{body: {w: 1, prior: 1}}
	place(body, boxes)

	weight := map[*algotest.Plain]float64{}
	chars, at := float64(body.Chars()), 0.0
	im := cetd.DefaultImportance
	for _, x := range body.Texts() {
		c := float64(x.Chars())
		middle := at + c/2
		at += c
		b := boxes[x.Parent]
		edge := 1.0
		if place := middle / chars; place < im.Top || place >= 1-im.Bottom {
			edge = im.Edge
		}
		weight[x] = b.prior * b.w * (1 - math.Abs(b.x+b.w/2-0.5)) * edge * c
	}
	nodes := body.All()
	for _, n := range nodes {
		if !n.IsText() {
			for _, x := range n.Texts() {
				weight[n] += weight[x]
			}
		}
	}
	if weight[body] == 0 {
		return nil
	}
	rho := float64(count(body).linkChars) / weight[body]
	density := map[*algotest.Plain]float64{}
	for _, n := range nodes {
		c := count(n)
		if n.IsText() {
			c = counts{chars: n.Chars()}
		}
		density[n] = c.density(weight[n], rho)
	}
	return sums(body, density)
}

// place gives the children of n their boxes.
func place(n *algotest.Plain, boxes map[*algotest.Plain]box) {
	own := boxes[n]
	row := cells(n, own)
	for _, k := range n.Elements() {
		b := box{own.x, own.w, own.prior * prior(k)}
		if c, ok := row[k]; ok {
			b.x, b.w = c.x, c.w
		} else if f, ok := width(k, own.w); ok && f < own.w && k.Tag != "td" && k.Tag != "th" {
			b.w = f
			switch {
			case side(k) == "right":
				b.x = own.x + own.w - f
			case side(k) == "left":
			default:
				b.x = own.x + (own.w-f)/2
			}
		}
		boxes[k] = b
		place(k, boxes)
	}
}

// cells are the boxes of the cells of a row, side by side.
func cells(n *algotest.Plain, own box) map[*algotest.Plain]box {
	if n.Tag != "tr" {
		return nil
	}
	im := cetd.DefaultImportance
	var list []*algotest.Plain
	share := map[*algotest.Plain]float64{}
	given, open := 0.0, 0
	for _, k := range n.Elements() {
		if k.Tag != "td" && k.Tag != "th" {
			continue
		}
		list = append(list, k)
		if f, ok := width(k, own.w); ok {
			share[k] = f
			given += f
		} else {
			open++
		}
	}
	sum := 0.0
	for _, k := range list {
		if _, ok := share[k]; !ok {
			share[k] = max((own.w-given)/float64(open), im.LeastCell*own.w)
		}
		sum += share[k]
	}
	row := map[*algotest.Plain]box{}
	x := own.x
	for _, k := range list {
		w := 0.0
		if sum > 0 {
			w = share[k] / sum * own.w
		}
		row[k] = box{x: x, w: w}
		x += w
	}
	return row
}

// styles are the values of a property in the element's own style.
func styles(n *algotest.Plain, name string) []string {
	var values []string
	for _, d := range strings.Split(strings.ToLower(n.Attr["style"]), ";") {
		if p, v, ok := strings.Cut(d, ":"); ok && strings.TrimSpace(p) == name {
			values = append(values, strings.TrimSpace(v))
		}
	}
	return values
}

// side is where a narrow element is placed. Here and for the width an attribute
// wins over the style.
func side(n *algotest.Plain) string {
	last := ""
	for _, s := range append(styles(n, "float"), strings.ToLower(n.Attr["align"])) {
		if s == "right" || s == "left" {
			last = s
		}
	}
	return last
}

var lengthForm = regexp.MustCompile(`(?i)^\s*(\d+\.?\d*|\.\d+)\s*(%|px|pt|)\s*$`)

// length reads a number and one of the units.
func length(v string, units ...string) (number float64, unit string, ok bool) {
	m := lengthForm.FindStringSubmatch(v)
	if m == nil || !slices.Contains(units, strings.ToLower(m[2])) {
		return 0, "", false
	}
	number, err := strconv.ParseFloat(m[1], 64)
	return number, strings.ToLower(m[2]), err == nil
}

// width is the width that an element asks for, in widths of the page.
func width(n *algotest.Plain, of float64) (float64, bool) {
	for _, v := range append([]string{n.Attr["width"]}, styles(n, "width")...) {
		if f, unit, ok := length(v, "%", "px", ""); ok {
			if unit == "%" {
				return min(f/100*of, of), true
			}
			return min(f/cetd.DefaultImportance.PageWidth, of), true
		}
	}
	return 0, false
}

// prior is what the element's own name and style say of its importance. The
// attribute height is not looked at: in tables it is a minimum.
func prior(n *algotest.Plain) float64 {
	im := cetd.DefaultImportance
	p := 1.0
	switch n.Tag {
	case "nav", "aside", "footer", "menu":
		p *= im.Aside
	}
	small := n.Tag == "small"
	for _, v := range styles(n, "font-size") {
		if size, unit, ok := length(v, "px", "pt"); ok {
			if unit == "pt" {
				size = size * 4 / 3
			}
			small = small || size < im.SmallType
		}
	}
	if small {
		p *= im.Small
	}
	for _, v := range styles(n, "position") {
		if v == "absolute" || v == "fixed" {
			p *= im.Overlaid
		}
	}
	for _, v := range styles(n, "height") {
		if h, _, ok := length(v, "px", ""); ok && h <= im.Flat {
			return 0
		}
	}
	return p
}

// layouts are random pages of nested boxes: what the estimate of importance
// reads, in every order and unit.
func layouts() []string {
	r := rand.New(rand.NewPCG(7, 10))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	var box func(depth int) string
	box = func(depth int) string {
		attrs := []string{
			one("", "", "width=30%", "width=600px", "width=1200", "width=0", "width=4em", `width="50 %"`),
			one("", "", "align=right", "align=LEFT", "align=center"),
			one("", "", "height=1"),
			`style="` + one("", "float:right;", "Float: left;") + one("", "width:40%;", "WIDTH: 300px;") +
				one("", "", "font-size:8pt;", "font-size: 0px;", "font-size:14px;", "font-size:1em;") +
				one("", "", "", "position: fixed;", "position:relative;") + one("", "", "", "height:1px;", "height:0;", "height:20px") + `"`,
		}
		r.Shuffle(len(attrs), func(i, j int) { attrs[i], attrs[j] = attrs[j], attrs[i] })
		open := " " + strings.Join(attrs, " ") + ">" + strings.Repeat("grain ", 1+r.IntN(30))
		if depth > 4 {
			return "<div" + open + "</div>"
		}
		switch r.IntN(5) {
		case 0:
			return "<table" + open + "<tr><td" + open + box(depth+1) + "<td>" + box(depth+1) + "<th width=" + one("10%", "200") + ">" + box(depth+1) + "</table>"
		case 1:
			return "<" + one("nav", "aside", "small", "footer", "menu") + open + box(depth+1) + box(depth+2) + "</div>"
		}
		return "<div" + open + box(depth+1) + "<a href=x>chaff</a>" + box(depth+2) + "</div>"
	}
	var pages []string
	for range 200 {
		pages = append(pages, "<body>"+box(0)+box(0)+box(0))
	}
	return pages
}

func TestIndependent(t *testing.T) {
	pages := algotest.RealPages(t, 2, "cleaneval-dev", "cleanportaleval")
	for _, x := range []struct {
		e    *algorithms.Extractor
		twin func(*algotest.Plain) []*algotest.Plain
	}{
		{cetd.CompositeDS, independentSums},
		{cetd.CompositeS, independentSmoothing},
		{cetd.HybridDS, independentHybrid},
	} {
		t.Run(x.e.Name, func(t *testing.T) {
			for seed := range uint64(150) {
				p := algotest.Page{Name: "random " + strconv.FormatUint(seed, 10), HTML: algotest.Random(seed)}
				algotest.Independent(t, x.e, p, x.twin)
			}
			for i, html := range layouts() {
				algotest.Independent(t, x.e, algotest.Page{Name: "layout " + strconv.Itoa(i), HTML: html}, x.twin)
			}
			compared := 0
			for _, p := range pages {
				if len(p.HTML) < 100_000 && algotest.Independent(t, x.e, algotest.Page{Name: p.Name, HTML: p.HTML}, x.twin) {
					compared++
				}
			}
			if compared < 40 {
				t.Errorf("only %d real pages were compared", compared)
			}
		})
	}
}
