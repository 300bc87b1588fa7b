package request

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/service"
)

// Programs are the extractors that --extractor-command defines.
type Programs struct{ commands []string }

// Register adds the flag to a command.
func (x *Programs) Register(f *pflag.FlagSet) {
	service.Rare(f, "What to run", func(f *pflag.FlagSet) {
		f.StringArrayVar(&x.commands, "extractor-command", nil, "`NAME=COMMAND`: an extractor that is a program of its own, such as 'trafilatura=winnow-peers trafilatura' (see docs/reference/extractor-protocol.md); may be repeated")
	})
}

// Extractors returns those of the suite and the programs.
func (x *Programs) Extractors() ([]*algorithms.Extractor, error) {
	var programs []*algorithms.Extractor
	for _, definition := range x.commands {
		e, err := process.Parse(definition)
		if err != nil {
			return nil, service.Usagef("--extractor-command %w", err)
		}
		taken := func(o *algorithms.Extractor) bool { return o.Name == e.Name }
		if slices.ContainsFunc(suite.Extractors(), taken) || slices.ContainsFunc(programs, taken) {
			return nil, service.Usagef("--extractor-command %s: there is another extractor of that name", definition)
		}
		programs = append(programs, e)
	}
	return suite.With(programs...)
}

// peers are the extractors of the program winnow-peers.
var peers = []string{"trafilatura", "trafilatura-fast", "trafilatura-precision", "trafilatura-recall", "readability", "domdistiller"}

// Choose is choose.Extractors with an error that says how to get an extractor of
// winnow-peers.
func Choose(list []*algorithms.Extractor, expr string) ([]*algorithms.Extractor, error) {
	chosen, err := choose.Extractors(list, expr)
	if err == nil {
		return chosen, nil
	}
	words := strings.FieldsFunc(expr, func(r rune) bool { return strings.ContainsRune(",:=+@ ", r) })
	for _, name := range peers {
		if slices.Contains(words, name) && !slices.ContainsFunc(list, func(e *algorithms.Extractor) bool { return e.Name == name }) {
			return nil, fmt.Errorf("%s is an extractor of the program winnow-peers: go install github.com/winnow/winnow/peers/winnow-peers@latest; then add --extractor-command '%[1]s=winnow-peers %[1]s'", name)
		}
	}
	return nil, err
}

// Check starts the programs and ends them again, so that one that cannot be used is an error
// before the work begins. log gets what they say about themselves.
func (x *Programs) Check(ctx context.Context, log *slog.Logger) error {
	list, err := x.Extractors()
	if err != nil {
		return err
	}
	processes := process.New(process.Options{})
	for _, e := range list {
		if e.Command == nil {
			continue
		}
		hello, err := processes.Check(ctx, e)
		if err != nil {
			return fmt.Errorf("--extractor-command %s: %w", e.Name, err)
		}
		log.Info("extractor is a program", "extractor", e.Name, "program", hello.Name, "version", hello.Version, "citation", hello.Citation)
	}
	return nil
}
