package quality

// Signals are the measurements of one text. Ratios and fractions are 0 if there is
// nothing to divide by.
type Signals struct {
	// Gopher, quality.
	Words               int64   // between white space
	NonSymbolWords      int64   // Words that are not punctuation and symbols alone
	MeanWordLength      float64 // characters of NonSymbolWords
	HashToWordRatio     float64
	EllipsisToWordRatio float64
	BulletLineRatio     float64
	EllipsisLineRatio   float64
	AlphabeticWordRatio float64 // words with at least one letter
	StopWords           int64

	// Gopher, repetition (Table A1).
	DuplicateLineFraction               float64
	DuplicateParagraphFraction          float64
	DuplicateLineCharacterFraction      float64
	DuplicateParagraphCharacterFraction float64
	TopNGramCharacterFraction           [3]float64 // for n-grams of 2, 3 and 4 words
	DuplicateNGramCharacterFraction     [6]float64 // for n-grams of 5 to 10 words

	// C4.
	Lines             int64
	TerminalLines     int64 // lines that end in . ? ! or " and not in ...
	RetainedLines     int64 // lines that C4 would keep
	RetainedSentences int64 // sentences on RetainedLines
	LoremIpsum        bool  // anywhere in the text
	CurlyBracket      bool  // anywhere in the text
	JavascriptLines   int64
	PolicyLines       int64
	discarded         bool // a line that would be kept has lorem ipsum or a curly bracket

	// FineWeb.
	LinePunctRatio float64 // lines that end in . ' " ! or ?
	ShortLineRatio float64 // lines of at most 30 characters
	CharDupRatio   float64 // characters of duplicate lines among those of all lines
	NewLineRatio   float64 // newlines to words

	// RefinedWeb. A line is counted by the first of these that it fits.
	UppercaseLines   int64
	NumericLines     int64
	CounterLines     int64 // "3 likes"
	OneWordLines     int64
	PatternLines     int64   // "sign in", "read more", "items in cart"
	FlaggedWordRatio float64 // words on the lines above among all words
}

// Gopher reports whether the text passes all rules of Gopher on quality and repetition.
func (s *Signals) Gopher() bool {
	if s.NonSymbolWords < 50 || s.NonSymbolWords > 100_000 ||
		s.MeanWordLength < 3 || s.MeanWordLength > 10 ||
		s.HashToWordRatio > .1 || s.EllipsisToWordRatio > .1 ||
		s.BulletLineRatio > .9 || s.EllipsisLineRatio > .3 ||
		s.AlphabeticWordRatio < .8 || s.StopWords < 2 ||
		s.DuplicateLineFraction > .3 || s.DuplicateParagraphFraction > .3 ||
		s.DuplicateLineCharacterFraction > .2 || s.DuplicateParagraphCharacterFraction > .2 {
		return false
	}
	for i, limit := range topLimits {
		if s.TopNGramCharacterFraction[i] > limit {
			return false
		}
	}
	for i, limit := range duplicateLimits {
		if s.DuplicateNGramCharacterFraction[i] > limit {
			return false
		}
	}
	return true
}

// The limits of Gopher's Table A1 for n-grams.
var (
	topLimits       = [...]float64{.2, .18, .16}                // for n-grams of 2, 3 and 4 words
	duplicateLimits = [...]float64{.15, .14, .13, .12, .11, .1} // for n-grams of 5 to 10 words
)

// C4 reports whether C4 would keep something of the text.
func (s *Signals) C4() bool { return !s.discarded && s.RetainedSentences >= 3 }

// FineWeb reports whether the text passes the filters that FineWeb added to those of
// Gopher and C4.
func (s *Signals) FineWeb() bool {
	return s.Words > 0 && s.LinePunctRatio > .12 && s.ShortLineRatio < .67 && s.CharDupRatio < .01 && s.NewLineRatio <= .3
}
