package quality

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestByHand has the figures of small texts, counted by hand.
func TestByHand(t *testing.T) {
	f := func(text string, want func(s *Signals)) {
		t.Helper()
		var m Meter
		got, s := m.Measure([]byte(text)), Signals{}
		want(&s)
		same(t, text, got, s)
	}
	f("", func(*Signals) {})
	f(" \n\t\n", func(*Signals) {})
	f("the cat #1", func(s *Signals) {
		s.Words, s.NonSymbolWords, s.MeanWordLength = 3, 3, 8./3
		s.HashToWordRatio, s.AlphabeticWordRatio, s.StopWords = 1./3, 2./3, 1
		s.TopNGramCharacterFraction = [3]float64{.7, 1, 0}
		s.Lines, s.ShortLineRatio = 1, 1
	})
	// Two of three lines are the same; 7 of 23 characters are in the second of them.
	f("• a b c\nx y ...\n• a b c", func(s *Signals) {
		s.Words, s.NonSymbolWords, s.MeanWordLength = 11, 8, 1
		s.EllipsisToWordRatio, s.BulletLineRatio, s.EllipsisLineRatio = 1./11, 2./3, 1./3
		s.AlphabeticWordRatio = 8. / 11
		s.DuplicateLineFraction, s.DuplicateLineCharacterFraction = 1./3, 7./23
		s.TopNGramCharacterFraction = [3]float64{6. / 23, 10. / 23, 14. / 23}
		s.Lines, s.LinePunctRatio, s.ShortLineRatio = 3, 1./3, 1
		s.CharDupRatio, s.NewLineRatio = 7./21, 2./11
	})
	// The second "a b c d e f" repeats two 5-grams that overlap: five characters count.
	f("a b c d e f a b c d e f", func(s *Signals) {
		s.Words, s.NonSymbolWords, s.MeanWordLength, s.AlphabeticWordRatio = 12, 12, 1, 1
		s.TopNGramCharacterFraction = [3]float64{6. / 23, 10. / 23, 14. / 23}
		s.DuplicateNGramCharacterFraction = [6]float64{5. / 23, 6. / 23}
		s.Lines, s.ShortLineRatio = 1, 1
	})
	f("one\n\ntwo\nlines\n\none\n \ntwo\nlines", func(s *Signals) {
		s.Words, s.NonSymbolWords, s.MeanWordLength, s.AlphabeticWordRatio = 6, 6, 22./6, 1
		s.DuplicateLineFraction, s.DuplicateLineCharacterFraction = .5, 11./31
		s.DuplicateParagraphFraction, s.DuplicateParagraphCharacterFraction = .5, 12./31
		s.TopNGramCharacterFraction = [3]float64{14. / 31, 26. / 31, 17. / 31}
		s.Lines, s.ShortLineRatio, s.CharDupRatio, s.NewLineRatio = 6, 1, 11./23, 8./6
		s.OneWordLines, s.FlaggedWordRatio = 6, 1
	})
	f("This is a line that C4 keeps. And Mr. Smith says so! Yes.\nThis one has no mark at its end\nFour words, not five.\n"+
		"Please enable JavaScript to read this.\nWe ask you to read our Privacy Policy.\nIt was cited[12] before it ended[edit].\nIt goes on and on...",
		func(s *Signals) {
			s.Words, s.NonSymbolWords, s.MeanWordLength = 50, 50, 201./50
			s.EllipsisToWordRatio, s.EllipsisLineRatio = 1./50, 1./7
			s.AlphabeticWordRatio, s.StopWords, s.LinePunctRatio = 1, 4, 6./7
			s.Lines, s.TerminalLines, s.RetainedLines, s.RetainedSentences = 7, 5, 2, 4
			s.JavascriptLines, s.PolicyLines = 1, 1
			s.NewLineRatio, s.ShortLineRatio = 6./50, 2./7
			s.TopNGramCharacterFraction = [3]float64{14. / 250, 9. / 250, 14. / 250}
		})
	f("IT IS SALE Now\n12.5 %\n1.2k views\nHome\nRead this and Read more\nThis is a longer line", func(s *Signals) {
		s.Words, s.NonSymbolWords, s.MeanWordLength = 19, 18, 64./18
		s.AlphabeticWordRatio, s.StopWords = 17./19, 1
		s.TopNGramCharacterFraction = [3]float64{5. / 83, 10. / 83, 14. / 83}
		s.Lines, s.ShortLineRatio, s.NewLineRatio = 6, 1, 5./19
		s.UppercaseLines, s.NumericLines, s.CounterLines, s.OneWordLines, s.PatternLines = 1, 1, 1, 1, 1
		s.FlaggedWordRatio = 14. / 19
	})
}

