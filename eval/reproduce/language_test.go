package main

import "testing"

func TestJoin(t *testing.T) {
	texts := []labelled{{"de", "a b c d e"}, {"de", "x"}, {"en", "f g"}}
	if second, ok := partner(texts, 0); !ok || second.language != "en" {
		t.Errorf("partner: %+v", second)
	}
	if _, ok := partner(texts[:2], 0); ok {
		t.Error("a partner in the same language")
	}
	if front, rest := cutLetters("1 é, b c", 2); front != "1 é, b" || rest != " c" {
		t.Errorf("cut: %q %q", front, rest)
	}
}
