// Package htmldate stands in for github.com/markusmobius/go-htmldate, by which
// go-trafilatura finds the date of an article. Winnow asks go-trafilatura for no dates, and
// the date parser behind the real package builds 78 MB of tables of all languages before
// main begins: nine tenths of the start of every program that runs extractors.
//
// The go.mod of Winnow replaces the real module by this one. The package declares what
// go-trafilatura uses and nothing else.
package htmldate

import (
	"time"

	"golang.org/x/net/html"
)

// Options has the settings that go-trafilatura makes.
type Options struct {
	UseOriginalDate     bool
	SkipExtensiveSearch bool
	URL                 string
}

// Result is a date found.
type Result struct {
	DateTime time.Time
	HasTime  bool
}

// IsZero reports whether no date was found.
func (r Result) IsZero() bool { return r.DateTime.IsZero() }

// FromDocument panics: whoever asks go-trafilatura for dates must remove the replacement
// from go.mod first.
func FromDocument(*html.Node, Options) (Result, error) {
	panic("this program is built without go-htmldate: set HtmlDateMode to trafilatura.Disabled, or remove its replacement from go.mod")
}
