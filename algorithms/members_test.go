package algorithms

import (
	"strings"
	"testing"
)

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
