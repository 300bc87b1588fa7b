package cleaneval

import (
	"testing"

	"github.com/winnow/winnow/algorithms"
)

func TestAppendPairs(t *testing.T) {
	f := func(text, want, wantMarked string) {
		t.Helper()
		if got := string(appendPairs(nil, []byte(text), false)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := string(appendPairs(nil, []byte(text), true)); got != wantMarked {
			t.Errorf("%q with tags: %q, want %q", text, got, wantMarked)
		}
	}
	f("中文网页", "中文 网页 ", "中文 网页 ")
	f("中 文\u3000网", "中文 网 ", "中文 网 ")              // no white space counts; one is left
	f("中\n\n文网", "中 文网 ", "中 文网 ")                 // each line for itself
	f("中,!?文", "中 . 文 ", "中 . 文 ")                 // cut first, dropped then
	f("中<p>文网 <L>页", "中 文网 页 ", "中 <p> 文网 <L> 页 ") // a tag ends a token
	f("ab1", "ab 1 ", "ab 1 ")
	f("", "", "")
}

func TestChinese(t *testing.T) {
	f := func(s *algorithms.Scorer, language, tokens, gold, text string, want float64) {
		t.Helper()
		s, err := s.With(map[string]string{"tokens": tokens})
		if err != nil {
			t.Fatal(err)
		}
		var p pair
		p.gold.Text, p.gold.Language = gold, language
		p.trial.Reset(&p.gold, []byte(text), nil, false)
		if got := s.Score(&p.trial); !near(got.Value, want) {
			t.Errorf("%s of %q (%s, tokens=%s): %+v, want %.3f", s.Name, text, language, tokens, got, want)
		}
	}
	const gold, text = "中文网页正文", "首页 中文网页正文"
	f(TO, "zh", ByLanguage, gold, text, 75) // 3 of 4+3-3
	f(TO, "zh-Hans-CN", ByLanguage, gold, text, 75)
	f(TO, "ZH_tw", ByLanguage, gold, text, 75)
	f(TO, "en", ByLanguage, gold, text, 50) // one word of two
	f(TO, "", ByLanguage, gold, text, 50)
	f(TO, "", Pairs, gold, text, 75)
	f(TO, "zh", Words, gold, text, 50)
	// <p> for <h>: 2 of 3+3-2 tokens; of the six measures of segments those of list
	// items are 100, as neither side has any, the others 0.
	f(TM, "zh", ByLanguage, "<p>中文网页", "<h>中文 网页", (50+200./6)/2)
	// Without marks each line is a paragraph.
	f(TM, "zh", ByLanguage, "中文\n网页", "中文\n网页", 100)
	f(Final, "zh", ByLanguage, "<p>中文网页", "<h>中文 网页", (100+(50+200./6)/2)/2)
}
