package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/schemas"
)

// method is an extractor or scorer as the catalogue shows it.
type method struct {
	ID         string           `json:"id"`
	Family     string           `json:"family,omitempty"`
	Scope      algorithms.Scope `json:"scope,omitempty"`
	Fidelity   string           `json:"fidelity"`
	Cost       string           `json:"cost"`
	Year       int              `json:"year"`
	Doc        string           `json:"doc"`
	Citation   citation         `json:"citation"`
	Departures []string         `json:"departures,omitempty"`
	Settings   []setting        `json:"settings,omitempty"`
	TrainedOn  []string         `json:"trained_on,omitempty"` // gold packages
}

type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as published, or as we chose where the source leaves it open
	Doc   string `json:"doc"`
}

func settingsOf(params []algorithms.Param) []setting {
	var out []setting
	for _, p := range params {
		out = append(out, setting(p))
	}
	return out
}

type citation struct {
	Authors string `json:"authors"`
	Title   string `json:"title"`
	Venue   string `json:"venue"`
	Year    int    `json:"year"`
	URL     string `json:"url,omitempty"`
}

func newExtractorsCommand() *cobra.Command {
	return newCatalogueCommand("extractors", "List the extractors", `List the extractors: their id for --extractors, what they read (a page, or
several pages of a site), how closely they follow the source, and where they
were published.

  exact          every step is stated by the source or read in its code
  partial        the source states the method but leaves choices open, which
                 were made here
  reconstructed  the core is rebuilt from descriptions
  wrapped        another project's library, called as it is

Settings follow the id: --extractors alarte-silva:c=4.`, func() []method {
		var list []method
		for _, e := range suite.Extractors() {
			list = append(list, method{e.Name, e.Family, e.Scope(), string(e.Fidelity), string(e.Cost), e.Cite.Year, e.Doc, citation(e.Cite), e.Departures, settingsOf(e.Params), e.AllTrainedOn()})
		}
		return list
	})
}

func newScorersCommand() *cobra.Command {
	return newCatalogueCommand("scorers", "List the scorers", `List the scorers that compare an extraction with the gold: their id for
--scorers, how closely they follow the source, and where they were published.`, func() []method {
		var list []method
		for _, s := range suite.Scorers() {
			list = append(list, method{s.Name, s.Family, "", string(s.Fidelity), string(s.Cost), s.Cite.Year, s.Doc, citation(s.Cite), nil, nil, nil})
		}
		return list
	})
}

// fact is a fact as the catalogue shows it.
type fact struct {
	ID        string       `json:"id"`
	Default   bool         `json:"default"`
	Cost      string       `json:"cost"`
	Doc       string       `json:"doc"`
	Pages     []factColumn `json:"pages,omitempty"`     // columns of the table pages
	Documents []factColumn `json:"documents,omitempty"` // columns of the table documents
	Citation  citation     `json:"citation"`
}

type factColumn struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc"`
	Null string `json:"null_when"`
}

func columnsOf(f *algorithms.Finder) []factColumn {
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
	var format string
	cmd := &cobra.Command{
		Use: "facts", Short: "List the facts of pages and texts",
		Long: `List the facts that a run can find of every page (columns of the table pages)
and of every extracted text (columns of the table documents): their id for
--facts, whether they are found by default, and their columns.`,
		Example: "  winnow facts\n  winnow facts --format json | jq '.[].pages'",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "table", "json"); err != nil {
				return err
			}
			var list []fact
			for _, f := range suite.Facts() {
				list = append(list, fact{f.Name, f.Default, string(f.Cost), f.Doc, columnsOf(f.Page), columnsOf(f.Text), citation(f.Cite)})
			}
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), list)
			}
			return writeFacts(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	return cmd
}

// writeFacts writes a line for each column. The JSON form has all fields.
func writeFacts(w io.Writer, list []fact) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ID\tDEFAULT\tCOLUMN\tKIND\tMEANING")
	for _, f := range list {
		line := func(table string, columns []factColumn) {
			for _, c := range columns {
				fmt.Fprintf(tw, "%s\t%t\t%s.%s\t%s\t%s\n", f.ID, f.Default, table, c.Name, c.Kind, schemas.Shorten(c.Doc, 100))
			}
		}
		line("pages", f.Pages)
		line("documents", f.Documents)
	}
	return tw.Flush()
}

func newCatalogueCommand(name, short, long string, list func() []method) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long,
		Example: fmt.Sprintf("  winnow %s\n  winnow %s --format json | jq '.[].citation'\n  winnow %s --format bibtex > winnow.bib", name, name, name),
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "table", "json", "bibtex"); err != nil {
				return err
			}
			switch format {
			case "json":
				return writeJSON(cmd.OutOrStdout(), list())
			case "bibtex":
				return writeBibTeX(cmd.OutOrStdout(), list())
			}
			return writeCatalogue(cmd.OutOrStdout(), list())
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table, json, or bibtex (an entry for each source)")
	return cmd
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// writeCatalogue writes the short form. The JSON form has all fields.
func writeCatalogue(w io.Writer, list []method) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	scoped := list[0].Scope != ""
	line := func(id, scope, fidelity, year, source, settings string) {
		if scoped {
			id += "\t" + scope
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", id, fidelity, year, source, settings)
	}
	line("ID", "SCOPE", "FIDELITY", "YEAR", "SOURCE", "SETTINGS")
	for _, m := range list {
		var settings []string
		for _, p := range m.Settings {
			settings = append(settings, p.Name+"="+schemas.Shorten(p.Value, 12))
		}
		line(m.ID, string(m.Scope), m.Fidelity, strconv.Itoa(m.Year), m.Citation.short(), cmp.Or(strings.Join(settings, " "), "-"))
	}
	return tw.Flush()
}

// short returns a citation such as "Finn et al., Fact or fiction", which is enough to
// find the paper.
func (c citation) short() string {
	authors, _, _ := strings.Cut(c.Authors, ";")
	first, others, many := strings.Cut(authors, ",")
	if many && strings.Contains(others, ",") {
		first += " et al."
	} else if many {
		first += " and" + others
	}
	title, _, _ := strings.Cut(c.Title, ":")
	return first + ", " + schemas.Shorten(title, 60)
}
