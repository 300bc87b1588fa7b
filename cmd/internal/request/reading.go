package request

import (
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// Reading holds the flags that say how pages are read.
type Reading schemas.Reading

// Register adds the flags to a command.
func (r *Reading) Register(f *pflag.FlagSet) {
	service.Rare(f, "How pages are read", func(f *pflag.FlagSet) {
		RegisterChoice(f, &r.Hidden, "hidden", schemas.HiddenSkip, "text that the page itself hides: skip it, or show it as any other", schemas.HiddenSkip, schemas.HiddenShow)
		RegisterChoice(f, &r.Words, "words", schemas.WordsScript, "what a word is: by script (each character of Chinese, Japanese, Thai, ... is one), or by space", schemas.WordsScript, schemas.WordsSpace)
	})
}

// Options turns the flags into settings of pages.
func (r *Reading) Options() page.Options { return recipe.PageOptions(schemas.Reading(*r)) }
