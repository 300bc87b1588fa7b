package declared

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
)

// Property is a property of schema.org that facts ask for.
type Property int

const (
	Type Property = iota // type of the object
	Headline
	Name
	Author
	DatePublished
	DateCreated
	DateModified
	Description
	Publisher
	AccessibleForFree
	graph
	mainEntity
	mainEntityOfPage
	properties
)

// propertyOf returns the property that a member of an object states, properties if it is
// none that facts ask for.
func propertyOf(name []byte) Property {
	switch string(name) {
	case "@type":
		return Type
	case "headline":
		return Headline
	case "name":
		return Name
	case "author":
		return Author
	case "datePublished":
		return DatePublished
	case "dateCreated":
		return DateCreated
	case "dateModified":
		return DateModified
	case "description":
		return Description
	case "publisher":
		return Publisher
	case "isAccessibleForFree":
		return AccessibleForFree
	case "@graph":
		return graph
	case "mainEntity":
		return mainEntity
	case "mainEntityOfPage":
		return mainEntityOfPage
	}
	return properties
}

// Object is an object of JSON-LD: the values of the properties that it has.
type Object [properties]Value

// Objects are the JSON-LD objects of a page, each before those that it holds, in the
// order of the page.
type Objects struct {
	List  []Object
	check checker
}

// LD is the JSON-LD of a page. A script that is no JSON is left out.
var LD = algorithms.Feature[Objects]{
	Name: "json-ld",
	Doc:  "the JSON-LD objects of the page",
	Compute: func(o *Objects, p *algorithms.Pass) {
		o.List = o.List[:0]
		left := maxLD
		for _, script := range Of.Of(p).Scripts {
			if left -= len(script); left < 0 {
				return
			}
			o.read(script)
		}
	},
}

// read lists the objects of a script.
func (o *Objects) read(script []byte) {
	if script = tidy(script); o.check.valid(script) {
		o.add(Value(script), 0)
	}
}

// tidy removes what some pages put around JSON in a script: comment marks of HTML and
// XML, and a semicolon.
func tidy(script []byte) []byte {
	s := bytes.TrimSpace(script)
	for _, mark := range []string{"<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA["} {
		s = bytes.TrimSpace(bytes.TrimPrefix(s, []byte(mark)))
	}
	for _, mark := range []string{"-->", "//]]>", "/*]]>*/", "]]>", ";"} {
		s = bytes.TrimSpace(bytes.TrimSuffix(s, []byte(mark)))
	}
	return s
}

// Bounds on the objects that are listed: how deep they are nested, and how many a page has.
const (
	maxDepth   = 32
	maxObjects = 4096
)

// add lists the objects of v: a graph, and what a page is mainly about, are listed after
// the object that holds them.
func (o *Objects) add(v Value, depth int) {
	switch {
	case depth > maxDepth || len(o.List) == maxObjects:
	case v.Kind() == '[':
		for e := range v.Elements {
			o.add(e, depth+1)
		}
	case v.Kind() == '{':
		at := len(o.List)
		o.List = append(o.List, Object{})
		for name, value := range v.members {
			if p := propertyOf(name); p < properties {
				o.List[at][p] = value
			}
		}
		for p := graph; p < properties; p++ {
			o.add(o.List[at][p], depth+1)
		}
	}
}
