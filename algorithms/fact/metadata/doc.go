// Package metadata finds what a page states about itself for machines: title, author, dates,
// the name of its site, a description and its type.
//
// # Trust
//
// Every value comes from the first of these sources that has it, and the column beside
// it names the source:
//
//	json-ld     the JSON-LD object of schema.org that describes the page
//	opengraph   meta elements of Open Graph, and article: of the same protocol
//	dublincore  meta elements of Dublin Core (dc., dcterms.)
//	citation    meta elements for bibliographies (citation_, of Highwire Press)
//	meta        meta elements of HTML and of social networks: author, description, twitter: ...
//	microdata   elements with itemprop of schema.org
//	markup      elements that readers see: h1, title, rel=author, a byline, time
//	url         the date in the address of the page
//
// What is made for machines to read comes first: a declared value says what it is, while
// what readers see must be recognised. For the title alone, markup has two places: the
// only h1 of a page before its title element, which often has the name of the site too.
//
// Of several JSON-LD objects, one that is an article (of any kind) describes the page,
// else another kind of work. Objects that describe the site, its owner, a list, a
// question and its answer, a picture or a film on the page do not.
//
// # Dates
//
// A date is read by github.com/araddon/dateparse, which knows the forms that pages use.
// Where a form leaves open what is month and what is day, the month comes first. The
// result is RFC 3339 with time and zone if the page states both, otherwise the day
// alone. Years before 1990 and after 2100 are mistakes and left out.
//
// This package is internal to Winnow and may change in any release.
package metadata
