// Package setting makes the parameters of a family public: every number that a source
// states or leaves open is a Setting. A family lists its settings once, and Tune derives
// from the list what users see (Params) and what they may change (With):
//
//	type Params struct{ Window int }
//
//	func (p *Params) settings() []setting.Setting {
//		return []setting.Setting{setting.Int("window", &p.Window, 1, 500, "tokens in a window")}
//	}
//
//	func New(p Params) *algorithms.Extractor {
//		return setting.Tune(&algorithms.Extractor{...}, p, (*Params).settings, New)
//	}
//
// This package is internal to Winnow and may change in any release.
package setting

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
)

// Setting ties the published name of a parameter to the field that holds it.
type Setting struct {
	Name string
	Doc  string

	value   func() string
	parse   func(string) error
	allowed string
}

// Int is a whole number in [min, max].
func Int(name string, field *int, min, max int, doc string) Setting {
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

// Float is a number in [min, max].
func Float(name string, field *float64, min, max float64, doc string) Setting {
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

// Bool is true or false.
func Bool(name string, field *bool, doc string) Setting {
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

// Choice is one of a few words.
func Choice(name string, field *string, doc string, choices ...string) Setting {
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

// Words is a list of words separated by blanks, with no order: it is
// kept sorted and without repetition, so equal sets read equal.
func Words(name string, field *[]string, doc string) Setting {
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
//	return setting.Tune(e, p, (*Params).settings, New)
func Tune[P any](e *algorithms.Extractor, p P, settings func(*P) []Setting, remake func(P) *algorithms.Extractor) *algorithms.Extractor {
	e.Params = params(settings(&p))
	name := e.Name
	e.With = func(values map[string]string) (*algorithms.Extractor, error) {
		q := p
		if err := set(settings(&q), values); err != nil {
			return nil, fmt.Errorf("algorithms: %s: %w", name, err)
		}
		return remake(q), nil
	}
	return e
}

// TuneScorer is Tune for a scorer.
func TuneScorer[P any](s *algorithms.Scorer, p P, settings func(*P) []Setting, remake func(P) *algorithms.Scorer) *algorithms.Scorer {
	s.Params = params(settings(&p))
	name := s.Name
	s.With = func(values map[string]string) (*algorithms.Scorer, error) {
		q := p
		if err := set(settings(&q), values); err != nil {
			return nil, fmt.Errorf("algorithms: %s: %w", name, err)
		}
		return remake(q), nil
	}
	return s
}

func params(settings []Setting) []algorithms.Param {
	var out []algorithms.Param
	for _, s := range settings {
		out = append(out, algorithms.Param{Name: s.Name, Value: s.value(), Doc: s.Doc})
	}
	return out
}

// set assigns values; the error names the first wrong one in the order of
// names, and what is allowed.
func set(settings []Setting, values map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
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
