// Package rbmtd is RBM-TD, template detection by a restricted bottom-up mapping of
// trees: Vieira, Carvalho, Berlt, de Moura, da Silva and Freire 2009. Subtrees that all
// pages of similar structure have at the same path are template.
//
// Reconstructed: the abstract names the mapping, its linear cost and the
// clustering by common paths; conditions and thresholds are rebuilt.
//
// # Learning
//
//  1. A subtree's key is its tag path from body and a hash of itself: tags,
//     attributes and texts (canon.Full). Equal keys are the pairs of the mapping.
//     Subtrees without a content leaf have none: they remove nothing.
//  2. Pages are clustered in the order of ranks: a page joins the first cluster
//     whose first page has enough tag paths in common with it,
//     |A ∩ B| / |A ∪ B| ≥ σ = 0.8, or founds one.
//  3. The template of a cluster of n pages, two at least, is the keys on ⌈ρn⌉ of
//     them; ρ = 1.
//
// # Applying
//
// The page uses the template of the cluster whose first page it is most similar to. If
// none is similar enough, by σ again, the page stays whole (note "no_match"). From body
// down, a subtree whose key is template is dropped. A page of the sample does not count
// for its own template.
//
// Example, ρ = 1, three pages of one cluster:
//
//	body(ul(li(x) li(y)) p(one))
//	body(ul(li(x) li(y)) p(two))        keys  ul, its two li and their texts: 5
//	body(ul(li(x) li(y)) p(six))
//	body(ul(li(x) li(z)) p(ten))        applied to: li(x) is dropped; z and ten stay
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Where the template is over its bound the smallest subtrees go (note "truncated"); if the
// paths alone are over it there is none.
//
// Cost: a hash for each node. Learning sorts them once and merges sorted lists. The
// extractor does not suit boilerplate in which a word or an attribute changes, because
// the subtree and all those around it stay.
//
// This package is internal to Winnow and may change in any release.
package rbmtd
