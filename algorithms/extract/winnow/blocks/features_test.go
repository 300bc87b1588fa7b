package blocks

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

// made is a page that has something for every group of features.
const made = `<!doctype html><html lang="en"><head><title>The price of grain rises</title>
<meta property="og:type" content="article"><script type="application/ld+json">{"@type":"NewsArticle"}</script></head>
<body class="single"><nav id="menu"><ul><li><a href="/a">Home</a><li><a href="/b">World news</a><li><a href="/c">Sport</a></ul></nav>
<main><article class="entry-content"><h1>The price of grain rises</h1><p class="byline">By A. Writer, 12:30</p>
<p>The harvest was poor, and so the price of grain has risen; it is, as everyone who buys bread will know, not the first time that this has happened here, is it?</p>
<p>A second paragraph has <b>bold</b> and <a href="/x">linked words</a> in it.</p><h2>Related stories</h2>
<div class="card"><a href="/1">One story</a></div><div class="card"><a href="/2">Another story</a></div><div class="card"><a href="/3">A third story for $5</a></div>
</article><section id="comments"><h3>2 comments</h3><div class="c">Reader says: thanks!</div><div class="c">Other says: great<br><br>and more</div></section></main>
<noscript><p>Without scripts this is all.</p></noscript><p hidden>Not seen.</p><footer>© 2020 All rights reserved</footer></body></html>`

func fill(t *testing.T, src string) *Page {
	t.Helper()
	var pg page.Page
	pg.Parse([]byte(src), page.Options{})
	p := new(Page)
	if !p.Fill(&pg, "https://example.org/news/2020/grain-rises") {
		t.Fatal("the page is too large")
	}
	return p
}

// TestEveryFeatureHasItsName checks that each group of features writes as many features
// as it has names.
func TestEveryFeatureHasItsName(t *testing.T) {
	p := fill(t, made)
	p.SetNames(NewNameTable(nil))
	i := slices.IndexFunc(p.Blocks, func(k Block) bool { return k.Words > 20 })
	k := &p.Blocks[i]
	for _, g := range []struct {
		from, to int
		put      func(c cursor) cursor
	}{
		{ofText, ofMarkup, func(c cursor) cursor { return p.putText(c, k, i) }},
		{ofMarkup, ofPath, func(c cursor) cursor { return p.putMarkup(c, k) }},
		{ofPath, ofLevels, func(c cursor) cursor { return p.putPath(c, k) }},
		{ofPlace, ofContainers, func(c cursor) cursor { return p.putPlace(c, k, i) }},
		{ofContainers, ofGroups, func(c cursor) cursor { return p.putContainers(c, k, i) }},
		{ofGroups, ofNeighbours, func(c cursor) cursor { return p.putGroups(c, k) }},
		{ofNeighbours, ofComments, func(c cursor) cursor { return p.putNeighbours(c, k, i) }},
		{ofComments, ofSection, func(c cursor) cursor { return p.putComments(c, k, i) }},
		{ofSection, ofPage, func(c cursor) cursor { return p.putSection(c, i) }},
		{ofSection, ofPage, func(c cursor) cursor { return p.putSection(c, 0) }},
		{Learned, Types, func(c cursor) cursor { return p.putLearned(c, k) }},
	} {
		if c := g.put(cursor{tile: new(Tile)}); int(c.at) != g.to {
			t.Errorf("the features from %s on end before feature %d, want %d", Names[g.from], c.at, g.to)
		}
	}
	if nameClasses != len(levelNames) {
		t.Errorf("%d classes of names with %d names of features", nameClasses, len(levelNames))
	}
	if len(Names) > len(Row{}) {
		t.Errorf("%d features do not fit into a row", len(Names))
	}
}
