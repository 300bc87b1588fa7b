package quality

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/algotest"
)

// twin measures a text literally and slowly, by the definitions of doc.go alone.
func twin(text string) (s Signals) {
	characters := utf8.RuneCountInString
	per := func(n, of int) float64 {
		if of == 0 {
			return 0
		}
		return float64(n) / float64(of)
	}
	words := strings.FieldsFunc(text, algotest.IsBlank)
	var lines, paragraphs []string
	var paragraph string
	newParagraph := true
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimFunc(line, algotest.IsBlank)
		if trimmed == "" {
			newParagraph = true
			continue
		}
		lines = append(lines, trimmed)
		if newParagraph {
			paragraphs = append(paragraphs, "")
			paragraph = ""
		}
		if paragraph != "" {
			paragraph += "\n"
		}
		// White space at the ends of a paragraph's inner lines belongs to it.
		paragraph += line
		paragraphs[len(paragraphs)-1] = strings.TrimFunc(paragraph, algotest.IsBlank)
		newParagraph = false
	}

	letters := 0
	alphabetic := 0
	for _, w := range words {
		symbol := true
		for _, r := range w {
			symbol = symbol && (unicode.IsPunct(r) || unicode.IsSymbol(r))
		}
		if !symbol {
			s.NonSymbolWords++
			letters += characters(w)
		}
		if strings.ContainsFunc(w, unicode.IsLetter) {
			alphabetic++
		}
		for _, stop := range []string{"the", "be", "to", "of", "and", "that", "have", "with"} {
			if w == stop {
				s.StopWords++
			}
		}
	}
	s.Words = int64(len(words))
	s.MeanWordLength = per(letters, int(s.NonSymbolWords))
	s.HashToWordRatio = per(strings.Count(text, "#"), len(words))
	s.EllipsisToWordRatio = per(strings.Count(text, "...")+strings.Count(text, "…"), len(words))
	s.AlphabeticWordRatio = per(alphabetic, len(words))

	share := func(of func(string) bool) float64 {
		n := 0
		for _, line := range lines {
			if of(line) {
				n++
			}
		}
		return per(n, len(lines))
	}
	s.Lines = int64(len(lines))
	s.BulletLineRatio = share(regexp.MustCompile(`^[•-]`).MatchString)
	s.EllipsisLineRatio = share(regexp.MustCompile(`(\.\.\.|…)$`).MatchString)
	s.LinePunctRatio = share(regexp.MustCompile(`[.'"!?]$`).MatchString)
	s.ShortLineRatio = share(func(line string) bool { return characters(line) <= 30 })
	newlines := strings.Count(text, "\n")
	s.NewLineRatio = per(newlines, len(words))

	repeated := func(list []string) (n, size int) {
		seen := map[string]bool{}
		for _, x := range list {
			if seen[x] {
				n++
				size += characters(x)
			}
			seen[x] = true
		}
		return n, size
	}
	n, size := repeated(lines)
	s.DuplicateLineFraction = per(n, len(lines))
	s.DuplicateLineCharacterFraction = per(size, characters(text))
	s.CharDupRatio = per(size, characters(text)-newlines)
	n, size = repeated(paragraphs)
	s.DuplicateParagraphFraction = per(n, len(paragraphs))
	s.DuplicateParagraphCharacterFraction = per(size, characters(text))

	for n := 2; n <= 4; n++ {
		count, best, bestCount := map[string]int{}, "", 0
		for i := 0; i+n <= len(words); i++ {
			count[strings.Join(words[i:i+n], " ")]++
		}
		for i := 0; i+n <= len(words); i++ {
			if gram := strings.Join(words[i:i+n], " "); count[gram] > bestCount {
				best, bestCount = gram, count[gram]
			}
		}
		s.TopNGramCharacterFraction[n-2] = per(characters(best)*bestCount, characters(text))
	}
	for n := 5; n <= 10; n++ {
		seen, size := map[string]bool{}, 0
		for i := 0; i+n <= len(words); {
			gram := strings.Join(words[i:i+n], " ")
			if seen[gram] {
				size += characters(gram) - (n - 1)
				i += n
			} else {
				seen[gram] = true
				i++
			}
		}
		s.DuplicateNGramCharacterFraction[n-5] = per(size, characters(text))
	}

	s.LoremIpsum = strings.Contains(asciiLower(text), "lorem ipsum")
	s.CurlyBracket = strings.Contains(text, "{")
	flagged := 0
	for _, line := range lines {
		twinC4(&s, line)
		if twinRefinedWeb(&s, line) {
			flagged += len(strings.FieldsFunc(line, algotest.IsBlank))
		}
	}
	s.FlaggedWordRatio = per(flagged, len(words))
	return s
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

var (
	citations = regexp.MustCompile(`\[\p{Nd}*\]|\[edit\]|\[citation needed\]`)
	notices   = regexp.MustCompile(`terms of use|privacy policy|cookie policy|uses cookies|use of cookies|use cookies`)
	endMark   = regexp.MustCompile(`[.?!"]$`)
	// RE2 has no look-around, so the letters before and after a break are looked at in code.
	breaks = regexp.MustCompile(`[.?!]["')\]”’»]*[\s\v\x1c-\x1f\x{85}\p{Z}]+`)
	last   = regexp.MustCompile(`\p{L}*$`)
	short  = regexp.MustCompile(`^(\p{L}|Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|Gen|Col|Lt|Sgt|Capt|Rep|Sen|Gov|Inc|Corp|Co|Ltd|vs|No|Jan|Feb|Aug|Sept|Sep|Oct|Nov|Dec)$`)
)

