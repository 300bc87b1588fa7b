package stopwords

import (
	"strings"
	"testing"
)

func TestLists(t *testing.T) {
	lists, union := LoadAll()
	if len(lists) < 10 {
		t.Fatalf("%d lists", len(lists))
	}
	for _, l := range lists {
		if l.Len() < 100 {
			t.Errorf("%s has only %d words", l.Language, l.Len())
		}
		for _, w := range l.words {
			if w != strings.ToLower(w) {
				t.Errorf("%s: %q is not in lower case", l.Language, w)
			}
			if !l.Has([]byte(w)) || !union.Has([]byte(w)) {
				t.Errorf("%s: %q is not found", l.Language, w)
			}
		}
		if l.Has([]byte("harvest")) || l.Has(nil) {
			t.Errorf("%s has words it must not have", l.Language)
		}
	}
	if Load("tlh") != nil {
		t.Error("there is no Klingon list")
	}
	if n := testing.AllocsPerRun(100, func() { union.Has([]byte("the")) }); n > 0 {
		t.Errorf("%v allocations for a look-up", n)
	}
}
