package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

//go:embed list.html
var listHTML string

// listPolicy is what a list of pages may do: apply its style sheet and send its form to
// the server that it came from.
var listPolicy = "default-src 'none'; style-src " + sourceHash(inspectStyle) + "; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

var listPage = template.Must(template.New("list").Funcs(template.FuncMap{
	"policy": func() string { return listPolicy },
	"style":  func() template.CSS { return template.CSS(inspectStyle) },
	"clean":  printable, "bytes": service.Bytes,
}).Parse(listHTML))

// pageList is a list of pages for a browser.
type pageList struct {
	Title, Note string
	Links       []link
	Search      *search // nil for a list that cannot be searched
	Figure      string  // heading of the figures; empty if there are none
	Rows        []listRow
}

// listRow is a page of a list.
type listRow struct {
	Target            string // of the link to the page
	Package, ID, URL  string
	Bytes             int64
	Outcome, FigureOf string
}

// inspectRun shows pages of a run: one that is named, or the worst ones as a small site.
func inspectRun(ctx context.Context, o inspectOptions, stdout io.Writer) error {
	if err := oneOf("format", o.format, "text", "html", "json"); err != nil {
		return err
	}
	switch {
	case o.worst > 0 && (o.doc != "" || o.pkg != ""):
		return service.Usagef("--worst chooses the pages: leave out --doc and --package")
	case o.worst > 0 && o.to == "":
		return service.Usagef("--worst writes a site: name its folder with --to")
	case o.worst <= 0 && o.doc == "":
		return service.Usagef("name a page of the run with --doc, or a number of pages with --worst")
	}
	client := blob.New(o.reach.Options())
	defer client.Close()
	store, m, err := openRun(ctx, client, o.run)
	if err != nil {
		return err
	}
	pages, err := newRunPages(ctx, client, store, m)
	if err != nil {
		return err
	}
	defer pages.Close()
	if o.worst > 0 {
		return unfinished(m, o.run, pages.writeSite(ctx, o, stdout))
	}
	rows, err := pages.find(ctx, o.pkg, o.doc)
	if err != nil {
		return unfinished(m, o.run, err)
	}
	switch len(rows) {
	case 0:
		return unfinished(m, o.run, fmt.Errorf("inspect: no page %s in the run: names are in its tables, columns package and doc_id", o.doc))
	case 1:
	default:
		var same candidates
		for i := range rows {
			same.addNames(rows[i].Package, rows[i].DocID, rows[i].URL)
		}
		return same.err(o.doc, blob.PublicURL(o.run))
	}
	v, err := pages.view(ctx, &rows[0])
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	return v.write(stdout, o.format, "")
}

// writeSite writes the worst pages and a list of them into a folder.
func (r *runPages) writeSite(ctx context.Context, o inspectOptions, stdout io.Writer) error {
	extractor, scorer, lower, err := parseBy(o.by, &r.m.Run.Recipe)
	if err != nil {
		return err
	}
	worst, err := r.worst(ctx, extractor, scorer, lower, o.worst)
	if err != nil {
		return err
	}
	if len(worst) == 0 {
		return fmt.Errorf("inspect: no page has a figure of %s by %s", extractor, scorer)
	}
	rows, err := r.locate(ctx, worst)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.to, 0o777); err != nil {
		return err
	}
	list := pageList{Title: fmt.Sprintf("Run %s: the worst pages of %s by %s", r.m.Run.ID, extractor, scorer), Figure: scorer,
		Note: fmt.Sprintf("%d pages, the worst first.", len(worst))}
	name := func(i int) string { return fmt.Sprintf("page-%04d.html", i+1) }
	for i := range rows {
		links := []link{{"index.html", "All pages"}}
		if i > 0 {
			links = append(links, link{name(i - 1), "Worse page"})
		}
		if i+1 < len(rows) {
			links = append(links, link{name(i + 1), "Better page"})
		}
		v, err := r.view(ctx, &rows[i])
		if err != nil {
			return fmt.Errorf("inspect: %w", err)
		}
		var page bytes.Buffer
		if err := v.html(&page, extractor, links...); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.to, name(i)), page.Bytes(), 0o666); err != nil {
			return err
		}
		list.Rows = append(list.Rows, listRow{Target: name(i), Package: rows[i].Package, ID: rows[i].DocID, URL: rows[i].URL, Bytes: rows[i].HTMLBytes, FigureOf: fmt.Sprintf("%.3f", worst[i].Figure)})
	}
	var page bytes.Buffer
	if err := listPage.Execute(&page, list); err != nil {
		return err
	}
	index := filepath.Join(o.to, "index.html")
	if err := os.WriteFile(index, page.Bytes(), 0o666); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d pages are in %s\n", len(rows), index)
	return err
}
