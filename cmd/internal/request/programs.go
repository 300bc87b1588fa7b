package request

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/answers"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/service"
)

// Programs are the extractors that --extractor-command and --answers define.
type Programs struct {
	commands, answers []string
}

// Register adds the flag to a command.
func (x *Programs) Register(f *pflag.FlagSet) {
	service.Rare(f, "What to run", func(f *pflag.FlagSet) {
		f.StringArrayVar(&x.commands, "extractor-command", nil, "`NAME=COMMAND`: an extractor that is a program of its own, such as 'trafilatura=winnow-peers trafilatura' (see docs/reference/extractor-protocol.md); may be repeated")
	})
}

// RegisterAnswers adds the flag --answers to a command of the program winnow, which has the verb
// that gives the answers.
func (x *Programs) RegisterAnswers(f *pflag.FlagSet) {
	service.Rare(f, "What to run", func(f *pflag.FlagSet) {
		f.StringArrayVar(&x.answers, "answers", nil, "`NAME=RECORDING`: an extractor whose answers were recorded, in a file of JSON lines (.jsonl, .gz or .zst of it) or a folder of ID.txt (see docs/guide/recorded-answers.md). A page without an answer is skipped; with '?missing=empty' after RECORDING, nothing was found on it. May be repeated")
	})
}

// Extractors returns those of the suite and the programs.
func (x *Programs) Extractors() ([]*algorithms.Extractor, error) {
	var programs []*algorithms.Extractor
	add := func(flag, definition string, parse func(string) (*algorithms.Extractor, error)) error {
		e, err := parse(definition)
		if err != nil {
			return service.Usagef("--%s %w", flag, err)
		}
		taken := func(o *algorithms.Extractor) bool { return o.Name == e.Name }
		if slices.ContainsFunc(suite.Extractors(), taken) || slices.ContainsFunc(programs, taken) {
			return service.Usagef("--%s %s: there is another extractor of that name", flag, definition)
		}
		programs = append(programs, e)
		return nil
	}
	for _, definition := range x.commands {
		if err := add("extractor-command", definition, process.Parse); err != nil {
			return nil, err
		}
	}
	for _, definition := range x.answers {
		if err := add("answers", definition, recorded); err != nil {
			return nil, err
		}
	}
	return suite.With(programs...)
}

// recorded returns the extractor of a definition NAME=RECORDING: the verb answers of this program.
// The digest of the recording is part of the command, so that runs of two recordings are kept
// apart by their recipes.
func recorded(definition string) (*algorithms.Extractor, error) {
	name, recording, found := strings.Cut(definition, "=")
	recording, missing, settled := strings.Cut(recording, "?missing=")
	if !settled {
		missing = string(answers.Skip)
	}
	if !found || recording == "" || !algorithms.ProperName(name) || missing != string(answers.Skip) && missing != string(answers.Empty) {
		return nil, fmt.Errorf("%q: want NAME=RECORDING or NAME=RECORDING?missing=empty with a name of lower-case letters, digits and hyphens", definition)
	}
	digest, err := answers.Digest(recording)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := []string{program, "answers", "--missing=" + missing, "--digest=" + digest, recording}
	return process.Extractor(name, "gives the answers that are recorded in "+filepath.Base(recording), algorithms.Linear, command), nil
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
// before the work begins. log gets what they say about themselves. It returns Extractors.
func (x *Programs) Check(ctx context.Context, log *slog.Logger) ([]*algorithms.Extractor, error) {
	list, err := x.Extractors()
	if err != nil {
		return nil, err
	}
	processes := process.New(process.Options{})
	for _, e := range list {
		if e.Command == nil {
			continue
		}
		hello, err := processes.Check(ctx, e)
		if err != nil {
			return nil, fmt.Errorf("extractor %s: %w", e.Name, err)
		}
		log.Info("extractor is a program", "extractor", e.Name, "program", hello.Name, "version", hello.Version, "citation", hello.Citation)
	}
	return list, nil
}
