// Package choose turns the names that a user writes into extractors, scorers and facts:
//
//	chosen, err := choose.Extractors(suite.Extractors(), "page,alarte-silva:c=4")
//
// An expression is a list of names separated by commas. A name may be that of a group and
// may carry settings (package setting). Errors name what there is to choose from.
//
// This package is internal to Winnow and may change in any release.
package choose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// Extractors picks from list by expr: names separated by commas, each
// with optional settings ("alarte-silva:c=4:hr=8"), or "all", "page", "site"
// for groups. The result is in list order, variants after their extractor, each
// name once. An unknown name is an error that lists the right ones.
func Extractors(list []*algorithms.Extractor, expr string) ([]*algorithms.Extractor, error) {
	return choose(list, expr, "extractor",
		func(e *algorithms.Extractor) string { return e.Name },
		map[string]func(*algorithms.Extractor) bool{
			"all":  func(*algorithms.Extractor) bool { return true },
			"page": func(e *algorithms.Extractor) bool { return e.Scope() == algorithms.PageScope },
			"site": func(e *algorithms.Extractor) bool { return e.Scope() == algorithms.SiteScope },
		},
		func(e *algorithms.Extractor, settings map[string]string) (*algorithms.Extractor, error) {
			if e.With == nil {
				return nil, fmt.Errorf("algorithms: extractor %s has no settings", e.Name)
			}
			made, err := e.With(settings)
			if err != nil {
				return nil, err
			}
			named := *made
			named.Name = e.Name + settingsSuffix(settings)
			return &named, nil
		})
}

// Scorers picks scorers as Extractors does; the groups are "all" and "none".
func Scorers(list []*algorithms.Scorer, expr string) ([]*algorithms.Scorer, error) {
	return choose(list, expr, "scorer",
		func(s *algorithms.Scorer) string { return s.Name },
		map[string]func(*algorithms.Scorer) bool{
			"all":  func(*algorithms.Scorer) bool { return true },
			"none": func(*algorithms.Scorer) bool { return false },
		},
		func(s *algorithms.Scorer, settings map[string]string) (*algorithms.Scorer, error) {
			if s.With == nil {
				return nil, fmt.Errorf("algorithms: scorer %s has no settings", s.Name)
			}
			made, err := s.With(settings)
			if err != nil {
				return nil, err
			}
			named := *made
			named.Name = s.Name + settingsSuffix(settings)
			return &named, nil
		})
}

// Facts picks facts as Extractors does; the groups are "all", "none" and "default". Facts
// have no settings.
func Facts(list []*fact.Fact, expr string) ([]*fact.Fact, error) {
	return choose(list, expr, "fact",
		func(f *fact.Fact) string { return f.Name },
		map[string]func(*fact.Fact) bool{
			"all":     func(*fact.Fact) bool { return true },
			"none":    func(*fact.Fact) bool { return false },
			"default": func(f *fact.Fact) bool { return f.Default },
		},
		func(f *fact.Fact, _ map[string]string) (*fact.Fact, error) {
			return nil, fmt.Errorf("algorithms: fact %s has no settings", f.Name)
		})
}

// maxName bounds the bytes of a name with its settings. Names are keys of counts, which
// have bounds of their own.
const maxName = 500

func choose[T any](list []*T, expr, noun string, name func(*T) string, groups map[string]func(*T) bool,
	with func(*T, map[string]string) (*T, error)) ([]*T, error) {
	chosen := make([][]*T, len(list)) // by position in list
	for _, word := range strings.Split(expr, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		if in, ok := groups[word]; ok {
			for i, m := range list {
				if in(m) && !holds(chosen[i], name(m), name) {
					chosen[i] = append(chosen[i], m)
				}
			}
			continue
		}
		base, rest, settled := strings.Cut(word, ":")
		i := slices.IndexFunc(list, func(m *T) bool { return name(m) == base })
		if i < 0 {
			names := make([]string, len(list))
			for i, m := range list {
				names[i] = name(m)
			}
			return nil, Unknown(noun, base, names, slices.Collect(maps.Keys(groups)))
		}
		m := list[i]
		if len(word) > maxName {
			return nil, fmt.Errorf("algorithms: %s %s: the settings have %d bytes, the name and they may have at most %d", noun, base, len(rest), maxName)
		}
		if settled {
			settings, err := parseSettings(rest)
			if err != nil {
				return nil, fmt.Errorf("algorithms: %s %s: %w", noun, word, err)
			}
			if m, err = with(m, settings); err != nil {
				return nil, err
			}
		}
		if !holds(chosen[i], name(m), name) {
			chosen[i] = append(chosen[i], m)
		}
	}
	return slices.Concat(chosen...), nil
}

func holds[T any](list []*T, wanted string, name func(*T) string) bool {
	return slices.ContainsFunc(list, func(m *T) bool { return name(m) == wanted })
}

func parseSettings(s string) (map[string]string, error) {
	settings := make(map[string]string)
	for _, part := range strings.Split(s, ":") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			return nil, fmt.Errorf("setting %q is not of the form name=value", part)
		}
		if _, twice := settings[key]; twice {
			return nil, fmt.Errorf("setting %s is given twice", key)
		}
		settings[key] = value
	}
	return settings, nil
}

// settingsSuffix is ":a=1:b=2" with the names sorted, so that one variant has one name.
func settingsSuffix(settings map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&b, ":%s=%s", k, settings[k])
	}
	return b.String()
}

// Unknown returns the error for a name that is neither in names nor in groups. It lists
// both and suggests the nearest one.
func Unknown(noun, got string, names, groups []string) error {
	slices.Sort(names)
	slices.Sort(groups)
	all := slices.Concat(names, groups)
	hint := ""
	near := Nearest(got, all)
	// The name of a group is a short common word. One with another letter, such as nope for
	// none, is probably not meant.
	if slices.Contains(groups, near) && editDistance(got, near) != max(len(got), len(near))-min(len(got), len(near)) {
		near = Nearest(got, names)
	}
	if near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("algorithms: no %s %q%s; there are: %s", noun, got, hint, strings.Join(all, ", "))
}

// Nearest returns the name with the smallest edit distance to got, "" if none is near: at
// most a third of the characters may differ, or one of a short name.
func Nearest(got string, names []string) string {
	best, at := max(1, len(got)/3), ""
	for _, n := range names {
		if d := editDistance(got, n); d <= best && (at == "" || d < best) {
			best, at = d, n
		}
	}
	return at
}

// editDistance is Levenshtein's; names are a few bytes long.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
