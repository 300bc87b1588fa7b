package algorithms

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms/page"
)

// Answer is what a member of an ensemble made of the page, for the ensemble to read.
type Answer struct {
	Extractor *Extractor
	OK        bool            // it answered, perhaps that it found nothing; else it failed or was skipped
	Text      []byte          // as it is to be read
	Selection *page.Selection // where Text lies on the page; nil if that is not known
	Aligned   bool            // Selection was found by aligning Text, of a wrapped library
}

// Member is an extractor with the weight of its vote.
type Member struct {
	Extractor *Extractor
	Weight    int
}

// maxWeight bounds the weight of one member.
const maxWeight = 1000

// MembersSetting is a choice among the extractors of list: their names joined by +,
// with @ and a weight where it is not 1, as in "bte+cetd-ds@2". Each may be chosen
// once, with the settings that it has in list.
func MembersSetting(name string, field *[]Member, list []*Extractor, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: fmt.Sprintf("names of extractors joined by +, each once, with a weight from 1 to %d behind @ where it is not 1, as in bte+cetd-ds@2", maxWeight),
		value: func() string {
			words := make([]string, len(*field))
			for i, m := range *field {
				if words[i] = m.Extractor.Name; m.Weight != 1 {
					words[i] += "@" + strconv.Itoa(m.Weight)
				}
			}
			return strings.Join(words, "+")
		},
		parse: func(s string) error {
			var members []Member
			for word := range strings.SplitSeq(s, "+") {
				m, err := parseMember(word, list)
				if err != nil {
					return err
				}
				if slices.ContainsFunc(members, func(o Member) bool { return o.Extractor == m.Extractor }) {
					return fmt.Errorf("%s is given twice", m.Extractor.Name)
				}
				members = append(members, m)
			}
			*field = members
			return nil
		}}
}

func parseMember(word string, list []*Extractor) (Member, error) {
	name, weight, weighted := strings.Cut(word, "@")
	i := slices.IndexFunc(list, func(e *Extractor) bool { return e.Name == name })
	if i < 0 {
		return Member{}, unknown("extractor", name, list, func(e *Extractor) string { return e.Name }, map[string]func(*Extractor) bool{})
	}
	m := Member{list[i], 1}
	if weighted {
		var err error
		if m.Weight, err = strconv.Atoi(weight); err != nil || m.Weight < 1 || m.Weight > maxWeight {
			return Member{}, errImpossible
		}
	}
	return m, nil
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
