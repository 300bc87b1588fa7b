// Package score is the floor of the measures: one folder a published family,
// each a list of algorithms.Scorer values, and what they share:
//
//	internal/tokens     normalise, cut and number texts
//	internal/forms      the items of gold and extraction, made once for all measures
//	internal/lcs        longest common subsequence, 64 cells at a time
//	internal/automaton  longest common substring
//	internal/anchor     where two long sequences run along each other
//	internal/punkt      sentences, as NLTK's
//	internal/places     where gold and extraction lie on the page
//	align               where a text lies on a page; also for wrapped libraries
//	agreement           how far extractors agree, without gold
//
// A measure's gold side is prepared once a page and shared by all extractions;
// an extraction's items are made once for all measures. Nothing here may be
// skipped silently: a measure that is bounded says how it was computed
// (Score.Method) or why it was not (Score.Reason).
package score
