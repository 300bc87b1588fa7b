package algorithms

import (
	"strings"
	"testing"
)

func TestMembersSetting(t *testing.T) {
	list := []*Extractor{{Description: Description{Name: "bte"}}, {Description: Description{Name: "cetd-ds"}}, {Description: Description{Name: "justext"}}}
	var members []Member
	s := MembersSetting("members", &members, list, "who votes")
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

func TestWithMembers(t *testing.T) {
	a, b := &Extractor{Description: Description{Name: "a"}}, &Extractor{Description: Description{Name: "b"}}
	pair := &Extractor{Description: Description{Name: "pair"}, Members: []*Extractor{b, a}}
	nested := &Extractor{Description: Description{Name: "nested"}, Members: []*Extractor{pair, {Description: Description{Name: "c"}, Learn: &Learner{}}}}
	var names []string
	for _, e := range WithMembers([]*Extractor{nested, a, pair}) {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "b a pair c nested" {
		t.Errorf("order %q", got)
	}
	if pair.Scope() != PageScope || nested.Scope() != SiteScope {
		t.Errorf("scopes %s and %s", pair.Scope(), nested.Scope())
	}
}

func TestValidateMembers(t *testing.T) {
	run := func(*Pass) error { return nil }
	a := &Extractor{Description: Description{Name: "a"}, Run: run}
	first, second := &Extractor{Description: Description{Name: "first"}, Run: run}, &Extractor{Description: Description{Name: "second"}, Run: run}
	first.Members, second.Members = []*Extractor{a, second}, []*Extractor{first}
	for _, c := range []struct {
		e    *Extractor
		want string
	}{
		{first, "reads its own answer through its member first"},
		{&Extractor{Description: Description{Name: "text"}, Members: []*Extractor{a}}, "must have Run and no learner"},
		{&Extractor{Description: Description{Name: "site"}, Run: run, Learn: &Learner{}, Members: []*Extractor{a}}, "must have Run and no learner"},
		{&Extractor{Description: Description{Name: "good"}, Run: run, Members: []*Extractor{a}}, ""},
	} {
		err := validateMembers(c.e)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.e.Name, err, c.want)
		}
	}
}
