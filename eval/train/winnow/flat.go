package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Sections that were taken from today's pages include no comments and lists of
// headlines that are plain paragraphs, table cells or lines without an element around
// them that says what they are. Pages of the 2000s have such sections. The functions
// below make them from texts of other pages of the fold.

// pieces holds texts that sections are made of.
type pieces struct {
	remarks []string // paragraphs of postings and comments
	titles  []teaser
}

type teaser struct{ title, about string }

// gather collects texts of a page.
func (p *pieces) gather(d *document, root *html.Node) {
	title := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Title })
	if title != nil {
		t := teaser{title: inner(title)}
		about := find(root, func(n *html.Node) bool {
			return n.DataAtom == atom.Meta && (attribute(n, "name") == "description" || attribute(n, "property") == "og:description")
		})
		if about != nil {
			t.about = attribute(about, "content")
		}
		if cut := strings.LastIndexAny(t.title, "|–»"); cut > 20 { // removes the site's name
			t.title = strings.TrimSpace(t.title[:cut])
		}
		if n := len(wordsIn(t.title)); n >= 3 && n <= 20 {
			p.titles = append(p.titles, t)
		}
	}
	if d.Type != "forum" {
		return
	}
	for _, line := range strings.Split(d.Gold, "\n") {
		if n := len(wordsIn(line)); n >= 5 && n <= 120 {
			p.remarks = append(p.remarks, line)
		}
	}
}

