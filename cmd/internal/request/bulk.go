package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Bulk is the flag --bulk, which describes the bulk form of texts.
type Bulk struct {
	Form schemas.Bulk
	flag settings
}

// Register adds the flag to a command.
func (b *Bulk) Register(f *pflag.FlagSet) {
	textTo := func(to *string) func(string) error {
		return func(value string) error {
			*to = value
			return b.Form.Check()
		}
	}
	b.Form = schemas.Bulk{Index: schemas.DefaultIndex, ID: schemas.IDText}
	b.flag = settings{flag: "bulk", separators: ",\n", width: 13, all: []setting{
		{"index", schemas.DefaultIndex, "name of the index", textTo(&b.Form.Index)},
		{"id", schemas.IDText, "id of a document: id tells all texts apart, url makes a later page of an address take the place of an earlier one", textTo(&b.Form.ID)},
		{"fields", "", "keys of the documents, such as url+title+text; without, they have all", func(value string) error {
			b.Form.Fields = append(b.Form.Fields, strings.Split(value, "+")...)
			return b.Form.Check()
		}},
	}}
	b.flag.register(f, "of the bulk form for Elasticsearch and OpenSearch; may be repeated, or a list separated by commas:")
}

// Given reports whether the flag was given, by the command line or the environment.
func (b *Bulk) Given() bool { return len(b.flag.given) > 0 }

// Of returns the bulk form of the texts of a recipe. It is an error if they do not have the
// fields.
func (b *Bulk) Of(r *schemas.Recipe) (*schemas.Bulk, error) {
	keys := columnar.LineKeys(r)
	for _, field := range b.Form.Fields {
		if !slices.Contains(keys, field) {
			return nil, fmt.Errorf("bulk fields=%s: texts have no such key: they have %s", field, strings.Join(keys, ", "))
		}
	}
	if b.Form.ID == schemas.IDURL && len(r.Extractors) > 1 {
		return nil, fmt.Errorf("bulk id=url: the texts of %d extractors would have the same ids: choose one extractor, or id=id", len(r.Extractors))
	}
	form := b.Form
	return &form, nil
}
