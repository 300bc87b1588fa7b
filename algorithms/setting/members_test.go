package setting

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

func TestMembers(t *testing.T) {
	list := []*algorithms.Extractor{{Description: algorithms.Description{Name: "bte"}}, {Description: algorithms.Description{Name: "cetd-ds"}}, {Description: algorithms.Description{Name: "justext"}}}
	var members []Member
	s := Members("members", &members, list, "who votes")
	for _, text := range []string{"bte", "justext+bte@2+cetd-ds", "bte@1000"} {
		if err := s.parse(text); err != nil || s.value() != text {
			t.Errorf("%q: %v, reads %q", text, err, s.value())
		}
	}
	for text, want := range map[string]string{
		"btr":          "did you mean bte?",
		"":             "no extractor",
		"bte+":         "no extractor",
		"bte+bte@2":    "bte is given twice",
		"bte@0":        "impossible value",
		"bte@1001":     "impossible value",
		"bte@":         "impossible value",
		"bte@2@3":      "impossible value",
		"bte, justext": "no extractor",
	} {
		if err := s.parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	if s.value() != "bte@1000" {
		t.Errorf("a wrong choice changed the setting to %q", s.value())
	}
}
