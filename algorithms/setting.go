package algorithms

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setting ties the published name of a parameter to the field that holds it.
// A family lists its settings once, in a method of its Params, and Tune makes
// Extractor.Params and Extractor.With from the list.
type Setting struct {
	Name string
	Doc  string

	value   func() string
	parse   func(string) error
	allowed string
}

// IntSetting is a whole number in [min, max].
func IntSetting(name string, field *int, min, max int, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: fmt.Sprintf("a whole number from %d to %d", min, max),
		value:   func() string { return strconv.Itoa(*field) },
		parse: func(s string) error {
			v, err := strconv.Atoi(s)
			if err != nil || v < min || v > max {
				return errImpossible
			}
			*field = v
			return nil
		}}
}

// FloatSetting is a number in [min, max].
func FloatSetting(name string, field *float64, min, max float64, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: fmt.Sprintf("a number from %g to %g", min, max),
		value:   func() string { return strconv.FormatFloat(*field, 'g', -1, 64) },
		parse: func(s string) error {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil || !(v >= min && v <= max) { // NaN compares false
				return errImpossible
			}
			*field = v
			return nil
		}}
}

// BoolSetting is true or false.
func BoolSetting(name string, field *bool, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: "true or false",
		value:   func() string { return strconv.FormatBool(*field) },
		parse: func(s string) error {
			v, err := strconv.ParseBool(s)
			if err != nil {
				return errImpossible
			}
			*field = v
			return nil
		}}
}

// ChoiceSetting is one of a few words.
func ChoiceSetting(name string, field *string, doc string, choices ...string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: "one of " + strings.Join(choices, ", "),
		value:   func() string { return *field },
		parse: func(s string) error {
			if !slices.Contains(choices, s) {
				return errImpossible
			}
			*field = s
			return nil
		}}
}

// WordsSetting is a list of words separated by blanks, with no order: it is
// kept sorted and without repetition, so equal sets read equal.
func WordsSetting(name string, field *[]string, doc string) Setting {
	return Setting{Name: name, Doc: doc,
		allowed: "words separated by blanks",
		value:   func() string { return strings.Join(*field, " ") },
		parse: func(s string) error {
			words := strings.Fields(s)
			slices.Sort(words)
			*field = slices.Compact(words)
			return nil
		}}
}

var errImpossible = errors.New("impossible value")

// Tune completes e, the extractor for the parameters p: it fills e.Params from
// the settings of p, and e.With with a function that sets a copy of p and makes
// the method again. settings is the method expression of p's settings, as in
//
//	return algorithms.Tune(e, p, (*Params).settings, New)
func Tune[P any](e *Extractor, p P, settings func(*P) []Setting, remake func(P) *Extractor) *Extractor {
	e.Params = params(settings(&p))
	name := e.Name
	e.With = func(values map[string]string) (*Extractor, error) {
		q := p
		if err := set(settings(&q), values); err != nil {
			return nil, fmt.Errorf("algorithms: %s: %w", name, err)
		}
		return remake(q), nil
	}
	return e
}

// TuneScorer is Tune for a scorer.
func TuneScorer[P any](s *Scorer, p P, settings func(*P) []Setting, remake func(P) *Scorer) *Scorer {
	s.Params = params(settings(&p))
	name := s.Name
	s.With = func(values map[string]string) (*Scorer, error) {
		q := p
		if err := set(settings(&q), values); err != nil {
			return nil, fmt.Errorf("algorithms: %s: %w", name, err)
		}
		return remake(q), nil
	}
	return s
}

func params(settings []Setting) []Param {
	var out []Param
	for _, s := range settings {
		out = append(out, Param{Name: s.Name, Value: s.value(), Doc: s.Doc})
	}
	return out
}

// set assigns values; the error names the first wrong one in the order of
// names, and what is allowed.
func set(settings []Setting, values map[string]string) error {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
		if i < 0 {
			known := make([]string, len(settings))
			for j, s := range settings {
				known[j] = s.Name
			}
			return fmt.Errorf("no setting %q, there are: %s", name, strings.Join(known, ", "))
		}
		if err := settings[i].parse(values[name]); err != nil {
			return fmt.Errorf("setting %s=%q: %w, want %s", name, values[name], err, settings[i].allowed)
		}
	}
	return nil
}
