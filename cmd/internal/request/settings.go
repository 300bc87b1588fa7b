package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/service"
)

// setting is one of the values that a flag NAME=VALUE sets.
type setting struct {
	name, initial, meaning string
	set                    func(value string) error
}

// settings is a flag NAME=VALUE that may be repeated.
type settings struct {
	flag       string
	separators string // between the settings of one argument or environment variable
	width      int    // columns for a name with its value in the help text
	all        []setting
	given      []string
}

// register adds the flag with a help text that lists all names, and sets the initial values.
func (s *settings) register(f *pflag.FlagSet, usage string) {
	for _, x := range s.all {
		name := x.name + "="
		if x.initial != "" {
			name += x.initial
			if err := x.set(x.initial); err != nil {
				panic("winnow: --" + s.flag + " " + name + ": " + err.Error()) // impossible: a test registers all flags
			}
		}
		usage += fmt.Sprintf("\n%-*s %s", s.width, name, x.meaning)
	}
	f.Var(s, s.flag, usage)
}

// Set implements pflag.Value.
func (s *settings) Set(text string) error {
	for _, given := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(s.separators, r) }) {
		name, value, ok := strings.Cut(given, "=")
		i := slices.IndexFunc(s.all, func(x setting) bool { return x.name == name })
		if !ok || i < 0 || value == "" {
			return service.Usagef("--%s %q: want NAME=VALUE, where NAME is one of %s", s.flag, given, s.names())
		}
		if err := s.all[i].set(value); err != nil {
			return service.Usagef("--%s %s: %w", s.flag, given, err)
		}
		s.given = append(s.given, given)
	}
	return nil
}

func (s *settings) names() string {
	var names []string
	for _, x := range s.all {
		names = append(names, x.name)
	}
	return strings.Join(names, ", ")
}

// String implements pflag.Value.
func (s *settings) String() string { return strings.Join(s.given, "\n") }

// Type implements pflag.Value. The help text shows it as the flag's value.
func (s *settings) Type() string { return "NAME=VALUE" }
