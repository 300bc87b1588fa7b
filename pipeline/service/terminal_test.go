package service

import (
	"bytes"
	"testing"
)

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"Größe\tund\nZeile 光 �":            "Größe\tund\nZeile 光 �",
		"\x1b]0;name\x07\x1b[2J":           "�]0;name��[2J",
		"a\rb\x00c\x7fd\u009b31me":         "a�b�c�d�31me",
		"\xc2\x9b31m \x9b31m bare \xff.":   "�31m �31m bare \xff.",
		"\u202egnp.exe\u2066 \u200f\u061c": "�gnp.exe� ��",
	} {
		for cut := range len(in) + 1 {
			var b bytes.Buffer
			s := &shown{w: &b}
			for _, part := range []string{in[:cut], in[cut:]} {
				if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
					t.Errorf("%d, %v", n, err)
				}
			}
			if b.String() != want {
				t.Errorf("%q cut at %d: %q, want %q", in, cut, b.String(), want)
			}
		}
	}
	var b bytes.Buffer
	if Shown(&b) != &b {
		t.Error("what is no terminal is not looked at")
	}
	if Screen(Words(&b)) != &b || Screen(&b) != &b {
		t.Error("who draws on a terminal must reach it")
	}
}
