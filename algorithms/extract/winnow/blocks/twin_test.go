package blocks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// twin computes features as their definitions say: it scans the page again for each
// block, without prefix sums, tables or kept results.
type twin struct {
	*Page
	b *page.Table
}

var aWord = regexp.MustCompile(`[\p{L}\p{N}_]+`)

func (t twin) text(i int) string {
	return string(t.b.Text[t.Blocks[i].Start:t.Blocks[i].End])
}

func (t twin) words(i int) int { return len(aWord.FindAllString(t.text(i), -1)) }

// linked returns the number of words of block i that are in links.
func (t twin) linked(i int) (n int) {
	for r := t.Blocks[i].First; r <= t.Blocks[i].Last; r++ {
		if t.b.Flags[r]&page.IsText != 0 && t.b.Flags[r]&page.InA != 0 {
			n += len(aWord.FindAllString(string(t.b.Text[t.b.TextStart[r]:t.b.TextEnd[r]]), -1))
		}
	}
	return n
}

// sum adds up f over the blocks of [from, to) that exist.
func (t twin) sum(f func(i int) int, from, to int) (n int) {
	for i := max(0, from); i < min(to, len(t.Blocks)); i++ {
		n += f(i)
	}
	return n
}

// inside returns the range of the blocks below row r.
func (t twin) inside(r page.Row) (from, to int) {
	from = len(t.Blocks)
	for i := range t.Blocks {
		if t.Blocks[i].First > r && t.Blocks[i].First < t.b.End[r] {
			from, to = min(from, i), i+1
		}
	}
	return from, to
}

func (t twin) above(r page.Row, visit func(a page.Row)) {
	for ; r > 0; r = t.b.Parent[r] {
		visit(r)
	}
}

func (t twin) attribute(r page.Row, name string) string {
	v, _ := t.pg.Attr(t.b.Node[r], name)
	return string(v)
}

// group returns the elements of the repeated group that r belongs to.
func (t twin) group(r page.Row) (members []page.Row) {
	for q := page.Row(1); int(q) < t.b.Len(); q++ {
		if t.b.Flags[q]&page.IsText == 0 && t.b.TextStart[q] < t.b.TextEnd[q] && t.b.Parent[q] == t.b.Parent[r] &&
			t.b.Tag[q] == t.b.Tag[r] && t.attribute(q, "class") == t.attribute(r, "class") {
			members = append(members, q)
		}
	}
	return members
}

func log10ths(n int) int { return min(255, int(math.Round(10*math.Log2(1+float64(n))))) }

func ratio(a, b int) int {
	if b == 0 {
		return 0
	}
	return min(255, 200*a/b)
}

// features returns the features of block i by their names.
func (t twin) features(i int) map[string]int {
	k, n := &t.Blocks[i], len(t.Blocks)
	words, all := t.words(i), t.sum(t.words, 0, n)
	f := map[string]int{
		"text.words": log10ths(words), "text.characters": log10ths(utf8.RuneCountInString(t.text(i))), "markup.link": ratio(t.linked(i), words),
		"text.sentences": log10ths(len(regexp.MustCompile(`[.!?]`).FindAllString(t.text(i), -1))),
		"text.commas":    ratio(strings.Count(t.text(i), ","), words),
		"place.block":    ratio(i, n), "place.words-before": ratio(t.sum(t.words, 0, i), all),
		"place.before": log10ths(t.sum(t.words, 0, i)), "place.after": log10ths(t.sum(t.words, i+1, n)),
		"page.words": log10ths(all), "page.blocks": log10ths(n), "page.link": ratio(t.sum(t.linked, 0, n), all),
	}
	for _, s := range []int{3, 6, 12} {
		w := t.sum(t.words, i-s, i+s+1)
		f[fmt.Sprintf("window%d.words", s)] = log10ths(w)
		f[fmt.Sprintf("window%d.link", s)] = ratio(t.sum(t.linked, i-s, i+s+1), w)
	}
	for _, o := range []int{-2, -1, 1, 2} {
		side := map[bool]string{true: "before", false: "after"}[o < 0]
		w, l := beyond, beyond
		if j := i + o; j >= 0 && j < n {
			w, l = log10ths(t.words(j)), ratio(t.linked(j), t.words(j))
		}
		f[fmt.Sprintf("%s%d.words", side, max(o, -o))] = w
		f[fmt.Sprintf("%s%d.link", side, max(o, -o))] = l
	}
	count := map[string]int{"path.article": 0, "path.section": 0, "path.table": 0, "path.list": 0, "path.nav": 0, "path.footer": 0}
	heading := 0
	t.above(t.b.Parent[k.First], func(a page.Row) {
		switch tag := t.b.Tag[a]; tag {
		case html.TagArticle:
			count["path.article"]++
		case html.TagSection:
			count["path.section"]++
		case html.TagTable:
			count["path.table"]++
		case html.TagUl, html.TagOl:
			count["path.list"]++
		case html.TagNav:
			count["path.nav"] = 1
		case html.TagFooter:
			count["path.footer"] = 1
		case html.TagH1, html.TagH2, html.TagH3:
			if heading == 0 {
				heading = map[html.Tag]int{html.TagH1: 1, html.TagH2: 2, html.TagH3: 3}[tag]
			}
		}
	})
	for name, v := range count {
		f[name] = v
	}
	if heading > 0 {
		f["markup.heading"] = heading
	}
	t.containers(i, all, f)
	t.groups(i, all, f)
	return f
}

