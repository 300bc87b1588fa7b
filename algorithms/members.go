package algorithms

import (
	"errors"
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms/page"
)

// Answer is the result of a member of an ensemble, for the ensemble to read.
type Answer struct {
	Extractor *Extractor
	OK        bool            // it answered, perhaps that it found nothing; else it failed or was skipped
	Text      []byte          // as it is to be read
	Selection *page.Selection // where Text lies on the page; nil if that is not known
	Aligned   bool            // Selection was found by aligning Text, which a program returned

	Confidence float32 // Pass.Confidence
}

// WithMembers returns the extractors and all whose answers they read, each name once,
// members before those who read them.
func WithMembers(extractors []*Extractor) []*Extractor {
	var ordered []*Extractor
	seen := map[string]bool{}
	var visit func(e *Extractor)
	visit = func(e *Extractor) {
		if seen[e.Name] {
			return
		}
		seen[e.Name] = true
		for _, m := range e.Members {
			visit(m)
		}
		ordered = append(ordered, e)
	}
	for _, e := range extractors {
		visit(e)
	}
	return ordered
}

// validateMembers checks that e can be given the answers of its members.
func validateMembers(e *Extractor) error {
	if len(e.Members) == 0 {
		return nil
	}
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("algorithms: extractor %s "+format, append([]any{e.Name}, args...)...))
	}
	if e.Run == nil || e.Learn != nil {
		bad("has members, so it must have Run and no learner")
	}
	ordered := WithMembers([]*Extractor{e})
	for i, x := range ordered {
		for _, m := range x.Members {
			if at := slices.IndexFunc(ordered, func(o *Extractor) bool { return o.Name == m.Name }); at >= i {
				bad("reads its own answer through its member %s", m.Name)
			}
		}
	}
	return errors.Join(errs...)
}
