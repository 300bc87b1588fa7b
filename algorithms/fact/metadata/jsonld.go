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

// trust says how well an object of that type describes the page; 0 is not at all.
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
	objects := *declared.LD.Of(f.Pass)
	for level := 3; level > 0; level-- {
		for _, o := range objects {
			k := typeOf(o)
			if trust(k) != level {
				continue
			}
			f.set(kind, source, k)
			f.set(title, source, first(text(o["headline"]), text(o["name"])))
			f.set(author, source, people(o["author"]))
			f.set(published, source, first(text(o["datePublished"]), text(o["dateCreated"])))
			f.set(modified, source, text(o["dateModified"]))
			f.set(description, source, text(o["description"]))
			f.set(siteName, source, nameOf(o["publisher"]))
		}
	}
	for _, o := range objects {
		if typeOf(o) == "WebSite" {
			f.set(siteName, source, text(o["name"]))
		}
	}
}

// typeOf returns the type of an object without the address of its vocabulary.
func typeOf(o map[string]any) string {
	k := text(o["@type"])
	return k[strings.LastIndexAny(k, "/#:")+1:]
}

// text returns a text, or the first one of a list. Some programs that make JSON-LD
// escape it as HTML.
func text(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "&") {
			return html.UnescapeString(v)
		}
		return v
	case []any:
		if len(v) > 0 {
			if s, ok := v[0].(string); ok {
				return text(s)
			}
		}
	case map[string]any:
		if s, ok := v["@value"].(string); ok {
			return text(s)
		}
	}
	return ""
}

// nameOf returns the name of a person or organisation.
func nameOf(v any) string {
	if o, ok := v.(map[string]any); ok {
		return text(o["name"])
	}
	return text(v)
}

// people returns the names of one person or several.
func people(v any) string {
	list, several := v.([]any)
	if !several {
		list = []any{v}
	}
	var all []string
	for _, p := range list {
		if name := nameOf(p); isName(name) && len(all) < maxAuthors {
			all = append(all, fold(name))
		}
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
