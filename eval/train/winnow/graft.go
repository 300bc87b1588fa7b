package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// section is a part of a page that is put into another one.
type section struct {
	source string
	forum  bool
}

// donors holds the sections of the pages of one fold. A page gets no sections from
// another fold, because they would bring held-out pages into the training data.
type donors struct {
	comments, teasers []section
	around            []section // sections that are not part of any gold text
	mains             []mainPart
	pieces
	commented bool // whether the page that they come from has a comments section
}

// mainPart is the main element of a page, without classes and ids.
type mainPart struct {
	of     *document
	source string
}

// largestRewritten is the largest source, in bytes, of a page that is rewritten.
const largestRewritten = 1 << 20

// rewrite makes training pages from others: articles with readers' comments and lists
// of teasers grafted onto them, long texts, small pages, and pages as they might have
// been made in 2008. The gold stays the same. Every page has a random generator of its own, so the
// result does not depend on the number of processors.
func rewrite(originals []*document) (made []*document) {
	given := make([]donors, len(originals))
	each(len(originals), func() func(int) {
		return func(i int) {
			if d := originals[i]; !d.Unsound && len(d.HTML) < 3<<20 {
				given[i].collect(d, chances(i, 0))
				given[i].surroundings(d, parse(d.HTML), chances(i, 2))
			}
		}
	})
	by := make(map[string]*[folds]donors)
	for i, d := range originals {
		if by[d.Package] == nil {
			by[d.Package] = new([folds]donors)
		}
		by[d.Package][d.fold()].take(&given[i])
	}
	long := by[originals[0].Package]
	out := make([][]*document, len(originals)+folds*longTexts)
	each(len(out), func() func(int) {
		return func(i int) {
			rng := chances(i, 1)
			if i >= len(originals) {
				if g := long[(i-len(originals))%folds].join(rng); g != nil {
					out[i] = append(out[i], g)
				}
				return
			}
			d := originals[i]
			if d.Unsound || len(d.HTML) > largestRewritten {
				return
			}
			s := &by[d.Package][d.fold()]
			if d.Type == "article" && !given[i].commented {
				for _, put := range [...]func(*html.Node, *rand.Rand){s.putSections, s.putSections, s.putPieces} {
					if rng.Float64() < .4 {
						if g := graft(d, put, rng); g != nil {
							out[i] = append(out[i], g)
						}
					}
				}
			}
			if rng := chances(i, 3); d.Type == "article" && rng.Float64() < .7 {
				if g := s.shorten(d, rng); g != nil {
					out[i] = append(out[i], g)
				}
			}
			if rng := chances(i, 5); d.Type != "article" && rng.Float64() < .6 {
				if g := small(d, rng); g != nil {
					out[i] = append(out[i], g)
				}
			}
			if rng := chances(i, 6); d.Type == "article" && rng.Float64() < .25 {
				if g := graft(d, s.putBetween, rng); g != nil {
					out[i] = append(out[i], g)
				}
			}
			if rng := chances(i, 7); (d.Type == "article" || d.Type == "documentation" || d.Type == "service") && rng.Float64() < .15 {
				if g := bare(d, rng); g != nil {
					out[i] = append(out[i], g)
				}
			}
			rounds := 1
			if d.Type == "forum" { // forums are few, and grafted comments outnumber them
				rounds = 2
			}
			for range rounds {
				if rng.Float64() < .6 {
					root := parse(d.HTML)
					age(root, rng)
					out[i] = append(out[i], d.copyAs(aged, root))
				}
			}
			if rng := chances(i, 8); rng.Float64() < translations {
				out[i] = append(out[i], rewriteIn(pick(rng, append(out[i], d)...), rng))
			}
			forget(out[i], chances(i, 4))
		}
	})
	return slices.Concat(out...)
}

// translations is the share of pages that are also written in another script, as they are
// or as they were made.
const translations = .5

