package request

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source"
)

// Selecting holds the flags that say which records of the inputs are read: how indexes
// select records, and which records are pages besides responses and resources.
type Selecting struct {
	Base        string
	Conversions bool
	source.SelectorOptions
}

// Register adds the flags to a command.
func (s *Selecting) Register(f *pflag.FlagSet) {
	service.Group(f, "Selection", s.registerSelect)
	service.Rare(f, "Input", func(f *pflag.FlagSet) {
		f.StringVar(&s.Base, "base", "", "`folder` or URL that names in list files (*.paths, *.paths.gz) and indexes (*.cdxj, *.cdx, *.parquet, *.csv, *.gz of them) are relative to (default the folder of the list or index)")
		f.BoolVar(&s.Whole, "whole-collections", false, "read every record of WACZ collections, also those that the indexes in them do not name")
		f.BoolVar(&s.Conversions, "conversions", false, "conversion records of HTML are pages, too: what another program has made of a page")
	})
}

func (s *Selecting) registerSelect(f *pflag.FlagSet) {
	textTo := func(to *string) func(string) error {
		return func(value string) error { *to = value; return nil }
	}
	listTo := func(to *[]string, separator string) func(string) error {
		return func(value string) error {
			*to = append(*to, strings.Split(value, separator)...)
			return nil
		}
	}
	x := settings{flag: "select", separators: "\n", width: 10, all: []setting{
		{"url", "", "its URL begins so, or as another url that is given", listTo(&s.URLs, "\n")},
		{"url-match", "", "this regular expression occurs in its URL", textTo(&s.URLMatch)},
		{"mime", "", "media types, such as text/html,application/xhtml+xml or text/*", listTo(&s.MIMEs, ",")},
		{"status", "", "HTTP statuses, such as 200,404 or 4xx (see --status, too)", listTo(&s.Statuses, ",")},
		{"from", "", "from this date on, such as 2024 or 2024-01-31", textTo(&s.From)},
		{"to", "", "up to the end of this date, such as 2024-02", textTo(&s.To)},
	}}
	f.StringVar(&s.Where, "where", "", "of an index that is a table (.parquet, .csv), read only records whose row fulfils this `expression` over its columns, such as \"content_languages = 'deu' and url_host_tld = 'at'\"")
	x.register(f, "of an index, read only records that fulfil all; may be repeated:")
	formerly := map[string]string{}
	for _, setting := range x.all {
		formerly["select-"+setting.name] = "--select " + setting.name + "=VALUE"
	}
	service.Formerly(f, formerly)
}

// Selector returns the selection that the flags describe.
func (s *Selecting) Selector() (source.Selector, error) {
	if s.Where != "" {
		if _, err := keep.NewWhere(s.Where, nil); err != nil { // tables have columns of their own
			return source.Selector{}, service.Usagef("--%w", err)
		}
	}
	selector, err := source.NewSelector(s.SelectorOptions)
	if err != nil {
		return selector, service.Usagef("--select: %w", err)
	}
	return selector, nil
}
