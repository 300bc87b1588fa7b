package worker

import (
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/schemas"
)

// Recipe writes chosen methods down, for a run that any worker with the same
// list of methods can carry out.
func Recipe(extractors []*algorithms.Extractor, scorers []*algorithms.Scorer) (x, s []schemas.Method) {
	for _, e := range extractors {
		x = append(x, method(e.Name, e.Fidelity))
	}
	for _, c := range scorers {
		s = append(s, method(c.Name, c.Fidelity))
	}
	return x, s
}

func method(name string, f algorithms.Fidelity) schemas.Method {
	base, rest, settled := strings.Cut(name, ":")
	m := schemas.Method{Name: name, Base: base, Fidelity: string(f)}
	if settled {
		m.Settings = make(map[string]string)
		for setting := range strings.SplitSeq(rest, ":") {
			key, value, _ := strings.Cut(setting, "=")
			m.Settings[key] = value
		}
	}
	return m
}

// methods finds the recipe's methods in the worker's own lists. One that is not
// there, or is not the same any more, is an error: this worker is of another
// build than the run.
func methods(r *schemas.Recipe, extractors []*algorithms.Extractor, scorers []*algorithms.Scorer) ([]*algorithms.Extractor, []*algorithms.Scorer, error) {
	var x []*algorithms.Extractor
	for _, m := range r.Extractors {
		got, err := algorithms.ChooseExtractors(extractors, m.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("worker: recipe: %w", err)
		}
		if err := agree(m, len(got), func() (string, algorithms.Fidelity) { return got[0].Name, got[0].Fidelity }); err != nil {
			return nil, nil, err
		}
		x = append(x, got[0])
	}
	var s []*algorithms.Scorer
	for _, m := range r.Scorers {
		got, err := algorithms.ChooseScorers(scorers, m.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("worker: recipe: %w", err)
		}
		if err := agree(m, len(got), func() (string, algorithms.Fidelity) { return got[0].Name, got[0].Fidelity }); err != nil {
			return nil, nil, err
		}
		s = append(s, got[0])
	}
	return x, s, nil
}

func agree(m schemas.Method, n int, first func() (string, algorithms.Fidelity)) error {
	if n != 1 {
		return fmt.Errorf("worker: recipe: method %q stands for %d methods", m.Name, n)
	}
	if name, f := first(); name != m.Name || string(f) != m.Fidelity {
		return fmt.Errorf("worker: recipe: method %s (%s) is %s (%s) in this build", m.Name, m.Fidelity, name, f)
	}
	return nil
}
