package algotest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomSite returns pages of an imaginary site made from a seed. They link to each
// other and share parts, some with small changes, in layouts of which some are shared.
// Equal seeds give equal sites.
func RandomSite(seed uint64) []SitePage {
	r := rand.New(rand.NewPCG(seed, 20261122))
	var parts []string
	for i := range 6 {
		g := generator{r: r, budget: 2 + r.IntN(12)}
		for g.budget > 0 {
			g.block(5)
		}
		parts = append(parts, fmt.Sprintf(`<div class="part c%d" id=p%d>%s</div>`, i%3, i, g.b.String()))
	}
	n := 4 + r.IntN(7)
	var pages []SitePage
	for i := range n {
		var b strings.Builder
		b.WriteString("<html><head><title>t</title></head><body><ul class=menu>")
		for j := range n {
			if r.IntN(4) > 0 {
				fmt.Fprintf(&b, `<li><a href="/page/%d">Page %d</a></li>`, j, j)
			}
		}
		b.WriteString("</ul>")
		for j, p := range parts {
			switch r.IntN(24) {
			case 0: // left out
			case 1: // changed
				b.WriteString(strings.Replace(p, "grain", fmt.Sprintf("grain %d", i), 1))
			case 2: // between two others, with an id of its own
				fmt.Fprintf(&b, `<div id="post-%d">%s</div>`, 100+r.IntN(900), p)
			case 3: // twice
				b.WriteString(p + p)
			default:
				b.WriteString(p)
			}
			if j == 2 {
				g := generator{r: r, budget: 1 + r.IntN(9)}
				for range 1 + r.IntN(5) {
					g.b.WriteString("<p>")
					g.words(3 + r.IntN(30))
				}
				for r.IntN(3) == 0 && g.budget > 0 {
					g.block(8)
				}
				b.WriteString("<article>" + g.b.String() + "</article>")
				rows(&b, r)
			}
		}
		b.WriteString("</body></html>")
		pages = append(pages, SitePage{URL: fmt.Sprintf("http://example.org/page/%d", i), HTML: b.String()})
	}
	return pages
}

// rows writes a list of elements that differ only in their content. Pages share some of
// that content at different locations, so it is ambiguous which elements correspond.
func rows(b *strings.Builder, r *rand.Rand) {
	b.WriteString("<section>")
	for range r.IntN(9) {
		for r.IntN(2) == 0 { // moves the following content
			b.WriteString("<hr>")
		}
		fmt.Fprintf(b, "<div class=row><b>%s %s</b> <i>%s</i> %d</div>",
			vocabulary[r.IntN(4)], vocabulary[r.IntN(3)], vocabulary[r.IntN(6)], r.IntN(1000))
	}
	b.WriteString("</section>")
}
