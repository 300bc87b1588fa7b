package linked

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/suite"
)

func TestEveryExtractorCanRun(t *testing.T) {
	if err := algorithms.Validate(Extractors(), suite.Scorers()); err != nil {
		t.Fatal(err)
	}
	for _, e := range algorithms.WithMembers(Extractors()) {
		if !e.Linked() {
			t.Errorf("%s has no code", e.Name)
		}
	}
}

// TestListIsTheSuite: linking changes neither the order nor the description of any
// extractor, and the suite itself stays without libraries.
func TestListIsTheSuite(t *testing.T) {
	same := slices.EqualFunc(Extractors(), suite.Extractors(), func(a, b *algorithms.Extractor) bool {
		return a.Name == b.Name && a.Doc == b.Doc && a.Fidelity == b.Fidelity && a.Scope() == b.Scope() && slices.Equal(a.Params, b.Params)
	})
	if !same {
		t.Error("the list differs from the one of package suite")
	}
	for _, e := range suite.Extractors() {
		if e.Fidelity == algorithms.Wrapped && e.Linked() {
			t.Errorf("package suite links %s", e.Name)
		}
	}
}

// TestWithReplacesMembers: an ensemble has the libraries and the replacement as members.
func TestWithReplacesMembers(t *testing.T) {
	other := *suite.Extractors()[1]
	all, err := With(&other)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(e *algorithms.Extractor) bool { return e.Name == "ensemble-majority" })
	if i < 0 || !all[i].Linked() || !slices.Contains(all[i].Members, &other) {
		t.Errorf("ensemble-majority does not have %s as a member, or has members without code", other.Name)
	}
}
