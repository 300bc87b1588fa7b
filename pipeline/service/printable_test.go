package service

import "testing"

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"Größe 大":         "Größe 大",
		"a\x1b[2Jb":       "a [2Jb",
		"a\u202eb\u009bc": "a b c",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