// forget removes the URLs of half of the pages, because a page may come without its URL.
func forget(pages []*document, rng *rand.Rand) {
	for _, d := range pages {
		if rng.Float64() < .5 {
			d.URL = ""
		}
	}
}

func chances(page int, step uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(page), step)) }

// take adds the sections and pieces of other to s.
func (s *donors) take(other *donors) {
	s.comments = append(s.comments, other.comments...)
	s.teasers = append(s.teasers, other.teasers...)
	s.remarks = append(s.remarks, other.remarks...)
	s.titles = append(s.titles, other.titles...)
	s.mains = append(s.mains, other.mains...)
	s.around = append(s.around, other.around...)
}

func (d *document) copyAs(m made, root *html.Node) *document {
	c := *d
	c.HTML, c.made = render(root), m
	return &c
}

// collect adds sections and pieces of d to s.
func (s *donors) collect(d *document, rng *rand.Rand) {
	root := parse(d.HTML)
	s.gather(d, root)
	all := words(root)
	comments := find(root, func(n *html.Node) bool {
		if n.DataAtom == atom.Body || n.DataAtom == atom.Html || !namedLike(n, "comment") {
			return false
		}
		w := words(n)
		return w >= 60 && w*10 < all*9
	})
	take := func(n *html.Node, least, most int) section {
		cut(n, least+rng.IntN(most-least))
		return section{source: string(render(n)), forum: d.Type == "forum"}
	}
	switch d.Type {
	case "article":
		if comments != nil {
			s.comments = append(s.comments, take(comments, 300, 1800))
		}
	case "forum":
		if n := repeated(root); n != nil {
			s.comments = append(s.comments, take(n, 300, 1800))
		}
	case "listing", "collection":
		if n := repeated(root); n != nil {
			s.teasers = append(s.teasers, take(n, 80, 480))
		}
	}
	s.commented = comments != nil
	if (d.Type == "article" || d.Type == "documentation") && len(d.HTML) < largestRewritten && len(d.Gold) > 2000 {
		if main := mainElement(root); main != nil && main.DataAtom != atom.Body {
			strip(main)
			s.mains = append(s.mains, mainPart{d, string(render(main))})
		}
	}
}

// repeated returns the element with the most words in children that look alike. There
// must be at least three such children of a dozen words each; otherwise it returns nil.
func repeated(root *html.Node) (best *html.Node) {
	most := 79
	var walk func(n *html.Node) int
	walk = func(n *html.Node) int {
		type group struct{ size, words int }
		groups := make(map[string]group)
		total := 0
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w := 0
			switch {
			case c.Type == html.TextNode:
				w = len(wordsIn(c.Data))
			case c.Type == html.ElementNode && !notText(c):
				w = walk(c)
				look := c.Data + " " + attribute(c, "class")
				g := groups[look]
				groups[look] = group{g.size + 1, g.words + w}
			}
			total += w
		}
		if n.DataAtom != atom.Body {
			for _, g := range groups { // the largest group is chosen, in whatever order they come
				if g.size >= 3 && g.words > most && g.words >= 12*g.size {
					best, most = n, g.words
				}
			}
		}
		return total
	}
	walk(root)
	return best
}

var commentHeads = []string{
	"Comments", "%d Comments", "Leave a comment", "%d responses", "Reader comments", "Discussion", "Have your say", "Replies", "%d replies",
	"Join the conversation", "Post a comment", "Kommentare", "%d Kommentare", "Leserkommentare", "Diskussion", "Commentaires", "%d commentaires",
	"Vos réactions", "Comentarios", "%d comentarios", "Commenti", "Reacties", "Komentarze", "Комментарии", "Kommentarer", "Comentários",
}

