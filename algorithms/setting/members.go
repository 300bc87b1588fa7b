package setting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
)

// Member is an extractor with the weight of its vote.
type Member struct {
	Extractor *algorithms.Extractor
	Weight    int
}

// maxWeight bounds the weight of one member.
const maxWeight = 1000

// Members is a choice among the extractors of list: their names joined by +,
// with @ and a weight where it is not 1, as in "bte+cetd-ds@2". Each may be chosen
// once, with the settings that it has in list.
func Members(name string, field *[]Member, list []*algorithms.Extractor, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: fmt.Sprintf("names of extractors joined by +, each once, with a weight from 1 to %d after @ where it is not 1, as in bte+cetd-ds@2", maxWeight),
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

// Extractor is a choice of one extractor of list, with the settings that it has there.
func Extractor(name string, field **algorithms.Extractor, list []*algorithms.Extractor, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: "the name of an extractor",
		value:   func() string { return (*field).Name },
		parse: func(s string) error {
			m, err := parseMember(s, list)
			if err == nil && m.Extractor.Name != s {
				err = errImpossible // a weight
			}
			*field = m.Extractor
			return err
		}}
}

func parseMember(word string, list []*algorithms.Extractor) (Member, error) {
	name, weight, weighted := strings.Cut(word, "@")
	i := slices.IndexFunc(list, func(e *algorithms.Extractor) bool { return e.Name == name })
	if i < 0 {
		names := make([]string, len(list))
		for i, e := range list {
			names[i] = e.Name
		}
		return Member{}, choose.Unknown("extractor", name, names, nil)
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