func twinC4(s *Signals, line string) {
	lower := asciiLower(line)
	javascript := strings.Contains(lower, "javascript")
	policy := notices.MatchString(lower)
	if javascript {
		s.JavascriptLines++
	}
	if policy {
		s.PolicyLines++
	}
	cleaned := citations.ReplaceAllString(line, "")
	if !endMark.MatchString(cleaned) || strings.HasSuffix(cleaned, "...") {
		return
	}
	s.TerminalLines++
	words := strings.FieldsFunc(cleaned, algotest.IsBlank)
	tooLong := false
	for _, w := range strings.FieldsFunc(line, algotest.IsBlank) {
		tooLong = tooLong || utf8.RuneCountInString(w) > 1000
	}
	if tooLong || len(words) < 5 {
		return
	}
	if strings.Contains(lower, "lorem ipsum") {
		s.discarded = true
		return
	}
	if javascript {
		return
	}
	if strings.Contains(cleaned, "{") {
		s.discarded = true
		return
	}
	if policy {
		return
	}
	s.RetainedLines++
	s.RetainedSentences++
	for _, at := range breaks.FindAllStringIndex(cleaned, -1) {
		next, size := utf8.DecodeRuneInString(cleaned[at[1]:])
		if size == 0 || unicode.IsLower(next) {
			continue
		}
		if cleaned[at[0]] == '.' && short.MatchString(last.FindString(cleaned[:at[0]])) {
			continue
		}
		s.RetainedSentences++
	}
}

func twinRefinedWeb(s *Signals, line string) bool {
	upper, cased := 0, 0
	for _, r := range line {
		if unicode.IsUpper(r) {
			upper++
		}
		if unicode.IsUpper(r) || unicode.IsLower(r) && unicode.IsLetter(r) {
			cased++
		}
	}
	words := strings.FieldsFunc(line, algotest.IsBlank)
	lower := asciiLower(line)
	numeric := strings.ContainsFunc(line, unicode.IsNumber) && !strings.ContainsFunc(line, func(r rune) bool {
		return !unicode.IsNumber(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r) && !algotest.IsBlank(r)
	})
	switch {
	case 2*upper > cased:
		s.UppercaseLines++
	case numeric:
		s.NumericLines++
	case len(words) == 2 && regexp.MustCompile(`^[0-9.,]+[km+]*$`).MatchString(asciiLower(words[0])) &&
		regexp.MustCompile(`^(like|share|comment|retweet|repost|quote|bookmark|upvote|downvote|download|view|follower)s?$`).MatchString(asciiLower(words[1])):
		s.CounterLines++
	case len(words) == 1:
		s.OneWordLines++
	case len(words) <= 10 && (regexp.MustCompile(`^(sign in|sign-in|sign up|log in|login)`).MatchString(lower) ||
		regexp.MustCompile(`read more(\.\.\.|…| »)?$`).MatchString(lower) || regexp.MustCompile(`items? in (your )?cart`).MatchString(lower)):
		s.PatternLines++
	default:
		return false
	}
	return true
}

var seeds = []string{
	"", "a", " a  b\t\nc\n\n\na b c", "• the - of\n- and …\nto...", "A.B. C. d? E! \"F.\" G", "[1][edit] [citation needed] [x] [12 x",
	"IT IS\n12 34%\n3 likes\n1.5K+ views\nSign in here\n2 items in cart\nread more »", "Lorem Ipsum { JavaScript uses cookies a b c.",
	"\u3000日本語。 テキスト\u2028x\x1fy\x85", "a b c d e f g h i j k a b c d e f g h i j k a b c d e f g h i j k", "Mr. X met Dr. Y. Then No. 5 came. So.",
	strings.Repeat("w", 1001) + " a b c d e.", strings.Repeat("a b\n", 40), "x\n\ny\n\nx\n \ny", "a… b… c...... d", "0 0 0 !\v!",
}

func FuzzMeasure(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	var m Meter
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		same(t, text, m.Measure([]byte(text)), twin(text))
	})
}

// TestTwinOnRealPages compares all signals of a thousand texts with those of the twin: of
// pages and of their golds.
func TestTwinOnRealPages(t *testing.T) {
	var m Meter
	every, packages := 1, []string{"cleaneval-dev", "cleaneval-final", "cleanportaleval", "dragnet", "l3s-gn1", "readability", "trafilatura-dev"}
	if testing.Short() {
		every, packages = 3, []string{"cleaneval-final", "trafilatura-dev", "readability"}
	}
	pages := algotest.RealPages(t, every, packages...)
	texts := 0
	for _, p := range pages {
		text := algotest.Pass(p.HTML).Body.Text
		same(t, p.Name, m.Measure(text), twin(string(text)))
		texts++
		if p.Gold != "" {
			same(t, p.Name, m.Measure([]byte(p.Gold)), twin(p.Gold))
			texts++
		}
	}
	t.Logf("%d pages, %d texts", len(pages), texts)
	if len(pages) < 30 {
		t.Errorf("only %d real pages", len(pages))
	}
}