var teaserHeads = []string{
	"Related stories", "More news", "Latest news", "Top stories", "You may also like", "Recommended for you", "Most popular", "Read next", "Trending",
	"Mehr zum Thema", "Ähnliche Beiträge", "Weitere Artikel", "Auch interessant", "Meistgelesen", "À lire aussi", "Sur le même sujet", "Les plus lus",
	"Te puede interesar", "Noticias relacionadas", "Lo más leído", "Leggi anche", "Articoli correlati", "Lees ook", "Gerelateerde artikelen", "Leia também",
	"Zobacz także", "Читайте также", "Läs också",
}

// graft returns a copy of the article d after put has changed the surroundings of its
// main element. It returns nil if d has no main element, or nothing around it.
func graft(d *document, put func(main *html.Node, rng *rand.Rand), rng *rand.Rand) *document {
	root := parse(d.HTML)
	main := mainElement(root)
	if main == nil || main.DataAtom == atom.Body || main.Parent == nil {
		return nil
	}
	put(main, rng)
	if rng.Float64() < .45 {
		age(root, rng)
	}
	return d.copyAs(grafted, root)
}

// around returns main or one of the two elements around it, at random.
func around(main *html.Node, rng *rand.Rand) *html.Node {
	at := main
	for range rng.IntN(3) {
		if p := at.Parent; p.Type == html.ElementNode && p.DataAtom != atom.Body && p.DataAtom != atom.Html {
			at = p
		}
	}
	return at
}

// putSections puts sections of other pages before or after the main element.
func (s *donors) putSections(main *html.Node, rng *rand.Rand) {
	at := around(main, rng)
	if len(s.comments) > 0 && rng.Float64() < .8 {
		insertAfter(at, s.commentBox(rng))
	}
	if len(s.teasers) > 0 && rng.Float64() < .5 {
		beside(at, s.teaserBox(rng), rng)
	}
}

// putPieces puts generated comments and lists of headlines around the main element or
// into it.
func (s *donors) putPieces(main *html.Node, rng *rand.Rand) {
	at := around(main, rng)
	if len(s.titles) > 0 {
		if rng.Float64() < .5 {
			s.interrupt(main, rng)
		}
		for range rng.IntN(3) {
			if box := s.headlines(rng); rng.Float64() < .2 && main.FirstChild != nil {
				main.InsertBefore(box, main.FirstChild)
			} else {
				beside(at, box, rng)
			}
		}
	}
	if len(s.remarks) == 0 || rng.Float64() > .7 {
		return
	}
	parts := s.remarksOf(rng)
	if rng.Float64() < .5 { // directly after the text, without an element around them
		for _, n := range parts {
			main.AppendChild(n)
		}
		return
	}
	box := element("div")
	for _, n := range parts {
		box.AppendChild(n)
	}
	insertAfter(at, box)
}

// putBetween puts parts of other pages between the paragraphs of the main element. What
// follows them is the rest of the article, and not comments.
func (s *donors) putBetween(main *html.Node, rng *rand.Rand) {
	var at []*html.Node
	for c := main.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !notText(c) && words(c) >= 20 {
			at = append(at, c)
		}
	}
	if len(at) < 3 {
		return
	}
	for range 1 + rng.IntN(3) {
		var box *html.Node
		switch x := rng.Float64(); {
		case x < .4 && len(s.titles) > 0:
			box = s.headlines(rng)
		case x < .6 && len(s.teasers) > 0:
			box = s.teaserBox(rng)
		case len(s.around) > 0:
			box = s.clutterBox(rng)
		default:
			return
		}
		insertAfter(at[rng.IntN(len(at)-1)], box)
	}
}

// beside puts n before at, after it, or at the end of its parent.
func beside(at, n *html.Node, rng *rand.Rand) {
	switch x := rng.Float64(); {
	case x < .3:
		at.Parent.InsertBefore(n, at)
	case x < .7:
		insertAfter(at, n)
	default:
		at.Parent.AppendChild(n)
	}
}

