package algorithms

import (
	"errors"
	"fmt"
	"regexp"
)

var properName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ProperName reports whether an extractor or scorer may have the name: it can be part of a
// file name, a column, a flag and a metric label.
func ProperName(name string) bool { return properName.MatchString(name) }

// Validate checks that the lists are well formed: unique proper names, complete
// citations, something to run. It is called when a program that runs extractors starts,
// and by a test, so that no worker discovers a bad list at page one million.
func Validate(extractors []*Extractor, scorers []*Scorer) error {
	var errs []error
	seen := map[string]bool{}
	for _, e := range extractors {
		errs = append(errs, e.Description.Validate("extractor", seen))
		if (e.Run == nil) == (e.Command == nil) {
			errs = append(errs, fmt.Errorf("algorithms: extractor %s must have exactly one of Run and Command", e.Name))
		}
		if (e.Command != nil) != (e.Fidelity == Wrapped) {
			errs = append(errs, fmt.Errorf("algorithms: extractor %s: fidelity %q does not fit", e.Name, e.Fidelity))
		}
		if len(e.Params) > 0 && e.With == nil {
			errs = append(errs, fmt.Errorf("algorithms: extractor %s has parameters but no With", e.Name))
		}
		if (e.Fidelity == Partial || e.Fidelity == Reconstructed) && len(e.Departures) == 0 {
			errs = append(errs, fmt.Errorf("algorithms: extractor %s is %s but lists no departures", e.Name, e.Fidelity))
		}
		errs = append(errs, validateMembers(e))
		if l := e.Learn; l != nil && (l.Sketch == nil || l.Finish == nil || l.Open == nil || l.Version < 1 || l.MinPages < 1) {
			errs = append(errs, fmt.Errorf("algorithms: extractor %s has an incomplete learner", e.Name))
		}
	}
	seen = map[string]bool{}
	for _, s := range scorers {
		errs = append(errs, s.Description.Validate("scorer", seen))
		if len(s.Params) > 0 && s.With == nil {
			errs = append(errs, fmt.Errorf("algorithms: scorer %s has parameters but no With", s.Name))
		}
		if s.Score == nil {
			errs = append(errs, fmt.Errorf("algorithms: scorer %s has nothing to run", s.Name))
		}
		switch s.Mean {
		case MacroF1, F1OfMeans, F1OfDefined, MicroF1, MeanValue:
		default:
			errs = append(errs, fmt.Errorf("algorithms: scorer %s: mean %q is not known", s.Name, s.Mean))
		}
	}
	return errors.Join(errs...)
}

// Validate checks that d is complete and that its name is not in seen, to which it adds the
// name. noun says in errors what d describes.
func (d *Description) Validate(noun string, seen map[string]bool) error {
	var errs []error
	bad := func(what string) { errs = append(errs, fmt.Errorf("algorithms: %s %q: %s", noun, d.Name, what)) }
	if !ProperName(d.Name) {
		bad("is not a proper name")
	}
	if seen[d.Name] {
		bad("is listed twice")
	}
	seen[d.Name] = true
	if d.Family == "" || d.Doc == "" {
		bad("has no family or no doc")
	}
	if d.Cite.Authors == "" || d.Cite.Title == "" || d.Cite.Venue == "" || d.Cite.Year == 0 {
		bad("has an incomplete citation")
	}
	switch d.Fidelity {
	case Exact, Partial, Reconstructed, Wrapped, Experimental:
	default:
		bad(fmt.Sprintf("fidelity %q is not known", d.Fidelity))
	}
	switch d.Cost {
	case Linear, NLogN, Superlinear:
	default:
		bad(fmt.Sprintf("cost %q is not known", d.Cost))
	}
	return errors.Join(errs...)
}
