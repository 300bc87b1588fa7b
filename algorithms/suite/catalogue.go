package suite

import (
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms"
)

// Catalogue is the public list of methods, as Markdown, made from the values
// themselves. algorithms/README.md is this text; a test fails when it is stale.
func Catalogue() string {
	var b strings.Builder
	b.WriteString("# Methods\n\nWritten by `go test ./algorithms/suite -update`; not by hand.\n\n## Extractors\n\n")
	b.WriteString("| id | scope | fidelity | cost | what it does | parameters | source |\n|---|---|---|---|---|---|---|\n")
	for _, e := range Extractors() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n",
			e.Name, e.Scope(), e.Fidelity, e.Cost, cell(e.Doc), cell(params(e.Params)), cell(source(e.Cite)))
	}
	b.WriteString("\n## Scorers\n\n| id | fidelity | cost | package figure | what it measures | source |\n|---|---|---|---|---|---|\n")
	for _, s := range Scorers() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n",
			s.Name, s.Fidelity, s.Cost, s.Mean, cell(s.Doc), cell(source(s.Cite)))
	}
	b.WriteString("\n## Departures\n\nWhere a method is not, or may not be, exactly its authors'; the reasons are in its package documentation.\n")
	family := ""
	for _, e := range Extractors() {
		if len(e.Departures) == 0 || e.Family == family {
			continue
		}
		family = e.Family
		fmt.Fprintf(&b, "\n**%s**\n\n", family)
		for _, d := range e.Departures {
			fmt.Fprintf(&b, "- %s\n", d)
		}
	}
	return b.String()
}

func params(list []algorithms.Param) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, "`"+p.Name+"="+p.Value+"`")
	}
	return strings.Join(parts, " ")
}

func source(c algorithms.Cite) string {
	s := fmt.Sprintf("%s: %s. %s %d", c.Authors, c.Title, c.Venue, c.Year)
	if c.URL != "" {
		s += ", <" + c.URL + ">"
	}
	return s
}

// cell makes s fit into a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s)
}
