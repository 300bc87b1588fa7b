package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/schemas"
)

// Methods returns the entries of a recipe for chosen extractors and scorers. Find finds
// them again in any program that has the same list.
func Methods(extractors []*algorithms.Extractor, scorers []*algorithms.Scorer) (x, s []schemas.Method) {
	for _, e := range extractors {
		m := method(e.Name, e.Fidelity)
		m.Family, m.TrainedOn, m.Bound, m.Commands = e.Family, e.AllTrainedOn(), e.Oracle, commands(e)
		x = append(x, m)
	}
	for _, c := range scorers {
		m := method(c.Name, c.Fidelity)
		m.Family, m.Mean, m.Top, m.Lower = c.Family, string(c.Mean), c.Top, c.Lower
		s = append(s, m)
	}
	return x, s
}

// commands returns the names of the programs that an extractor and its members run, by the
// name of the extractor; nil if there are none.
func commands(e *algorithms.Extractor) map[string]string {
	var all map[string]string
	for _, m := range algorithms.WithMembers([]*algorithms.Extractor{e}) {
		if m.Command != nil {
			if all == nil {
				all = map[string]string{}
			}
			all[m.Name] = commandName(m)
		}
	}
	return all
}

// commandName returns the words of a program's command without the folders, which differ
// from machine to machine.
func commandName(e *algorithms.Extractor) string {
	words := make([]string, len(e.Command))
	for i, word := range e.Command {
		words[i] = filepath.Base(word)
	}
	return strings.Join(words, " ")
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

// ConfigHash identifies all that decides the answer of an extractor besides the version of the
// program and the page: its listed name, every setting including the published ones, what
// it learns, and the commands that it runs.
func ConfigHash(e *algorithms.Extractor) string {
	base, _, _ := strings.Cut(e.Name, ":")
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", base)
	for _, p := range e.Params {
		fmt.Fprintf(h, "%s=%s\n", p.Name, p.Value)
	}
	if e.Learn != nil {
		fmt.Fprintf(h, "learn %q version %d\n", e.Learn.As, e.Learn.Version)
	}
	programs := commands(e)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		fmt.Fprintf(h, "command %s=%s\n", name, programs[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Find returns the extractors and scorers of a recipe from the lists of this program.
// It is an error if one of them is missing or is not the same: the run was then planned
// by another build.
func Find(r *schemas.Recipe, extractors []*algorithms.Extractor, scorers []*algorithms.Scorer) ([]*algorithms.Extractor, []*algorithms.Scorer, error) {
	x, err := FindExtractors(r, extractors)
	if err != nil {
		return nil, nil, err
	}
	var s []*algorithms.Scorer
	for _, m := range r.Scorers {
		got, err := choose.Scorers(scorers, m.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("recipe: %w", err)
		}
		if err := agree(m, len(got), func() (string, algorithms.Fidelity) { return got[0].Name, got[0].Fidelity }); err != nil {
			return nil, nil, err
		}
		s = append(s, got[0])
	}
	return x, s, nil
}

// FindExtractors returns the extractors of a recipe as Find does.
func FindExtractors(r *schemas.Recipe, extractors []*algorithms.Extractor) ([]*algorithms.Extractor, error) {
	var x []*algorithms.Extractor
	for _, m := range r.Extractors {
		if err := findCommands(m, extractors); err != nil {
			return nil, err
		}
		got, err := choose.Extractors(extractors, m.Name)
		if err != nil {
			return nil, fmt.Errorf("recipe: %w", err)
		}
		if err := agree(m, len(got), func() (string, algorithms.Fidelity) { return got[0].Name, got[0].Fidelity }); err != nil {
			return nil, err
		}
		x = append(x, got[0])
	}
	return x, nil
}

// findCommands checks that the extractors that a method runs as programs are in the list, with
// the same commands.
func findCommands(m schemas.Method, list []*algorithms.Extractor) error {
	for _, name := range slices.Sorted(maps.Keys(m.Commands)) {
		want := m.Commands[name]
		i := slices.IndexFunc(list, func(e *algorithms.Extractor) bool { return e.Name == name })
		if i < 0 {
			return fmt.Errorf("recipe: the run needs the extractor %s, which is the program %q: install it and add --extractor-command %s='%s'", name, want, name, want)
		}
		if have := commandName(list[i]); have != want {
			return fmt.Errorf("recipe: the extractor %s is the program %q in the run, and %q here: give --extractor-command the same program", name, want, have)
		}
	}
	return nil
}

func agree(m schemas.Method, n int, first func() (string, algorithms.Fidelity)) error {
	if n != 1 {
		return fmt.Errorf("recipe: name %q means %d extractors or scorers, want one", m.Name, n)
	}
	if name, f := first(); name != m.Name || string(f) != m.Fidelity {
		return fmt.Errorf("recipe: %s (fidelity %s) is %s (fidelity %s) in this build", m.Name, m.Fidelity, name, f)
	}
	return nil
}
