package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/schemas"
)

// method is an extractor or scorer as the catalogue shows it.
type method struct {
	ID         string              `json:"id"`
	Family     string              `json:"family,omitempty"`
	Scope      algorithms.Scope    `json:"scope,omitempty"`
	Fidelity   algorithms.Fidelity `json:"fidelity"`
	Cost       string              `json:"cost"`
	Year       int                 `json:"year"`
	Doc        string              `json:"doc"`
	Citation   algorithms.Cite     `json:"citation"`
	Departures []string            `json:"departures,omitempty"`
	Settings   []algorithms.Param  `json:"settings,omitempty"`
	TrainedOn  []string            `json:"trained_on,omitempty"` // gold packages
}

// fidelities are the meanings of method.Fidelity.
var fidelities = map[algorithms.Fidelity]string{
	algorithms.Exact:         "every step is stated by the source or read in its code",
	algorithms.Partial:       "the source states the method but leaves choices open, which were made here",
	algorithms.Reconstructed: "the core is rebuilt from descriptions",
	algorithms.Wrapped:       "another project's program, run as it is",
	algorithms.Experimental:  "a new method, or one not yet compared with its source",
}

func newExtractorsCommand() *cobra.Command {
	return catalogue[method]{
		name: "extractors", short: "List the extractors, or show one", long: `List the extractors: their id for --extractors, what they read (a page, or
several pages of a site), how closely they follow the source, and where they
were published. With a NAME, show all that is known of this one: what it does, its
settings with their defaults and meaning, and where it departs from the source.

  exact          ` + fidelities[algorithms.Exact] + `
  partial        the source states the method but leaves choices open, which
                 were made here
  reconstructed  ` + fidelities[algorithms.Reconstructed] + `
  wrapped        ` + fidelities[algorithms.Wrapped] + `
  experimental   ` + fidelities[algorithms.Experimental] + `

Settings follow the id: --extractors alarte-silva:c=4.`,
		list: func() (list []method) {
			for _, e := range suite.Extractors() {
				list = append(list, method{e.Name, e.Family, e.Scope(), e.Fidelity, string(e.Cost), e.Cite.Year, e.Doc, e.Cite, e.Departures, e.Params, e.AllTrainedOn()})
			}
			return list
		},
		id: method.id, table: writeCatalogue, one: method.write, bibtex: writeBibTeX,
	}.command()
}

func newScorersCommand() *cobra.Command {
	return catalogue[method]{
		name: "scorers", short: "List the scorers, or show one", long: `List the scorers that compare an extraction with the gold: their id for
--scorers, how closely they follow the source, and where they were published. With
a NAME, show all that is known of this one.`,
		list: func() (list []method) {
			for _, s := range suite.Scorers() {
				list = append(list, method{s.Name, s.Family, "", s.Fidelity, string(s.Cost), s.Cite.Year, s.Doc, s.Cite, s.Departures, s.Params, nil})
			}
			return list
		},
		id: method.id, table: writeCatalogue, one: method.write, bibtex: writeBibTeX,
	}.command()
}

// factEntry is a fact as the catalogue shows it.
type factEntry struct {
	ID        string          `json:"id"`
	Default   bool            `json:"default"`
	Cost      string          `json:"cost"`
	Doc       string          `json:"doc"`
	Pages     []factColumn    `json:"pages,omitempty"`     // columns of the table pages
	Documents []factColumn    `json:"documents,omitempty"` // columns of the table documents
	Citation  algorithms.Cite `json:"citation"`
}

type factColumn struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc"`
	Null string `json:"null_when"`
}

func columnsOf(f *fact.Finder) []factColumn {
	if f == nil {
		return nil
	}
	var out []factColumn
	for _, c := range f.Columns {
		out = append(out, factColumn{c.Name, string(c.Kind), c.Unit, c.Doc, c.Null})
	}
	return out
}

func newFactsCommand() *cobra.Command {
	return catalogue[factEntry]{
		name: "facts", short: "List the facts of pages and texts, or show one",
		long: `List the facts that a run can find of every page (columns of the table pages)
and of every extracted text (columns of the table documents): their id for
--facts, whether they are found by default, and their columns. With a NAME, show
all that is known of this one.`,
		list: func() (list []factEntry) {
			for _, f := range suite.Facts() {
				list = append(list, factEntry{f.Name, f.Default, string(f.Cost), f.Doc, columnsOf(f.Page), columnsOf(f.Text), f.Cite})
			}
			return list
		},
		id: func(f factEntry) string { return f.ID }, table: writeFacts, one: factEntry.write,
	}.command()
}

// writeFacts writes a line for each column. The JSON form has all fields.
func writeFacts(w io.Writer, list []factEntry) {
	fmt.Fprintln(w, "ID\tDEFAULT\tCOLUMN\tKIND\tMEANING")
	for _, f := range list {
		line := func(table string, columns []factColumn) {
			for _, c := range columns {
				fmt.Fprintf(w, "%s\t%t\t%s.%s\t%s\t%s\n", f.ID, f.Default, table, c.Name, c.Kind, schemas.Shorten(c.Doc, 101))
			}
		}
		line("pages", f.Pages)
		line("documents", f.Documents)
	}
}

// writeCatalogue writes the short form. The JSON form has all fields.
func writeCatalogue(w io.Writer, list []method) {
	scoped := list[0].Scope != ""
	line := func(id, scope, fidelity, year, source, settings string) {
		if scoped {
			id += "\t" + scope
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", id, fidelity, year, source, settings)
	}
	line("ID", "SCOPE", "FIDELITY", "YEAR", "SOURCE", "SETTINGS")
	for _, m := range list {
		var settings []string
		for _, p := range m.Settings {
			settings = append(settings, p.Name+"="+schemas.Shorten(p.Value, 13))
		}
		line(m.ID, string(m.Scope), string(m.Fidelity), strconv.Itoa(m.Year), shortCitation(m.Citation), cmp.Or(strings.Join(settings, " "), "-"))
	}
}

// shortCitation returns a citation such as "Finn et al., Fact or fiction", which is enough to
// find the paper.
func shortCitation(c algorithms.Cite) string {
	authors, _, _ := strings.Cut(c.Authors, ";")
	first, others, many := strings.Cut(authors, ",")
	if many && strings.Contains(others, ",") {
		first += " et al."
	} else if many {
		first += " and" + others
	}
	title, _, _ := strings.Cut(c.Title, ":")
	return first + ", " + schemas.Shorten(title, 61)
}
