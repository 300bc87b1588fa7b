package schemas

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"äöü", 3, "äöü"},
		{"äöüß", 3, "äö…"},
		{"😀😀😀", 2, "😀…"},
		{"a\xffb", 3, "a\uFFFDb"},
		{"\xff\xfe\xfd\xfc", 3, "\uFFFD…"},
		{"é\xc3", 2, "é\uFFFD"},
	} {
		got := Shorten(c.text, c.max)
		if got != c.want || !utf8.ValidString(got) {
			t.Errorf("%q in %d characters: %q, want %q", c.text, c.max, got, c.want)
		}
	}
	for max := 1; max < 40; max++ {
		if got := Shorten(strings.Repeat("ä€😀", 20), max); utf8.RuneCountInString(got) != max || !strings.HasSuffix(got, "…") {
			t.Errorf("in %d characters: %q", max, got)
		}
	}
}
