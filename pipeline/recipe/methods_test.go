package recipe

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/schemas"
)

func TestFindReturnsTheMethodsOfARecipe(t *testing.T) {
	allX, allS := suite.Extractors(), suite.Scorers()
	r := new(schemas.Recipe)
	r.Extractors, r.Scorers = Methods(allX, allS)
	x, s, err := Find(r, allX, allS)
	if err != nil || len(x) != len(allX) || len(s) != len(allS) {
		t.Fatal(len(x), len(s), err)
	}
	for i, m := range r.Extractors {
		if !slices.Equal(m.TrainedOn, allX[i].AllTrainedOn()) {
			t.Errorf("%s was trained on %q, and by the recipe on %q", m.Name, allX[i].AllTrainedOn(), m.TrainedOn)
		}
		if m.Bound != (m.Name == "ensemble-oracle") {
			t.Errorf("%s is a bound: %t", m.Name, m.Bound)
		}
	}
	was := r.Extractors[0]
	r.Extractors[0].Name = "nonsense"
	if _, _, err := Find(r, allX, allS); err == nil || !strings.Contains(err.Error(), "bte") {
		t.Errorf("an unknown method: %v", err)
	}
	r.Extractors[0] = was
	r.Extractors[0].Fidelity = "other"
	if _, _, err := Find(r, allX, allS); err == nil {
		t.Error("a method of another fidelity was taken")
	}
}
