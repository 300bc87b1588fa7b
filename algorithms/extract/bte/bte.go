package bte

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Extractor is the published extractor.
var Extractor = &algorithms.Extractor{
	Description: algorithms.Description{
		Name:   "bte",
		Family: "bte",
		Doc:    "selects the contiguous piece of the page with the most words and the fewest tags",
		Cite: algorithms.Cite{
			Authors: "Finn, Kushmerick, Smyth",
			Title:   "Fact or fiction: content classification for digital libraries",
			Venue:   "DELOS workshop on personalisation and recommender systems in digital libraries",
			Year:    2001,
		},
		Fidelity: algorithms.Partial,
		Departures: []string{
			"The first token is the first one inside the body; html, head and body tags, comments and doctypes are not tokens.",
			"The content of script, style, noscript, template, iframe, object, select, svg and math is not tokenised; the tags of these elements are tokens.",
			"Hidden text is not tokenised, but the tags around it are.",
			"Each character of a script that is written without blanks is a word; bte.py takes the text between two blanks for one word.",
		},
		Cost: algorithms.Linear,
	},
	Run: run,
}

func run(p *algorithms.Pass) error {
	tokens := p.Page.Tokens()
	start, end := interval(tokens.Kind)
	p.Out.AddTokens(p.Body, tokens, start, end)
	p.Out.SortSource(p.Body)
	return nil
}

// interval returns the range of tokens [start, end) with the largest sum of +1 for
// words and −1 for tags. It is empty if there are no words.
func interval(kinds []page.TokenKind) (start, end int) {
	sum, best, from := 0, 0, 0
	for n, kind := range kinds {
		if sum < 0 { // not at zero: the leftmost start wins ties
			sum, from = 0, n
		}
		if kind != page.TokenWord {
			sum--
			continue
		}
		sum++
		if sum > best {
			best, start, end = sum, from, n+1
		}
	}
	return start, end
}
