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
		names []string
		put   func(c cursor) cursor
	}{
		{textNames, func(c cursor) cursor { return p.putText(c, k, i) }},
		{markupNames, func(c cursor) cursor { return p.putMarkup(c, k) }},
		{pathNames, func(c cursor) cursor { return p.putPath(c, k) }},
		{levelNames, func(c cursor) cursor { return p.putLevels(c, k) }},
		{placeNames, func(c cursor) cursor { return p.putPlace(c, k, i) }},
		{containerNames, func(c cursor) cursor { return p.putContainers(c, k, i) }},
		{groupNames, func(c cursor) cursor { return p.putGroups(c, k) }},
		{neighbourNames, func(c cursor) cursor { return p.putNeighbours(c, k, i) }},
		{commentNames, func(c cursor) cursor { return p.putComments(c, k, i) }},
		{sectionNames, func(c cursor) cursor { return p.putSection(c, i) }},
		{sectionNames, func(c cursor) cursor { return p.putSection(c, 0) }},
		{learnedNames, func(c cursor) cursor { return p.putLearned(c, k) }},
	} {
		c := g.put(cursor{tile: new(Tile)})
		if int(c.at) != len(g.names) {
			t.Errorf("%d features with %d names from %s on", c.at, len(g.names), g.names[0])
		}
	}
	if len(Names) > len(Row{}) {
		t.Errorf("%d features do not fit into a row", len(Names))
	}
}
