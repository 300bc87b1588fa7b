package recipe

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
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

// TestCommands: an extractor that is a program is found where it is configured with the same
// program, whatever folder that is in, also as a member of an ensemble.
func TestCommands(t *testing.T) {
	with := func(command ...string) []*algorithms.Extractor {
		all, err := suite.With(&algorithms.Extractor{
			Description: algorithms.Description{Name: "other", Family: "other", Fidelity: algorithms.Wrapped}, Command: command,
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	planned := with("python3", "/home/ann/other.py", "--fast")
	for _, expr := range []string{"other", "ensemble-cascade:then=other"} {
		chosen, err := choose.Extractors(planned, expr)
		if err != nil {
			t.Fatal(err)
		}
		r := new(schemas.Recipe)
		r.Extractors, _ = Methods(chosen, nil)
		if got := r.Extractors[0].Commands; len(got) != 1 || got["other"] != "python3 other.py --fast" {
			t.Errorf("%s: the recipe has the commands %v", expr, got)
		}
		if x, err := FindExtractors(r, with("/usr/bin/python3", "/opt/other.py", "--fast")); err != nil || x[0].Name != expr {
			t.Errorf("%s: %v", expr, err)
		}
		if _, err := FindExtractors(r, suite.Extractors()); err == nil || !strings.Contains(err.Error(), `add --extractor-command other='python3 other.py --fast'`) {
			t.Errorf("%s: %v", expr, err)
		}
		if _, err := FindExtractors(r, with("python3", "another.py")); err == nil || !strings.Contains(err.Error(), `"python3 another.py" here`) {
			t.Errorf("%s: %v", expr, err)
		}
	}
	a, _ := choose.Extractors(planned, "other")
	b, _ := choose.Extractors(with("other"), "other")
	if ConfigHash(a[0]) == ConfigHash(b[0]) {
		t.Error("two programs have one hash")
	}
}
