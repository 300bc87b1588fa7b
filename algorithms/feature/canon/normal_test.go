package canon

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TestNormalCharacters: whatever isNormal lets pass stays as it is, alone and
// beside any other character, in NFC and when white space is folded.
func TestNormalCharacters(t *testing.T) {
	passed := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := "a" + string(r) + "a"
		if !isNormal([]byte(s)) {
			continue
		}
		passed++
		p := norm.NFC.PropertiesString(string(r))
		if r != ' ' && isSpace(r) || !norm.NFC.IsNormalString(s) || p.CCC() != 0 || !p.BoundaryBefore() {
			t.Errorf("%U is not normal", r)
		}
	}
	if passed < 20_000 {
		t.Errorf("%d characters pass", passed)
	}
}

func TestNormal(t *testing.T) {
	f := func(s string, want bool) {
		t.Helper()
		// Where it stands among the eight bytes that are looked at together must
		// not matter.
		for _, before := range []string{"", "x", "xxx", "xxxxxx", "xxxxxxx", "xxxxxxxx"} {
			if got := isNormal([]byte(before + s + "xxxxxxxxx")); got != want {
				t.Errorf("%q: %v, want %v", before+s, got, want)
			}
		}
	}
	f("one two, three", true)
	f("It’s “here” – naïve", true)
	f("что и где", true)
	f("谷物 谷", true)
	f("! !", true)
	f("one  two", false)
	f("one\ntwo", false)
	f("one\u00a0two", false)
	f("one\u2009two", false)
	f("one\u3000two", false)
	f("cafe\u0301", false)
	f("\u212b", false)
}
