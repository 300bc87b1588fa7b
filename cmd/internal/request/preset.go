package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// preset is a value of --for: flags with the values that they have unless they are given.
type preset struct {
	name  string
	flags [][2]string
}

// presets are the values of --for.
var presets = []preset{
	{"search", [][2]string{{"extractors", "winnow"}, {"scorers", "none"}, {"facts", "default,language"}, {"texts", "jsonl"}, {"limit", "texts-file=64MiB"}}},
	{"llm", [][2]string{{"extractors", "winnow"}, {"scorers", "none"}, {"facts", "default,language,quality,signature"}, {"respect-optout", "true"}, {"texts", "jsonl,markdown"}, {"limit", "texts-file=1GiB"}}},
	{"research", [][2]string{{"extractors", "all"}, {"scorers", "all"}, {"facts", "default,language"}, {"texts", "parquet"}, {"spans", "true"}}},
}

// registerFor adds the flag --for.
func (r *Run) registerFor(f *pflag.FlagSet) {
	var names []string
	usage := "what the run is for, which stands for these flags; one that is given replaces the value here:"
	for _, p := range presets {
		names = append(names, p.name)
		usage += fmt.Sprintf("\n%-8s %s", p.name, strings.Join(p.list(nil), " "))
	}
	RegisterChoice(f, &r.For, "for", "", usage, names...)
}

// list returns the preset's flags as they are written, without those for which given is true.
func (p *preset) list(given func(flag string) bool) (list []string) {
	for _, f := range p.flags {
		switch {
		case given != nil && given(f[0]):
		case f[1] == "true":
			list = append(list, "--"+f[0])
		default:
			list = append(list, "--"+f[0]+" "+f[1])
		}
	}
	return list
}

// chosen returns the preset of --for, or nil.
func (r *Run) chosen() *preset {
	k := slices.IndexFunc(presets, func(p preset) bool { return p.name == r.For })
	if k < 0 {
		return nil
	}
	return &presets[k]
}

// given reports whether a flag of a run was given.
func (r *Run) given(flag string) bool { return r.own.Changed(flag) }

// StandsFor returns the flags that --for sets, as they are written: without those that were
// given. It is empty without --for.
func (r *Run) StandsFor() string {
	if p := r.chosen(); p != nil {
		return strings.Join(p.list(r.given), " ")
	}
	return ""
}

// fillPreset sets the flags of the preset of --for. They do not count as given.
func (r *Run) fillPreset() {
	p := r.chosen()
	if p == nil {
		return
	}
	for _, f := range p.flags {
		if r.given(f[0]) {
			continue
		}
		if err := r.own.Lookup(f[0]).Value.Set(f[1]); err != nil {
			panic("winnow: --for " + r.For + ": " + err.Error()) // impossible: a test sets all presets
		}
	}
}