// containers adds the features of the block's element and of three ancestors that each
// hold more words.
func (t twin) containers(i, all int, f map[string]int) {
	r := t.Blocks[i].Cont
	for l := 1; l <= containers; l++ {
		from, to := t.inside(r)
		words := t.sum(t.words, from, to)
		name := fmt.Sprintf("in%d.", l)
		f[name+"words"] = log10ths(words)
		f[name+"link"] = ratio(t.sum(t.linked, from, to), words)
		if l > 1 {
			f[name+"share"] = ratio(words, all)
			f[name+"place"] = ratio(i-from, to-from)
		}
		for r > 0 {
			r = t.b.Parent[r]
			if from, to := t.inside(r); t.sum(t.words, from, to) > words {
				break
			}
		}
	}
}

// groups adds the features of the innermost group of at least three members that
// contains the block.
func (t twin) groups(i, all int, f map[string]int) {
	f["group1.members"], f["group1.share"], f["group1.place"], f["group1.up"] = 0, 0, 0, noLevel
	found := false
	t.above(t.Blocks[i].lca, func(a page.Row) {
		g := t.group(a)
		if found || len(g) < 3 {
			return
		}
		found = true
		words := 0
		for _, m := range g {
			from, to := t.inside(m)
			words += t.sum(t.words, from, to)
		}
		f["group1.members"] = log10ths(len(g))
		f["group1.share"] = ratio(words, all)
		f["group1.place"] = ratio(slices.Index(g, a), len(g))
		f["group1.up"] = int(t.b.Depth[t.Blocks[i].lca]) - int(t.b.Depth[a])
	})
}

// randomPage returns a page of nested elements with texts of random letters.
func randomPage(rng *rand.Rand) string {
	var b strings.Builder
	var element func(depth int)
	element = func(depth int) {
		tag := []string{"div", "div", "section", "article", "ul", "nav", "footer", "p", "h2", "a", "b"}[rng.IntN(11)]
		fmt.Fprintf(&b, "<%s class=%q>", tag, []string{"a", "b", "post", "card"}[rng.IntN(4)])
		for range rng.IntN(4) {
			if depth < 6 && rng.IntN(2) == 0 && tag != "p" && tag != "h2" && tag != "a" && tag != "b" {
				element(depth + 1)
				continue
			}
			for range 1 + rng.IntN(30) {
				b.WriteString([]string{"word ", "Other, ", "more. ", "<b>bold</b> ", "number 12 "}[rng.IntN(5)])
			}
		}
		fmt.Fprintf(&b, "</%s>", tag)
	}
	b.WriteString("<body>")
	for range 12 {
		element(0)
	}
	return b.String()
}

func TestFeaturesLikeTheirTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	pages := []string{made}
	for range 30 {
		pages = append(pages, randomPage(rng))
	}
	compared := 0
	for _, src := range pages {
		p := fill(t, src)
		slow := twin{p, p.body}
		for i := range p.Blocks {
			row := p.Row(i)
			for name, want := range slow.features(i) {
				at := slices.Index(Names, name)
				if at < 0 {
					t.Fatalf("there is no feature %s", name)
				}
				compared++
				if got := int(row[at]); got != want {
					t.Fatalf("block %d %.30q of a page of %d bytes: %s is %d, want %d", i, slow.text(i), len(src), name, got, want)
				}
			}
		}
	}
	if compared < 10000 {
		t.Errorf("%d features were compared", compared)
	}
}
