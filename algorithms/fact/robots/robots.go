// Package robots keeps which robots may fetch a page by the file robots.txt of its host
// (RFC 9309). The file is not part of the page, so the run reads it first, and names the
// robots: see package pipeline/learn/robots. What the file states about the use of pages is in
// the columns of the fact rights.
//
// This package is internal to Winnow and may change in any release.
package robots

import (
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// Fact finds which robots may fetch the page.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "robots", Family: "rights",
		Doc: "which of the robots that `--robots` names may fetch the page by the robots.txt of its host",
		Cite: algorithms.Cite{Authors: "M. Koster, G. Illyes, H. Zeller, L. Sassman", Title: "Robots Exclusion Protocol", Venue: "RFC 9309", Year: 2022,
			URL: "https://www.rfc-editor.org/rfc/rfc9309"},
		Fidelity: algorithms.Exact, Cost: algorithms.Linear,
	},
	Page: &fact.Finder{Columns: columns, Find: find},
}

// The columns, in order.
const (
	allows = iota
	disallows
)

var columns = []fact.Column{
	allows: {Name: "robots_allows", Kind: fact.KindText, Doc: "Robots named by `--robots` that may fetch the page, in lower case, comma-separated, in alphabetical order.",
		Null: "none of them may, or the input has no robots.txt of the host"},
	disallows: {Name: "robots_disallows", Kind: fact.KindText, Doc: "Robots named by `--robots` that may not fetch the page, in the same form.",
		Null: "all of them may, or the input has no robots.txt of the host"},
}

func find(s *fact.Subject) error {
	if s.Site != nil {
		s.Out[allows].SetText(strings.Join(s.Site.Allowed, ","))
		s.Out[disallows].SetText(strings.Join(s.Site.Disallowed, ","))
	}
	return nil
}
