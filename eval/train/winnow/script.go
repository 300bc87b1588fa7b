package main

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Most training pages are English. So that a model leans on no language and no script,
// pages are written again in other scripts: each word is replaced by one of made-up
// letters, as long as its translation would be. Their punctuation, their numbers, their
// markup and the names of their elements stay, and the gold is replaced like the page.

// script is a way of writing.
type script struct {
	letters string // in place of a to z; fewer are used again
	cased   bool   // whether letters have capitals
	rate    int    // letters of a word for each letter of the new one
	blanks  bool   // whether there are blanks between words
	signs   *strings.Replacer
}

var scripts = []script{
	{letters: "oxcuiwghefjklmnbqpvtydzsra", cased: true, rate: 1, blanks: true},
	{letters: "αβψδεφγηιξκλμνοπωρστθςχυζ", cased: true, rate: 1, blanks: true},
	{letters: "абцдефгхийклмнопярстувжзыш", cased: true, rate: 1, blanks: true},
	{letters: "ابجدهوزحطيكلمنسعفصقرشتثخذض", rate: 1, blanks: true, signs: strings.NewReplacer(",", "،", "?", "؟", ";", "؛")},
	{letters: "가나다라마바사아자차카타파하고노도로모보소오조초코토", rate: 3, blanks: true},
	{letters: "กขคงจฉชซญฎฐณดตถทธนบปผพภมยร", rate: 1},
	{letters: "的一是不了人我在有他这中大来上国个到说们为子和你地出", rate: 3, signs: ideographic},
	{letters: "のにはをたがでてとしれさ日本年中国時人会事出間生者", rate: 3, signs: ideographic},
}

var ideographic = strings.NewReplacer(". ", "。", ", ", "，", "? ", "？", "! ", "！", ": ", "：", "; ", "；", "(", "（", ")", "）")

// rewriteIn returns a copy of d in another script.
func rewriteIn(d *document, rng *rand.Rand) *document {
	w := &scribe{script: scripts[rng.IntN(len(scripts))], words: make(map[string]string)}
	w.of = []rune(w.letters)
	root := parse(d.HTML)
	w.page(root, rng.Float64() < .5)
	c := d.copyAs(translated, root)
	c.Gold = w.text(d.Gold)
	return c
}

// scribe writes texts of one page in a script.
type scribe struct {
	script
	of    []rune
	words map[string]string
}

func (w *scribe) page(n *html.Node, nameless bool) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.TextNode:
			c.Data = w.text(c.Data)
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Meta:
			for i, a := range c.Attr {
				if a.Key == "content" && len(strings.Fields(a.Val)) > 1 {
					c.Attr[i].Val = w.text(a.Val)
				}
			}
		case isMetadata(c):
			n.RemoveChild(c) // JSON-LD would repeat the text as it was
		case c.DataAtom == atom.Noscript:
			w.raw(c)
		case !notText(c):
			if nameless {
				dropNames(c)
			}
			w.page(c, nameless)
		}
		c = next
	}
}

// raw writes the text between the tags of an element whose content html.Parse leaves as
// it is.
func (w *scribe) raw(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode {
			w.page(c, false)
			continue
		}
		var b strings.Builder
		for rest := c.Data; rest != ""; {
			at := strings.IndexByte(rest, '<')
			if at < 0 {
				at = len(rest)
			}
			b.WriteString(w.text(rest[:at]))
			rest = rest[at:]
			end := strings.IndexByte(rest, '>') + 1
			if end == 0 {
				end = len(rest)
			}
			b.WriteString(rest[:end])
			rest = rest[end:]
		}
		c.Data = b.String()
	}
}

func dropNames(n *html.Node) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		if a.Key != "class" && a.Key != "id" {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
}

// text writes a text. Words with a digit stay, as numbers and addresses do.
func (w *scribe) text(s string) string {
	if w.signs != nil {
		s = w.signs.Replace(s)
	}
	var b strings.Builder
	letter := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsMark(c) }
	for s != "" {
		size := strings.IndexFunc(s, func(c rune) bool { return !letter(c) })
		if size < 0 {
			size = len(s)
		}
		if size == 0 {
			if size = strings.IndexFunc(s, letter); size < 0 {
				size = len(s)
			}
			b.WriteString(s[:size])
			s = s[size:]
			continue
		}
		b.WriteString(w.word(s[:size]))
		s = s[size:]
		if !w.blanks && len(s) > 1 && s[0] == ' ' && letter(rune(s[1])) {
			s = s[1:]
		}
	}
	return b.String()
}

func (w *scribe) word(s string) string {
	key := strings.ToLower(s)
	form, ok := w.words[key]
	if !ok {
		h := fnv.New64a()
		h.Write([]byte(key))
		r := rand.New(rand.NewPCG(h.Sum64(), 41))
		length := (len([]rune(s)) + w.rate - 1) / w.rate
		made := make([]rune, length)
		for i := range made {
			made[i] = w.of[r.IntN(len(w.of))]
		}
		form = string(made)
		w.words[key] = form
	}
	if !w.cased {
		return form
	}
	switch runes := []rune(s); {
	case len(runes) > 1 && s == strings.ToUpper(s):
		return strings.ToUpper(form)
	case unicode.IsUpper(runes[0]):
		made := []rune(form)
		made[0] = unicode.ToUpper(made[0])
		return string(made)
	}
	return form
}