// join makes a page with a long text, because packages of today's pages have few: it
// appends the main elements of other articles of the fold to that of one article, and
// their gold to its gold. It returns nil if there are no such articles.
func (s *donors) join(rng *rand.Rand) *document {
	if len(s.mains) == 0 {
		return nil
	}
	d := *pick(rng, s.mains...).of
	root := parse(d.HTML)
	main := mainElement(root)
	if main == nil {
		return nil
	}
	for range 2 + rng.IntN(20) {
		other := pick(rng, s.mains...)
		for _, n := range fragment(other.source) {
			main.AppendChild(n)
		}
		d.Gold += "\n" + other.of.Gold
	}
	if rng.Float64() < .7 {
		age(root, rng)
	}
	return d.copyAs(aged, root)
}

// longTexts is the number of pages with long texts that are made for a fold.
const longTexts = 50

// commentBox makes a comments section from one of another page.
func (s *donors) commentBox(rng *rand.Rand) *html.Node {
	from := s.comments[rng.IntN(len(s.comments))]
	box := element(pick(rng, "div", "div", "section", "aside"))
	box.Attr = []html.Attribute{{Key: graftMark, Val: "1"}}
	kind := rng.Float64()
	if kind < .2 {
		box.Attr = append(box.Attr, html.Attribute{Key: "class", Val: pick(rng, "comments", "comment-list", "comments-area", "reader-comments", "article-comments")})
	}
	if rng.Float64() < .65 {
		head := pick(rng, commentHeads...)
		if strings.Contains(head, "%d") {
			head = fmt.Sprintf(head, 2+rng.IntN(60))
		}
		box.AppendChild(heading(rng, head))
	}
	for _, n := range fragment(from.source) {
		if from.forum && kind < .75 || !from.forum && kind < .5 {
			strip(n)
		}
		box.AppendChild(n)
	}
	if rng.Float64() < .3 {
		for _, n := range fragment(`<div><h3>Leave a reply</h3><form><p>Your address is not published. Required fields are marked *</p><label>Name</label><input><label>Email</label><input><textarea></textarea><button>Send</button></form></div>`) {
			box.AppendChild(n)
		}
	}
	return box
}

// teaserBox makes a list of links to other pages.
func (s *donors) teaserBox(rng *rand.Rand) *html.Node {
	from := s.teasers[rng.IntN(len(s.teasers))]
	box := element("div")
	if rng.Float64() < .6 {
		box.AppendChild(heading(rng, pick(rng, teaserHeads...)))
	}
	bare := rng.Float64() < .6
	for _, n := range fragment(from.source) {
		if bare {
			strip(n)
		}
		box.AppendChild(n)
	}
	return box
}

func heading(rng *rand.Rand, text string) *html.Node {
	h := element(pick(rng, "h2", "h3", "h4", "div", "p", "strong"))
	h.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	return h
}

// mainElement returns the element with the most words in its own text, in its
// paragraphs and in those of its div elements that begin with text. It returns nil if
// these are fewer than 80 words.
func mainElement(root *html.Node) (best *html.Node) {
	most := 79
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		own := 0
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				own += len(wordsIn(c.Data))
			case c.Type == html.ElementNode && !notText(c):
				if c.DataAtom == atom.P || c.DataAtom == atom.Div && opensWithText(c) {
					own += words(c)
				}
				walk(c)
			}
		}
		if own > most {
			best, most = n, own
		}
	}
	if body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body }); body != nil {
		walk(body)
	}
	return best
}

// opensWithText reports whether the first child of n is text, apart from blanks.
func opensWithText(n *html.Node) bool {
	c := n.FirstChild
	return c != nil && c.Type == html.TextNode && strings.TrimSpace(c.Data) != ""
}

func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

func render(n *html.Node) []byte {
	var b bytes.Buffer
	if err := html.Render(&b, n); err != nil {
		return nil // a tree that html.Parse made can be written, but for raw text with a child
	}
	return b.Bytes()
}
