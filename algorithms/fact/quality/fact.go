package quality

import (
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// Fact is the signals of each extractor's text, and what three rule sets decide by them.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "quality", Family: "quality",
		Doc: "signals by which Gopher, C4, FineWeb and RefinedWeb filter texts, and what the first three decide",
		Cite: algorithms.Cite{Authors: "Rae and others; Raffel and others; Penedo and others",
			Title: "Scaling Language Models: Methods, Analysis & Insights from Training Gopher; C4; FineWeb; RefinedWeb", Venue: "arXiv 2112.11446; JMLR 21; NeurIPS", Year: 2021,
			URL: "https://arxiv.org/abs/2112.11446"},
		Fidelity: algorithms.Partial,
		Departures: []string{
			"Words are separated by white space alone.",
			"C4's list of bad words and its test of the language are left out, and its sentences are counted by a rule.",
			"RefinedWeb's patterns of short lines are the examples of its paper, and lines are flagged and not edited.",
		},
		Cost: algorithms.Linear,
	},
	Text: &fact.Finder{Columns: columnsOf(), Find: find},
}

// value is a column and what it holds, by one of the functions, which is that of its kind.
type value struct {
	fact.Column
	count func(*Signals) int64
	flag  func(*Signals) bool
	ratio func(*Signals) float64 // null if the text has no words
}

const share = "share, 0 to 1"

// values are all columns, in order.
var values = list(
	count("words", "words", "Words: what stands between white space.", func(s *Signals) int64 { return s.Words }),
	count("non_symbol_words", "words", "Words that are not punctuation and symbols alone. Gopher wants 50 to 100,000.", func(s *Signals) int64 { return s.NonSymbolWords }),
	ratioOf("mean_word_length", "characters", "Mean length of `non_symbol_words`. Gopher wants 3 to 10.", noWords, func(s *Signals) float64 { return s.MeanWordLength }),
	ratioOf("hash_to_word_ratio", "number signs to words", "Number signs (#) to words. Gopher wants at most 0.1.", noWords, func(s *Signals) float64 { return s.HashToWordRatio }),
	ratioOf("ellipsis_to_word_ratio", "ellipses to words", "Ellipses (... or …) to words. Gopher wants at most 0.1.", noWords, func(s *Signals) float64 { return s.EllipsisToWordRatio }),
	ratioOf("bullet_line_ratio", share, "Lines that begin with a bullet (• or -). Gopher wants at most 0.9.", noWords, func(s *Signals) float64 { return s.BulletLineRatio }),
	ratioOf("ellipsis_line_ratio", share, "Lines that end in an ellipsis. Gopher wants at most 0.3.", noWords, func(s *Signals) float64 { return s.EllipsisLineRatio }),
	ratioOf("alphabetic_word_ratio", share, "Words with at least one letter. Gopher wants at least 0.8.", noWords, func(s *Signals) float64 { return s.AlphabeticWordRatio }),
	count("stop_words", "words", "Occurrences of the, be, to, of, and, that, have and with. Gopher wants at least 2.", func(s *Signals) int64 { return s.StopWords }),
	ratioOf("duplicate_line_fraction", share, "Lines that repeat an earlier one. Gopher wants at most 0.3.", noWords, func(s *Signals) float64 { return s.DuplicateLineFraction }),
	ratioOf("duplicate_paragraph_fraction", share, "Paragraphs that repeat an earlier one; blank lines end paragraphs. Gopher wants at most 0.3.", noWords, func(s *Signals) float64 { return s.DuplicateParagraphFraction }),
	ratioOf("duplicate_line_character_fraction", share, "Characters of lines that repeat an earlier one. Gopher wants at most 0.2.", noWords, func(s *Signals) float64 { return s.DuplicateLineCharacterFraction }),
	ratioOf("duplicate_paragraph_character_fraction", share, "Characters of paragraphs that repeat an earlier one. Gopher wants at most 0.2.", noWords, func(s *Signals) float64 { return s.DuplicateParagraphCharacterFraction }),
	topNGrams(), duplicateNGrams(),
	verdict("gopher", "Gopher's rules on quality and repetition let the text pass.", (*Signals).Gopher),

	count("lines", "lines", "Lines that are not blank.", func(s *Signals) int64 { return s.Lines }),
	count("terminal_punctuation_lines", "lines", "Lines that end in a terminal punctuation mark (. ? ! or a double quote, but not ...), after citation marks such as [3].", func(s *Signals) int64 { return s.TerminalLines }),
	count("c4_lines", "lines", "Lines that C4 retains: with terminal punctuation, at least five words, and no notice of javascript or policies.", func(s *Signals) int64 { return s.RetainedLines }),
	count("c4_sentences", "sentences", "Sentences of `c4_lines`. C4 wants at least 3.", func(s *Signals) int64 { return s.RetainedSentences }),
	flag("lorem_ipsum", "The text has the words lorem ipsum.", func(s *Signals) bool { return s.LoremIpsum }),
	flag("curly_bracket", "The text has a curly bracket ({).", func(s *Signals) bool { return s.CurlyBracket }),
	count("javascript_lines", "lines", "Lines that speak of javascript.", func(s *Signals) int64 { return s.JavascriptLines }),
	count("policy_lines", "lines", "Lines that speak of terms of use, a privacy policy or the use of cookies.", func(s *Signals) int64 { return s.PolicyLines }),
	verdict("c4", "C4 retains lines of the text: `c4_sentences` are enough, and no line that it would retain has lorem ipsum or a curly bracket.", (*Signals).C4),

	ratioOf("line_punct_ratio", share, "Lines that end in . ' ! ? or a double quote. FineWeb wants more than 0.12.", noWords, func(s *Signals) float64 { return s.LinePunctRatio }),
	ratioOf("short_line_ratio", share, "Lines of at most 30 characters. FineWeb wants less than 0.67.", noWords, func(s *Signals) float64 { return s.ShortLineRatio }),
	ratioOf("char_dup_ratio", share, "Characters of lines that repeat an earlier one, among the characters of all lines. FineWeb wants less than 0.01 (its paper says 0.1).", noWords, func(s *Signals) float64 { return s.CharDupRatio }),
	ratioOf("new_line_ratio", "newlines to words", "Newlines to words. FineWeb's program wants at most 0.3.", noWords, func(s *Signals) float64 { return s.NewLineRatio }),
	verdict("fineweb", "FineWeb's own filters let the text pass. FineWeb also applies those of Gopher, and of C4 but for terminal punctuation.", (*Signals).FineWeb),

	count("uppercase_lines", "lines", "Lines whose letters are mainly upper case, which RefinedWeb discards.", func(s *Signals) int64 { return s.UppercaseLines }),
	count("numeric_lines", "lines", "Lines of numbers and symbols alone, which RefinedWeb discards.", func(s *Signals) int64 { return s.NumericLines }),
	count("counter_lines", "lines", "Counters such as `3 likes`, which RefinedWeb discards.", func(s *Signals) int64 { return s.CounterLines }),
	count("one_word_lines", "lines", "Lines of one word, which RefinedWeb discards.", func(s *Signals) int64 { return s.OneWordLines }),
	count("pattern_lines", "lines", "Lines of at most ten words such as `sign in`, `read more` and `items in cart`, which RefinedWeb edits.", func(s *Signals) int64 { return s.PatternLines }),
	ratioOf("flagged_word_ratio", share, "Words on the lines that RefinedWeb discards or edits. It discards a page from 0.05 on.", noWords, func(s *Signals) float64 { return s.FlaggedWordRatio }),
)

