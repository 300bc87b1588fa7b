package gold

import "testing"

func TestUnwrap(t *testing.T) {
	for in, want := range map[string]string{
		"<html><p>a": "<html><p>a",
		"<text id=\"u\" title=\"a > b\"><html>a</html>\n</text>\n": "<html>a</html>\n",
		"\n<text id='u'>a":           "a",
		"<text id=\"u>a</text>":      "<text id=\"u>a</text>", // the tag never ends
		"<textarea>a</textarea>":     "<textarea>a</textarea>",
		"<p><text id=\"u\">a</text>": "<p><text id=\"u\">a</text>", // the element is not around the page
	} {
		if got := string(Unwrap([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
