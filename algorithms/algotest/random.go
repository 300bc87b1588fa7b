package algotest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random returns a page made from a seed: nested blocks, inline elements,
// links, lists, tables, forms, hidden parts, line ends at odd places, texts
// from one word to a long paragraph. Equal seeds give equal pages.
func Random(seed uint64) string {
	g := generator{r: rand.New(rand.NewPCG(seed, 20260101))}
	g.b.WriteString("<html><head><title>t</title></head>\n<body>")
	g.budget = 20 + g.r.IntN(150)
	for g.budget > 0 {
		g.block(0)
	}
	g.b.WriteString("</body></html>\n")
	return g.b.String()
}

type generator struct {
	b      strings.Builder
	r      *rand.Rand
	budget int // elements that may still be made
}

var (
	blockTags  = strings.Fields("div div div p p ul ol table section article blockquote h1 h2 h4 nav footer header form center")
	inlineTags = strings.Fields("a a a b i em span font code")
	styles     = []string{` style="width:50%"`, ` style="float:right; width: 200px"`, ` align=right width=30%`, ` width=600`,
		` style="font-size:8pt"`, ` style="position:absolute"`, ` class=x`, ` style="height:1px"`}
	vocabulary = strings.Fields("grain chaff wind sieve harvest field wheat, barley. The and of threshing floor &amp; Körner 穀物 &nbsp; caf&eacute;")
)

func (g *generator) one(of []string) string { return of[g.r.IntN(len(of))] }

// space writes white space as it may occur between two tags.
func (g *generator) space() { g.b.WriteString([...]string{"", "", " ", "\n", "\n\n  "}[g.r.IntN(5)]) }

func (g *generator) words(n int) {
	for range n {
		g.b.WriteString(g.one(vocabulary))
		g.b.WriteString([...]string{" ", " ", " ", " ", " ", " ", "\n"}[g.r.IntN(7)])
	}
}

func (g *generator) attributes() {
	switch g.r.IntN(24) {
	case 0:
		g.b.WriteString(" hidden")
	case 1:
		g.b.WriteString(` style="display: none"`)
	case 2, 3, 4, 5:
		g.b.WriteString(g.one(styles))
	}
}

func (g *generator) block(depth int) {
	g.budget--
	tag := g.one(blockTags)
	g.b.WriteString("<" + tag)
	g.attributes()
	g.b.WriteString(">")
	g.space()
	switch {
	case tag == "ul" || tag == "ol":
		for range g.r.IntN(7) {
			g.wrap("li", func() { g.inline(depth + 1) })
		}
	case tag == "table":
		for range 1 + g.r.IntN(3) {
			g.wrap("tr", func() {
				for range 1 + g.r.IntN(3) {
					g.wrap([]string{"td", "td", "td", "th"}[g.r.IntN(4)], func() { g.inside(depth + 1) })
				}
			})
		}
	default:
		g.inside(depth)
	}
	g.b.WriteString("</" + tag + ">")
	g.space()
}

// wrap writes an element with some content.
func (g *generator) wrap(tag string, content func()) {
	g.budget--
	g.b.WriteString("<" + tag)
	g.attributes()
	g.b.WriteString(">")
	content()
	g.b.WriteString("</" + tag + ">")
	g.space()
}

func (g *generator) inside(depth int) {
	for range g.r.IntN(5) {
		if depth < 9 && g.budget > 0 && g.r.IntN(2) == 0 {
			g.block(depth + 1)
		} else {
			g.inline(depth)
		}
	}
}

func (g *generator) inline(depth int) {
	switch g.r.IntN(12) {
	case 0:
		g.b.WriteString("<br>")
	case 1:
		g.b.WriteString("<img src=p.png>")
	case 2:
		g.b.WriteString("<!-- a\ncomment -->")
	case 3:
		g.b.WriteString("<script>var x = '<p>no\ntext</p>'</script>")
	case 4, 5, 6:
		tag := g.one(inlineTags)
		g.b.WriteString("<" + tag)
		if tag == "a" && g.r.IntN(5) > 0 {
			fmt.Fprintf(&g.b, ` href="/page/%d"`, g.r.IntN(1000))
		}
		g.b.WriteString(">")
		g.words(1 + g.r.IntN(5))
		if depth < 9 && g.r.IntN(4) == 0 && tag != "a" {
			g.inline(depth + 1)
		}
		g.b.WriteString("</" + tag + ">")
	case 7:
		g.words(1 + g.r.IntN(60))
	default:
		g.words(1 + g.r.IntN(9))
	}
}
