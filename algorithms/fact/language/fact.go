package language

import (
	"bytes"
	"strings"

	tags "golang.org/x/text/language"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/declared"
	"github.com/winnow/winnow/algorithms/html"
)

// Fact is the language of a page and of each extractor's text.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "language", Family: "language",
		Doc: "the language that the page declares, and the one that it and each text are written in, by script and trigrams",
		Cite: algorithms.Cite{Authors: "Cavnar & Trenkle", Title: "N-Gram-Based Text Categorization",
			Venue: "SDAIR", Year: 1994, URL: "https://github.com/RadhiFadlillah/whatlanggo"},
		Fidelity: algorithms.Partial,
		Departures: []string{"Between the languages of a script, the profiles and the measure of the library whatlanggo decide, with trigrams alone.",
			"Long texts are read in sixteen windows."},
		Cost: algorithms.Linear,
	},
	Page: &fact.Finder{Columns: append([]fact.Column{
		{Name: "declared_language", Kind: fact.KindText, Doc: "Language that the page declares, as a tag of BCP 47: `en`, `pt-BR`.", Null: "it declares none"},
		{Name: "declared_language_source", Kind: fact.KindText, Doc: "Source of `declared_language`, in the order of trust: html (its lang attribute), header (Content-Language), meta (content-language) or opengraph (og:locale).", Null: "it declares none"},
	}, columns("the whole text of the page")...), Find: ofPage},
	Text: &fact.Finder{Columns: columns("the text"), Find: func(s *fact.Subject) error {
		set(detect(s.Pass, s.Text), s.Out)
		return nil
	}},
}

func columns(text string) []fact.Column {
	return []fact.Column{
		{Name: "language", Kind: fact.KindText, Doc: "Language that " + text + " is mostly written in: its code of ISO 639-1 or, if there is none, ISO 639-3.",
			Null: "there are fewer than 20 letters, or two languages are equally near"},
		{Name: "language_confidence", Kind: fact.KindFloat, Unit: "share, 0 to 1", Doc: "How sure `language` is: the lead over the second nearest language; where the script alone decides, its share of the letters. Not a probability.",
			Null: "`language` is null"},
		{Name: "second_language", Kind: fact.KindText, Doc: "Language of the largest part of " + text + " that is not in `language`, if that is at least a tenth.",
			Null: "`language` is null, or all of it is in one language as far as its windows show"},
		{Name: "second_language_share", Kind: fact.KindFloat, Unit: "share of the letters, 0 to 1", Doc: "Share of `second_language`; 0 if there is none.", Null: "`language` is null"},
	}
}

func set(f found, out []fact.Value) {
	if f.code == "" {
		return
	}
	out[0].SetText(f.code)
	out[1].SetFloat(f.confidence)
	out[2].SetText(f.second)
	out[3].SetFloat(f.share)
}

func ofPage(s *fact.Subject) error {
	if tag, source := declaredBy(s); tag != "" {
		s.Out[0].SetText(tag)
		s.Out[1].SetText(source)
	}
	f := detect(s.Pass, s.Pass.Body.Text)
	if f.code == "" { // some pages have all of their text in noscript
		f = detect(s.Pass, s.Pass.Body.All.Text)
	}
	set(f, s.Out[2:])
	return nil
}

// declaredBy returns the first tag that names a language, and its source.
func declaredBy(s *fact.Subject) (tag, source string) {
	p := s.Pass.Page
	if p.Tree.Len() > 0 {
		if root := p.Child(0, html.TagHtml); root != 0 {
			if v, ok := p.Attr(root, "lang"); ok {
				if tag := canonical(string(v)); tag != "" {
					return tag, "html"
				}
			}
		}
	}
	for _, h := range s.Headers {
		if h.Name == "content-language" {
			if tag := canonical(h.Value); tag != "" {
				return tag, "header"
			}
		}
	}
	m := declared.Of.Of(s.Pass)
	if tag := canonical(string(m.Meta("content-language"))); tag != "" {
		return tag, "meta"
	}
	return canonical(string(bytes.TrimSpace(m.Meta("og:locale")))), "opengraph"
}

// longestTag bounds the tags that are read. BCP 47 asks for room for 35 characters.
const longestTag = 35

// canonical returns the canonical form of a language tag, "" if it names no language.
func canonical(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > longestTag {
		return ""
	}
	tag, err := tags.Parse(s)
	if err != nil {
		return ""
	}
	if base, _ := tag.Base(); tag == tags.Und || base.String() == "und" || strings.HasPrefix(tag.String(), "und") {
		return ""
	}
	return tag.String()
}
