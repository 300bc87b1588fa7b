package algorithms

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// ChooseExtractors picks from list by expr: names separated by commas, each
// with optional settings ("alarte-silva:c=4:hr=8"), or "all", "page", "site"
// for groups. The result is in list order, variants behind their extractor, each
// name once. An unknown name is an error that lists the right ones.
func ChooseExtractors(list []*Extractor, expr string) ([]*Extractor, error) {
	return choose(list, expr, "extractor",
		func(e *Extractor) string { return e.Name },
		map[string]func(*Extractor) bool{
			"all":  func(*Extractor) bool { return true },
			"page": func(e *Extractor) bool { return e.Scope() == PageScope },
			"site": func(e *Extractor) bool { return e.Scope() == SiteScope },
		},
		func(e *Extractor, settings map[string]string) (*Extractor, error) {
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

// ChooseScorers is ChooseExtractors for scorers; groups are "all" and "none".
func ChooseScorers(list []*Scorer, expr string) ([]*Scorer, error) {
	return choose(list, expr, "scorer",
		func(s *Scorer) string { return s.Name },
		map[string]func(*Scorer) bool{
			"all":  func(*Scorer) bool { return true },
			"none": func(*Scorer) bool { return false },
		},
		func(s *Scorer, settings map[string]string) (*Scorer, error) {
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
			return nil, unknown(noun, base, list, name, groups)
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
	keys := make([]string, 0, len(settings))
	for k := range settings {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, ":%s=%s", k, settings[k])
	}
	return b.String()
}

func unknown[T any](noun, got string, list []*T, name func(*T) string, groups map[string]func(*T) bool) error {
	names := make([]string, 0, len(list)+len(groups))
	for _, m := range list {
		names = append(names, name(m))
	}
	sort.Strings(names)
	for g := range groups {
		names = append(names, g)
	}
	sort.Strings(names[len(list):])
	hint := ""
	near := Nearest(got, names)
	// The name of a group is a short common word. One with another letter, such as nope for
	// none, is probably not meant.
	if groups[near] != nil && editDistance(got, near) != max(len(got), len(near))-min(len(got), len(near)) {
		near = Nearest(got, names[:len(list)])
	}
	if near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("algorithms: no %s %q%s; there are: %s", noun, got, hint, strings.Join(names, ", "))
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
