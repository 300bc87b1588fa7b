package request

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/service"
)

// Choice is the value of a flag that takes one of a few words.
type Choice struct {
	Words []string

	flag string
	word *string
}

// RegisterChoice adds a flag that takes one of a few words, and refuses others.
func RegisterChoice(f *pflag.FlagSet, word *string, flag, initial, usage string, words ...string) {
	*word = initial
	f.Var(&Choice{words, flag, word}, flag, usage)
}

// Set implements pflag.Value.
func (c *Choice) Set(word string) error {
	if !slices.Contains(c.Words, word) {
		return service.Usagef("--%s %q: want one of %s", c.flag, word, strings.Join(c.Words, ", "))
	}
	*c.word = word
	return nil
}

// String implements pflag.Value.
func (c *Choice) String() string {
	if c.word == nil {
		return ""
	}
	return *c.word
}

// Type implements pflag.Value.
func (c *Choice) Type() string { return "word" }
