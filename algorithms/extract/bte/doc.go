// Package bte is body text extraction of Finn, Kushmerick and Smyth 2001: the
// one contiguous piece of the page that holds as many words and as few tags as
// possible.
//
// # Objective
//
// The page is a sequence of tokens with B = 1 for a tag and 0 for a word. Wanted
// are i ≤ j that maximise the tags before i, the words from i to j, and the tags
// after j. With v(word) = +1 and v(tag) = −1 that sum is a constant plus the sum
// of v over [i, j]: the maximum-sum interval, found in one pass.
//
// Ties go to the leftmost start, then to the shortest interval, which is what
// the double loop of the public Python version does: a prefix of sum zero is
// kept, and only a strictly better sum replaces the best.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// The authors' program is not public; Gottron 2007, section 5.2, states the objective, and
// J. Pomikálek's bte.py settles the ties. The objective is kept; what a token is follows
// the page's tree instead of bte.py's patterns. What each difference does to the figures is
// in eval/reproduction.md.
//
// Cost: one pass over the tokens. The extractor does not suit pages whose content is
// interrupted or dense with links, nor pages where comments follow the article, because
// it returns only one contiguous piece.
//
// This package is internal to Winnow and may change in any release.
package bte
