package inspector

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/winnow/winnow/pipeline/report/sheet"
	"github.com/winnow/winnow/pipeline/service"
)

var (
	//go:embed list.html
	listHTML string
	//go:embed progress.js
	progressScript string
)

// listPolicy is what a list of pages may do: apply its style sheet and send its form to
// the server that it came from. That of a run that goes on may run its script, too, which
// asks this server how far the run has come.
func listPolicy(progress string) string {
	policy := "default-src 'none'; style-src " + sheet.Hash(inspectStyle) + "; base-uri 'none'; form-action 'self'"
	if progress != "" {
		policy += "; script-src " + sheet.Hash(progressScript) + "; connect-src 'self'"
	}
	return policy
}

var listPage = template.Must(template.New("list").Funcs(template.FuncMap{
	"policy": listPolicy,
	"script": func() template.JS { return template.JS(progressScript) },
	"style":  func() template.CSS { return template.CSS(inspectStyle) },
	"clean":  service.Printable, "kib": func(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1024) },
}).Parse(listHTML))

// List is a list of pages for a browser.
type List struct {
	Title, Note string
	Progress    string // how far the run has come; empty if it has ended
	Links       []Link
	Search      *Search  // nil for a list that cannot be searched
	Figures     []string // headings of the figures of a row
	Rows        []ListRow
}

// ListRow is a page of a list.
type ListRow struct {
	Target           string // target of the Link to the page
	Package, ID, URL string
	Title            string
	Found            string // words of the text around what was searched for
	Bytes            int64
	Outcome          string
	Figures          []string
}

// Search is what a list was searched for, and what it may be searched for.
type Search struct {
	Text, Where, Package, Extractor, Against, Outcome, From, To, Sort string
	Packages, Extractors, Outcomes                                    []string
	Sorted                                                            string // the figure of From, To and Sort
	Wrong                                                             string // why the search cannot be done
	Before, After                                                     string // targets of links; empty without one
}

// HTML writes the list for a browser.
func (l *List) HTML(w io.Writer) error { return listPage.Execute(w, l) }
