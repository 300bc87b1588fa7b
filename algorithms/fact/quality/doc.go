// Package quality measures a text by the published signals of four rule sets with which
// web crawls are filtered for language models, and says what three of them would decide:
//
//   - gopher: Rae et al., Scaling Language Models: Methods, Analysis & Insights from
//     Training Gopher (2021), section A.1.1 and Table A1;
//   - c4: Raffel et al., Exploring the Limits of Transfer Learning with a Unified
//     Text-to-Text Transformer (2020), section 2.2;
//   - fineweb: Penedo et al., The FineWeb Datasets (2024), section 3.6;
//   - refinedweb: Penedo et al., The RefinedWeb Dataset for Falcon LLM (2023), section G.2.
//
// A Meter measures one text after the other:
//
//	var m quality.Meter
//	s := m.Measure(text)
//	if s.Gopher() { ... }
//
// The rules were made for English. Signals are numbers for any language, but verdicts on
// texts in other languages, and above all on scripts without spaces, mean little.
//
// # Choices
//
// The sources leave open what a word, a line and a paragraph is, and their authors'
// programs differ. Here:
//
//   - A word is what white space separates, as in the programs of C4 and Dolma.
//     White space is what Python's str.split takes for it: Unicode's White_Space and the
//     separators U+001C to U+001F. A symbol is a word of punctuation and symbols alone.
//   - A line ends at a newline. White space at its ends does not belong to it, and lines
//     without anything else do not count. A paragraph ends at such a line; texts of
//     extractors that write one line a block have one paragraph.
//   - Lengths are in characters (code points). Shares of characters are of the whole text,
//     white space included.
//   - Gopher, number of words and mean length: symbols are not counted (they are in the
//     ratios of symbols, alphabetic words and stop words to words).
//   - Gopher, hash symbols and ellipses to words: occurrences of "#", and of "..." or "…".
//   - Gopher, bullet points: a line begins with "•" or "-".
//   - Gopher, stop words: occurrences, in lower case; an occurrence with punctuation at its
//     end ("that,") is another word.
//   - Gopher, the most frequent n-gram: the first of those that are equally frequent; its
//     characters are those of its words and the single spaces between them, times its
//     occurrences, which may overlap.
//   - Gopher, duplicate n-grams: read from the start, an n-gram that was read before
//     counts the characters of its words, and reading goes on after it. So characters of
//     overlapping n-grams are counted once, and the first occurrence is not counted.
//   - Gopher, duplicate lines and paragraphs: the second and later occurrences.
//   - C4: in the order of the program that made the data set (lines with a word of over
//     1,000 characters, citation marks, end marks, fewer than five words, "lorem ipsum",
//     "javascript", "{", policy notices, fewer than three sentences). Its list of bad words
//     and its language test are left out. It counts sentences by a trained model (Punkt);
//     see sentences for the rule that replaces it.
//   - FineWeb: the thresholds of the program that made the data set, where duplicate lines
//     hold under 1 % of the characters (its paper says 10 %) and newlines are at most
//     30 % of the words (not in the paper). The verdict is on FineWeb's own filters:
//     FineWeb also applies those of Gopher, and those of C4 but for the end marks.
//   - RefinedWeb: "mainly" upper case is more than half of a line's letters. The patterns
//     of short lines are the examples of the paper and their usual variants. Lines are
//     flagged and counted, not edited.
//
// # Cost
//
// Linear in the text. It is read once for words and lines, eight bytes at a time: a few
// operations on such a number say where the word ends, which of its characters are letters
// and capitals, and what its hash is. The notices and patterns that the sources name are
// searched only in lines where one of their words is. N-grams are hashes of the hashes of
// their words, and n-grams of n+1 words are only looked at where both n-grams within are
// repeated; of pairs of words, a filter of one or two bits for each leaves out those that
// are not. Nothing is allocated once the Meter's memory has grown to the texts.
//
// This package is internal to Winnow and may change in any release.
package quality