func inner(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

var people = strings.Fields(`Alice Bob Carol tom3465 Dave Erik Fatima Greta hans_p Ivan Jack Katja Louise Marek Nina Oskar Pauline quasar77 Robert Sofia Tomasz
	Ulla Victor Wendy xX_joe Yves zoe donmarg Анна Игорь Müller Jürgen José María François Łukasz Anonymous Gast`)

var places = strings.Fields("London Bolton Berlin Paris Madrid Roma Warszawa Chicago Москва Wien Zürich Lyon Texas UK USA")

// bylines are forms that state the author and date of a remark: %n stands for the name,
// %p for a town, %d for a day, %t for a time, %i for a number.
var bylines = []string{
	"Posted by: %n | %d %t PM", "Posted by %n, %p on %tpm %d", "%n says:", "%n said...", "%n wrote on %d:", "- %n, %p", "%n, %p", "%n %d at %t", "%d %t %n",
	"von %n am %d um %t", "%n schrieb:", "%n schreibt am %d:", "%n a écrit le %d", "Par %n, le %d à %t", "%n dice:", "Por %n el %d", "%n ha scritto:",
	"%n napisał(a):", "%n пишет:", "%n schreef op %d", "#%i %n (%d %t)", "%i. %n", "%n", "At %t on %d, %n said:", "Comment by %n — %d @ %t", "%n · %i days ago", "vor %i Stunden %n",
}

// byline replaces the placeholders of a form.
func byline(form string, rng *rand.Rand) string {
	day := 1 + rng.IntN(28)
	year := 2005 + rng.IntN(20)
	date := fmt.Sprintf("%d.%d.%d", day, 1+rng.IntN(12), year)
	if rng.Float64() < .5 {
		date = fmt.Sprintf("%s %d, %d", pick(rng, "Jan", "Feb", "Mar", "April", "May", "June", "July", "August", "Sep", "Oct", "November", "Dec", "März", "Juni", "mai", "août", "enero", "maggio", "мая", "maja"), day, year)
	}
	return strings.NewReplacer("%n", pick(rng, people...), "%p", pick(rng, places...), "%d", date,
		"%t", fmt.Sprintf("%d:%02d", 1+rng.IntN(12), rng.IntN(60)), "%i", fmt.Sprint(1+rng.IntN(90))).Replace(form)
}

var afterRemark = []string{"Reply", "Report abuse", "Permalink", "Like (3)", "Antworten", "Melden", "Répondre", "Responder", "Rispondi", "Odpowiedz", "Ответить", "Quote | Reply"}

// remarksOf makes a comments section; every part of it has the attribute graftMark.
func (p *pieces) remarksOf(rng *rand.Rand) (parts []*html.Node) {
	shape := rng.IntN(6)
	footer, reply := rng.Float64() < .4, rng.Float64() < .3
	form := pick(rng, bylines...) // all remarks of a site have the same form
	add := func(n *html.Node) {
		n.Attr = append(n.Attr, html.Attribute{Key: graftMark, Val: "1"})
		parts = append(parts, n)
	}
	line := func(tag, text string) *html.Node {
		n := element(tag)
		n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
		return n
	}
	if rng.Float64() < .7 {
		head := pick(rng, commentHeads...)
		if strings.Contains(head, "%d") {
			head = fmt.Sprintf(head, 2+rng.IntN(60))
		}
		add(line(pick(rng, "h2", "h3", "h4", "div", "p", "b"), head))
	}
	for range 2 + rng.IntN(25) {
		name := byline(form, rng)
		text := pick(rng, p.remarks...)
		for rng.Float64() < .3 {
			text += "\n" + pick(rng, p.remarks...)
		}
		item := element("div")
		paragraphs := strings.Split(text, "\n")
		body := func(to *html.Node, tag string) {
			for _, t := range paragraphs {
				to.AppendChild(line(tag, t))
			}
		}
		switch shape {
		case 0: // paragraphs, byline last or first
			var nodes []*html.Node
			for _, t := range paragraphs {
				nodes = append(nodes, line("p", t))
			}
			if footer {
				nodes = append(nodes, line("p", name))
			} else {
				nodes = append([]*html.Node{line("p", name)}, nodes...)
			}
			for _, n := range nodes {
				add(n)
			}
			continue
		case 1: // div in div
			item.AppendChild(line("b", name))
			body(item, "div")
		case 2: // cells
			item = element("table")
			row := element("tr")
			row.AppendChild(line("td", name))
			cell := element("td")
			body(cell, "p")
			row.AppendChild(cell)
			item.AppendChild(row)
		case 3: // definition list
			item = element("dl")
			item.AppendChild(line("dt", name))
			body(item, "dd")
		case 4: // lines
			item.AppendChild(line("strong", name))
			for _, t := range paragraphs {
				item.AppendChild(element("br"))
				item.AppendChild(&html.Node{Type: html.TextNode, Data: t})
				item.AppendChild(element("br"))
			}
		default: // list item
			item = element("li")
			item.AppendChild(line("span", name))
			body(item, "p")
		}
		if reply {
			a := line("a", pick(rng, afterRemark...))
			a.Attr = []html.Attribute{{Key: "href", Val: "#"}}
			item.AppendChild(a)
		}
		add(item)
	}
	return parts
}

// headlines makes a list of other articles.
func (p *pieces) headlines(rng *rand.Rand) *html.Node {
	box := element(pick(rng, "div", "div", "section"))
	if rng.Float64() < .5 {
		box.AppendChild(heading(rng, pick(rng, teaserHeads...)))
	}
	shape, linked, about := rng.IntN(5), rng.Float64() < .8, rng.Float64() < .35
	list := box
	if shape == 0 {
		list = element("ul")
		box.AppendChild(list)
	}
	for range 2 + rng.IntN(14) {
		t := pick(rng, p.titles...)
		text := &html.Node{Type: html.TextNode, Data: t.title}
		entry := text
		if linked {
			a := element("a")
			a.Attr = []html.Attribute{{Key: "href", Val: "/" + fmt.Sprint(rng.IntN(1e6))}}
			a.AppendChild(text)
			entry = a
		}
		switch shape {
		case 0:
			li := element("li")
			li.AppendChild(entry)
			entry = li
		case 1, 2:
			div := element(pick(rng, "div", "p", "h4"))
			div.AppendChild(entry)
			entry = div
		case 3:
			list.AppendChild(entry)
			entry = element("br")
			list.AppendChild(element("br"))
		default:
			row, cell := element("table"), element("td")
			tr := element("tr")
			cell.AppendChild(entry)
			tr.AppendChild(cell)
			row.AppendChild(tr)
			entry = row
		}
		list.AppendChild(entry)
		if about && t.about != "" {
			para := element("p")
			para.AppendChild(&html.Node{Type: html.TextNode, Data: t.about})
			list.AppendChild(para)
		}
	}
	return box
}

// asides are lines that sites put between the paragraphs of a text; %s stands for the
// title of another page.
var asides = []string{
	"Read also: %s", "READ MORE: %s", "Related: %s", "See also: %s", "Don't miss: %s", "Lesen Sie auch: %s", "Mehr zum Thema: %s", "Lesetipp: %s",
	"À lire aussi : %s", "Lire aussi %s", "Lea también: %s", "Te puede interesar: %s", "Leggi anche: %s", "Lees ook: %s", "Leia também: %s",
	"Czytaj także: %s", "Читайте также: %s", "Läs också: %s", "Advertisement", "Story continues below", "Anzeige", "Werbung", "Publicité", "Publicidad",
	"Subscribe to our newsletter", "Sign up for our daily newsletter and get the best stories in your inbox", "Abonnieren Sie unseren Newsletter",
	"Jetzt Newsletter abonnieren und keine Nachricht verpassen", "Inscrivez-vous à notre newsletter", "Suscríbete a nuestro boletín",
	"Iscriviti alla newsletter", "Schrijf je in voor de nieuwsbrief", "Click to enlarge", "Share this article", "Artikel teilen", "Follow us on Twitter and Facebook",
	"Get the latest edition delivered to your door. Click HERE.", "This article was originally published on the site of a partner.",
}

// interrupt puts asides between the children of the main element.
func (p *pieces) interrupt(main *html.Node, rng *rand.Rand) {
	var at []*html.Node
	for c := main.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.DataAtom == atom.P {
			at = append(at, c)
		}
	}
	if len(at) < 3 {
		return
	}
	for range 1 + rng.IntN(3) {
		text := pick(rng, asides...)
		box := element(pick(rng, "div", "p", "p", "aside"))
		to := box
		if strings.Contains(text, "%s") {
			text = strings.Replace(text, "%s", pick(rng, p.titles...).title, 1)
			if rng.Float64() < .8 {
				to = element("a")
				to.Attr = []html.Attribute{{Key: "href", Val: "/" + fmt.Sprint(rng.IntN(1e6))}}
				box.AppendChild(to)
			}
		}
		if rng.Float64() < .3 {
			bold := element("b")
			to.AppendChild(bold)
			to = bold
		}
		to.AppendChild(&html.Node{Type: html.TextNode, Data: text})
		after := at[rng.IntN(len(at)-1)]
		insertAfter(after, box)
	}
}