const noWords = "there are no words"

func list(groups ...[]value) (all []value) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func count(name, unit, doc string, of func(*Signals) int64) []value {
	return []value{{Column: fact.Column{Name: name, Kind: fact.KindInt, Unit: unit, Doc: doc, Null: "the fact failed"}, count: of}}
}

func flag(name, doc string, of func(*Signals) bool) []value {
	return []value{{Column: fact.Column{Name: name, Kind: fact.KindBool, Doc: doc, Null: "the fact failed"}, flag: of}}
}

func verdict(name, doc string, of func(*Signals) bool) []value { return flag(name, doc, of) }

func ratioOf(name, unit, doc, null string, of func(*Signals) float64) []value {
	return []value{{Column: fact.Column{Name: name, Kind: fact.KindFloat, Unit: unit, Doc: doc, Null: null}, ratio: of}}
}

func topNGrams() (all []value) {
	for i, limit := range topLimits {
		all = append(all, ratioOf(fmt.Sprintf("top_%d_gram_character_fraction", i+2), share,
			fmt.Sprintf("Characters of all occurrences of the most frequent %d words in a row. Gopher wants at most %v.", i+2, limit),
			noWords, func(s *Signals) float64 { return s.TopNGramCharacterFraction[i] })...)
	}
	return all
}

func duplicateNGrams() (all []value) {
	for i, limit := range duplicateLimits {
		all = append(all, ratioOf(fmt.Sprintf("duplicate_%d_gram_character_fraction", i+5), share,
			fmt.Sprintf("Characters of %d words in a row that repeat earlier ones. Gopher wants at most %v.", i+5, limit),
			noWords, func(s *Signals) float64 { return s.DuplicateNGramCharacterFraction[i] })...)
	}
	return all
}

func columnsOf() []fact.Column {
	columns := make([]fact.Column, len(values))
	for i := range values {
		columns[i] = values[i].Column
	}
	return columns
}

func find(s *fact.Subject) error {
	signals := algorithms.Scratch[Meter](s.Pass).Measure(s.Text)
	for i := range values {
		switch v, out := &values[i], &s.Out[i]; {
		case v.count != nil:
			out.SetInt(v.count(&signals))
		case v.flag != nil:
			out.SetBool(v.flag(&signals))
		case signals.Words > 0:
			out.SetFloat(v.ratio(&signals))
		}
	}
	return nil
}
