package metadata

import (
	"html"
	"strings"

	"github.com/winnow/winnow/algorithms/feature/declared"
)

// works are types of schema.org that describe a page besides articles and postings.
var works = map[string]bool{
	"WebPage": true, "AboutPage": true, "ItemPage": true, "FAQPage": true, "QAPage": true, "ProfilePage": true, "CollectionPage": true, "CheckoutPage": true, "ContactPage": true,
	"Product": true, "Recipe": true, "Event": true, "Book": true, "Movie": true, "PodcastEpisode": true, "Course": true, "JobPosting": true,
	"HowTo": true, "Review": true, "SoftwareApplication": true, "Dataset": true, "CreativeWork": true, "Report": true,
}

// trust returns how well an object of that type describes the page; 0 is not at all.
func trust(kind string) int {
	switch {
	case kind == "JobPosting":
		return 2
	case strings.HasSuffix(kind, "Article") || strings.HasSuffix(kind, "Posting") || kind == "Report":
		return 3
	case strings.HasSuffix(kind, "Page"):
		return 1
	case works[kind]:
		return 2
	}
	return 0
}

// jsonLD reads the objects that describe the page, the most trusted first.
func (f *finder) jsonLD() {
	if len(f.markup.Scripts) == 0 {
		return
	}
	const source = "json-ld"
	objects := declared.LD.Of(f.Pass).List
	for level := 3; level > 0; level-- {
		for i := range objects {
			o := &objects[i]
			k := typeOf(o)
			if trust(k) != level {
				continue
			}
			f.set(kind, source, k)
			f.set(title, source, first(text(o[declared.Headline]), text(o[declared.Name])))
			f.set(author, source, people(o[declared.Author]))
			f.set(published, source, first(text(o[declared.DatePublished]), text(o[declared.DateCreated])))
			f.set(modified, source, text(o[declared.DateModified]))
			f.set(description, source, text(o[declared.Description]))
			f.set(siteName, source, nameOf(o[declared.Publisher]))
		}
	}
	for i := range objects {
		if o := &objects[i]; typeOf(o) == "WebSite" {
			f.set(siteName, source, text(o[declared.Name]))
		}
	}
}

// typeOf returns the type of an object without the address of its vocabulary.
func typeOf(o *declared.Object) string {
	k := text(o[declared.Type])
	return k[strings.LastIndexAny(k, "/#:")+1:]
}

// text returns a text, or the first one of a list. Some programs that make JSON-LD
// escape it as HTML.
func text(v declared.Value) string {
	switch v.Kind() {
	case '[':
		for e := range v.Elements {
			v = e
			break
		}
	case '{':
		v = v.Member("@value")
	}
	return html.UnescapeString(v.String())
}

// nameOf returns the name of a person or organisation.
func nameOf(v declared.Value) string {
	if v.Kind() == '{' {
		return text(v.Member("name"))
	}
	return text(v)
}

// people returns the names of one person or several.
func people(v declared.Value) string {
	var all []string
	add := func(name string) {
		if isName(name) && len(all) < maxAuthors {
			all = append(all, fold(name))
		}
	}
	if v.Kind() != '[' {
		add(nameOf(v))
	}
	for p := range v.Elements {
		add(nameOf(p))
	}
	return strings.Join(all, "; ")
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
