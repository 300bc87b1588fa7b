package main

import (
	"strings"
)

// view is what a layout shows. All strings are HTML.
type view struct {
	card
	Author, Date, Charset, MetaCharset, Language string
	Digit                                        int
	First, Rest, Specs                           string // first block, the others, the rows
	Headings, Categories                         []string
	Infobox                                      [][2]string
	Posts                                        []postView
	Comments                                     []comment
	Ad                                           ad
	Teasers, MostRead, All                       []card
}

// card is how a page shows another one.
type card struct {
	Name, Href, Title, Lead, Section, SKU, Price string
	Number                                       int
}

type postView struct {
	Author, When, Body, Rank, Joined, Place, Signature string
	Count                                              int
}

// view collects what the i-th page shows. What surrounds its text is chosen from short
// lists by the page's number, so neighbouring pages differ as on a real site and the
// output is always the same.
func (s *site) view(i int) *view {
	d := s.docs[i]
	m := s.markup[d.meta["layout"]]
	v := &view{
		card:   s.card(i),
		Author: escape(d.meta["author"]), Date: d.meta["date"],
		Charset: d.meta["charset"], Language: d.meta["language"],
		Digit: i % 10, Ad: ads[i%len(ads)],
	}
	// The page does not declare Shift_JIS, so the reader must detect it. The server
	// declares Greek.
	if c := d.meta["charset"]; c != "shift_jis" && c != "iso-8859-7" {
		v.MetaCharset = c
	}
	text, rows := d.blocks, []block(nil)
	for j, b := range d.blocks {
		if b.kind == row {
			text, rows = d.blocks[:j], d.blocks[j:]
			break
		}
	}
	if len(text) > 0 {
		v.First, v.Rest = m.render(text[:1]), m.render(text[1:])
	}
	v.Specs = m.render(rows)
	for _, b := range text {
		if b.kind == heading {
			v.Headings = append(v.Headings, strings.ReplaceAll(strip(b.text), " ", "_"))
		}
	}
	if c := d.meta["categories"]; c != "" {
		v.Categories = strings.Split(c, ", ")
	}
	if box := d.meta["infobox"]; box != "" {
		for entry := range strings.SplitSeq(box, "; ") {
			name, value, _ := strings.Cut(entry, " | ")
			v.Infobox = append(v.Infobox, [2]string{escape(name), escape(value)})
		}
	}
	for j, p := range d.posts {
		v.Posts = append(v.Posts, s.post(p, m, i, j))
	}
	v.Comments = s.comments(i)
	for j := range s.docs {
		v.All = append(v.All, s.card(j))
	}
	for j := 1; j <= 4; j++ {
		v.Teasers = append(v.Teasers, v.All[(i+3*j)%len(v.All)])
	}
	for j := 1; j <= 7; j++ {
		v.MostRead = append(v.MostRead, v.All[(i*5+j)%len(v.All)])
	}
	return v
}

func (s *site) card(i int) card {
	d := s.docs[i]
	return card{
		Name: d.name, Href: s.url(d), Title: escape(d.meta["title"]), Lead: escape(d.meta["lead"]),
		Section: escape(d.meta["section"]), SKU: d.meta["sku"], Price: d.meta["price"],
		Number: 11 + i*7%89,
	}
}

func (s *site) post(p post, m *markup, i, j int) postView {
	// The name of a member determines what is shown beside all of their posts.
	who := 0
	for _, c := range p.author {
		who += int(c)
	}
	return postView{
		Author: escape(p.author), When: p.when, Body: m.render(p.blocks),
		Rank: ranks[who%len(ranks)], Joined: joined[who%len(joined)], Place: places[who%len(places)],
		Signature: signatures[who%len(signatures)], Count: 3 + (who+i+j)%40,
	}
}

// comments returns readers' remarks below a page. Some news and all products have them.
func (s *site) comments(i int) []comment {
	var from []comment
	switch {
	case s.pkg == "shop":
		from = reviews
	case s.docs[i].meta["comments"] == "yes":
		from = remarks
	default:
		return nil
	}
	var out []comment
	for j := range 3 + i%3 {
		out = append(out, from[(i*3+j)%len(from)])
	}
	return out
}
