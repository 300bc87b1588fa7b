package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/service"
)

// catalogue is a verb that lists what there is of a kind, or shows one of it.
type catalogue[T any] struct {
	name, short, long string
	list              func() []T
	id                func(T) string
	table             func(io.Writer, []T)
	one               func(T, io.Writer)
	bibtex            func(io.Writer, []T) error // nil if there is no such format
}

func (c catalogue[T]) command() *cobra.Command {
	var format string
	formats := []string{"table", "json"}
	example := fmt.Sprintf("  winnow %[1]s\n  winnow %[1]s %[2]s\n  winnow %[1]s --format json | jq '.[].citation'", c.name, c.id(c.list()[0]))
	if c.bibtex != nil {
		formats = append(formats, "bibtex")
		example += fmt.Sprintf("\n  winnow %s --format bibtex > winnow.bib", c.name)
	}
	cmd := &cobra.Command{
		Use: c.name + " [NAME]", Short: c.short, Long: c.long, Example: example,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactly("NAME")(cmd, args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			for _, id := range c.ids() {
				if len(args) == 0 && strings.HasPrefix(id, typed) {
					names = append(names, id)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			list := c.list()
			if len(args) > 0 {
				at := slices.Index(c.ids(), args[0])
				if at < 0 {
					return c.unknown(args[0])
				}
				list = list[at : at+1]
			}
			switch out := cmd.OutOrStdout(); {
			case format == "json":
				return request.WriteJSON(out, list)
			case format == "bibtex":
				return c.bibtex(out, list)
			case len(args) > 0:
				return request.Align(out, func(w io.Writer) { c.one(list[0], w) })
			default:
				return request.Align(out, func(w io.Writer) { c.table(w, list) })
			}
		},
	}
	request.RegisterChoice(cmd.Flags(), &format, "format", "table", strings.Join(formats, ", "), formats...)
	return cmd
}

func (c catalogue[T]) ids() (ids []string) {
	for _, m := range c.list() {
		ids = append(ids, c.id(m))
	}
	return ids
}

func (c catalogue[T]) unknown(name string) error {
	hint := ""
	if near := choose.Nearest(name, c.ids()); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return service.Usagef("%s: there is no %q%s: winnow %[1]s lists them", c.name, name, hint)
}

func (m method) id() string { return m.ID }

// write writes all that is known about the method.
func (m method) write(w io.Writer) {
	fmt.Fprintf(w, "%s  %s\n\n", m.ID, m.Doc)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	line("source", wholeCitation(m.Citation))
	line("fidelity", string(m.Fidelity)+": "+fidelities[m.Fidelity])
	line("reads", map[algorithms.Scope]string{algorithms.PageScope: "one page", algorithms.SiteScope: "several pages of a site"}[m.Scope])
	line("family", m.Family)
	line("time", map[string]string{string(algorithms.Linear): "linear in the page", string(algorithms.NLogN): "n log n in the page",
		string(algorithms.Superlinear): "more than n log n in the page"}[m.Cost])
	line("trained on", strings.Join(m.TrainedOn, ", "))
	if len(m.Settings) > 0 {
		fmt.Fprintf(w, "\nsettings, such as %s:%s=%s\n", m.ID, m.Settings[0].Name, cmp.Or(m.Settings[0].Value, "VALUE"))
	}
	for _, s := range m.Settings {
		fmt.Fprintf(w, "  %s=%s\t%s\n", s.Name, s.Value, s.Doc)
	}
	if len(m.Departures) > 0 {
		fmt.Fprint(w, "\ndepartures from the source, and choices that it leaves open\n")
	}
	for _, d := range m.Departures {
		fmt.Fprintf(w, "  - %s\n", d)
	}
}

// wholeCitation returns all that is known of a source.
func wholeCitation(c algorithms.Cite) string {
	text := fmt.Sprintf("%s: %s. %s, %d", c.Authors, c.Title, c.Venue, c.Year)
	if c.URL != "" {
		text += ". " + c.URL
	}
	return text
}

// write writes all that is known about the fact.
func (f factEntry) write(w io.Writer) {
	fmt.Fprintf(w, "%s  %s\n\n", f.ID, f.Doc)
	fmt.Fprintf(w, "source\t%s\n", wholeCitation(f.Citation))
	fmt.Fprintf(w, "by default\t%t\n", f.Default)
	for _, table := range []struct {
		name    string
		columns []factColumn
	}{{"pages", f.Pages}, {"documents", f.Documents}} {
		if len(table.columns) > 0 {
			fmt.Fprintf(w, "\ncolumns of %s\n", table.name)
		}
		for _, c := range table.columns {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", c.Name, strings.TrimSpace(c.Kind+" "+c.Unit), strings.TrimSuffix(c.Doc, ".")+"; null when "+c.Null+".")
		}
	}
}
