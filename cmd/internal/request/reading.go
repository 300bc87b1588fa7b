package request

import (
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// Reading holds the flags that say how pages are read.
type Reading struct{ Hidden, Words string }

// Register adds the flags to a command.
func (r *Reading) Register(f *pflag.FlagSet) {
	service.Rare(f, "How pages are read", func(f *pflag.FlagSet) {
		f.StringVar(&r.Hidden, "hidden", schemas.HiddenSkip, "text that the page itself hides: skip it, or show it as any other")
		f.StringVar(&r.Words, "words", schemas.WordsScript, "what a word is: by script (each character of Chinese, Japanese, Thai, ... is one), or by space")
	})
}

// Options turns the flags into settings of pages. A mistake in them is a
// service.UsageError.
func (r *Reading) Options() (page.Options, error) {
	reading, err := schemas.NewReading(r.Hidden, r.Words)
	if err != nil {
		return page.Options{}, service.UsageError{Err: err}
	}
	return recipe.PageOptions(reading), nil
}
