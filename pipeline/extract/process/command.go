package process

import (
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms"
)

// Parse returns the extractor of a definition NAME=COMMAND, such as
// "justext=python3 justext.py". The command is divided into words at blanks; no shell reads
// it.
func Parse(definition string) (*algorithms.Extractor, error) {
	name, command, found := strings.Cut(definition, "=")
	words := strings.Fields(command)
	if !found || len(words) == 0 || !algorithms.ProperName(name) {
		return nil, fmt.Errorf("%q: want NAME=COMMAND with a name of lower-case letters, digits and hyphens, such as justext='python3 justext.py'", definition)
	}
	return Extractor(name, "runs the program "+words[0], algorithms.Superlinear, words), nil
}

// Extractor returns the extractor that runs a command.
func Extractor(name, doc string, cost algorithms.Cost, command []string) *algorithms.Extractor {
	return &algorithms.Extractor{
		Description: algorithms.Description{Name: name, Family: name, Doc: doc, Fidelity: algorithms.Wrapped, Cost: cost},
		Command:     command,
	}
}