// same compares signals; fractions may differ by rounding.
func same(t *testing.T, text string, got, want Signals) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	var equal func(name string, a, b reflect.Value)
	equal = func(name string, a, b reflect.Value) {
		switch a.Kind() {
		case reflect.Array:
			for i := range a.Len() {
				equal(name, a.Index(i), b.Index(i))
			}
		case reflect.Float64:
			if math.Abs(a.Float()-b.Float()) > 1e-12 {
				t.Errorf("%.80q: %s is %v, want %v", text, name, a, b)
			}
		default:
			if !a.Equal(b) {
				t.Errorf("%.80q: %s is %v, want %v", text, name, a, b)
			}
		}
	}
	for i := range g.NumField() {
		equal(g.Type().Field(i).Name, g.Field(i), w.Field(i))
	}
}

func TestVerdicts(t *testing.T) {
	var m Meter
	article := strings.TrimSpace(strings.ReplaceAll(`The committee met on day N in the hall of the town with some guests.
Its chair said that the plan of year N would have to wait for the report number N and be voted later.
Members of group N asked what the delay means for those people who had paid for seats in row N.
`, "\t", ""))
	var lines []string
	for i := range 6 {
		lines = append(lines, strings.NewReplacer("N", strings.Repeat("x", i+1), "hall", "hall"+strings.Repeat("y", i)).Replace(article))
	}
	f := func(name, text string, gopher, c4, fineweb bool) {
		t.Helper()
		s := m.Measure([]byte(text))
		if s.Gopher() != gopher || s.C4() != c4 || s.FineWeb() != fineweb {
			t.Errorf("%s: gopher %v c4 %v fineweb %v, want %v %v %v", name, s.Gopher(), s.C4(), s.FineWeb(), gopher, c4, fineweb)
		}
	}
	var varied []string
	for i := range 40 {
		w := func(k int) string { return strings.Repeat(string(rune('a'+(i*k)%26)), 3+(i+k)%5) }
		varied = append(varied, "Now the "+w(3)+" of "+w(5)+" and "+w(7)+" "+w(11)+" that "+w(17)+" have "+w(19)+".")
	}
	good := strings.Join(varied, "\n")
	f("prose", good, true, true, true)
	f("the same three lines, nearly", strings.Join(lines, "\n"), false, true, true)
	f("a curly bracket", good+"\nThis line is code { with more words }.", true, false, true)
	f("a placeholder", good+"\nLorem ipsum dolor sit amet to the end.", true, false, true)
	f("a repeated line", good+"\n"+varied[0], true, true, false)
	f("no end marks", strings.ReplaceAll(good, ".", ""), true, false, false)
	f("twice", good+"\n"+good, false, true, false)
	f("empty", "", false, false, false)
}

// TestReuse measures texts again with a Meter that measured others.
func TestReuse(t *testing.T) {
	var used Meter
	texts := []string{"a b a b a b", "the of the of\n\nthe of the of", strings.Repeat("x y z. ", 500), "", "a[1] b c d e."}
	for range 3 {
		for _, text := range texts {
			var fresh Meter
			same(t, text, used.Measure([]byte(text)), fresh.Measure([]byte(text)))
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	var m Meter
	text := []byte(strings.Repeat("It was said[3] that the cat and the dog have met.\nRead more\n\n", 300))
	if n := testing.AllocsPerRun(5, func() { m.Measure(text) }); n > 0 {
		t.Errorf("%v allocations a text", n)
	}
}
