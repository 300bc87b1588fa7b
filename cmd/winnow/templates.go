package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// templatesOptions are the flags of the verb templates.
type templatesOptions struct {
	status string
	export string
	format string
}

func newTemplatesCommand() *cobra.Command {
	var o templatesOptions
	cmd := &cobra.Command{
		Use:   "templates OUT [SITE]",
		Short: "Show what site-level extractors learned about sites",
		Long: `Show what the site-level extractors of a run learned: for each site and extractor
whether there is a template, from how many pages, and how large it is. With a
SITE, show the same for that site alone, and the pages of its sample by their
ranks; with --export, write its templates as JSON, in which an extractor's own
bytes are base64.

OUT is the output folder of the run. While it is still learning, there is nothing
to show.

  ok             learned
  empty          learned, and nothing was found to be template
  too_few_pages  the site has too few pages that may be sampled
  oversize       the template would be over its size bound
  learn_failed   the extractor failed on the site's pages`,
		Example: `  winnow templates OUT
  winnow templates --status learn_failed --format json OUT
  winnow templates OUT example.org
  winnow templates --export example.org.json OUT example.org`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.templates(cmd.Context(), args, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	request.RegisterChoice(f, &o.status, "status", "", "only templates of this status",
		template.StatusOK, template.StatusEmpty, template.StatusTooFewPages, template.StatusOversize, template.StatusLearnFailed)
	f.StringVar(&o.export, "export", "", "write the templates of SITE to this `file`, - for standard output")
	request.RegisterChoice(f, &o.format, "format", "table", "table or json", "table", "json")
	return cmd
}

func (o *templatesOptions) templates(ctx context.Context, args []string, stdout io.Writer) error {
	switch {
	case len(args) == 0:
		return service.Usagef("OUT is missing, the output folder of a run")
	case len(args) > 2:
		return service.Usagef("one SITE at a time, not %d", len(args)-1)
	case len(args) == 1 && o.export != "":
		return service.Usagef("--export needs a SITE")
	}
	client := blob.New(blob.Options{})
	defer client.Close()
	store, m, err := openRun(ctx, client, args[0])
	switch {
	case err != nil:
		return err
	case m.Templates == nil || len(m.Templates.Items) > 0:
		return fmt.Errorf("%s has no templates; the run has no site-level extractor, or has not learned yet", store.URL())
	case len(args) == 1:
		return o.list(tables.TableRows(ctx, store, columnar.TemplateList, m), stdout)
	}
	return o.site(ctx, store, m, args[1], stdout)
}

// templateLine is a template in the JSON output.
type templateLine struct {
	Site     string   `json:"site"`
	Method   string   `json:"method"`
	Status   string   `json:"status"`
	Pages    int64    `json:"pages"`
	Linked   int64    `json:"linked,omitempty"`
	Bytes    int64    `json:"bytes"`
	Clusters int64    `json:"clusters,omitempty"`
	Flags    []string `json:"flags,omitempty"`
	ID       string   `json:"template_id,omitempty"`
	LearnNS  int64    `json:"learn_ns,omitempty"`

	// The fields below are given for a single site only.
	Version int        `json:"version,omitempty"`
	Learned *time.Time `json:"learned,omitempty"`
	Sample  []string   `json:"sample,omitempty"` // ranks
	Body    []byte     `json:"body,omitempty"`   // the template that the method learned, base64; in exports
}

func lineOf(r *schemas.TemplateRow) templateLine {
	l := templateLine{Site: r.Site, Method: r.Method, Status: r.Status, Pages: r.Pages, Linked: r.Linked, Bytes: r.Bytes, Clusters: r.Clusters,
		ID: r.TemplateID, LearnNS: r.LearnNS}
	if r.Flags != "" {
		l.Flags = strings.Split(r.Flags, ",")
	}
	return l
}

// list writes one line per template. It aligns the columns of one piece of the table at
// a time, because a crawl has millions of sites.
func (o *templatesOptions) list(rows iter.Seq2[*schemas.TemplateRow, error], stdout io.Writer) error {
	const piece = 500
	out := bufio.NewWriter(stdout)
	enc := json.NewEncoder(out)
	tw := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	n := 0
	for row, err := range rows {
		if err != nil {
			return err
		}
		if o.status != "" && row.Status != o.status {
			continue
		}
		if o.format == "json" {
			if err := enc.Encode(lineOf(row)); err != nil {
				return err
			}
			continue
		}
		if n == 0 {
			fmt.Fprintln(tw, "SITE\tMETHOD\tSTATUS\tPAGES\tBYTES\tTEMPLATE\tFLAGS")
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n", service.Printable(row.Site), row.Method, row.Status, row.Pages, row.Bytes, dash(row.TemplateID), dash(row.Flags))
		if n++; n%piece == 0 {
			if err := tw.Flush(); err != nil {
				return err
			}
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return out.Flush()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// site shows or exports what is known about one site.
func (o *templatesOptions) site(ctx context.Context, store blob.Store, m *schemas.Manifest, site string, stdout io.Writer) error {
	learned, index, reason, err := template.ReadSite(ctx, store, site)
	if err != nil {
		return err
	}
	if learned == nil {
		return fmt.Errorf("no page of a site %q was sampled (%s): 'winnow templates OUT' lists the sites there are", site, reason)
	}
	var lines []templateLine
	for i := range learned {
		t := &learned[i]
		if o.status != "" && t.Status != o.status {
			continue
		}
		row := t.Row(m.Run.ID, index.SiteBy, site)
		l := lineOf(&row)
		when := time.Unix(t.Learned, 0).UTC()
		l.Version, l.Learned = t.Version, &when
		if row.Sample != "" {
			l.Sample = strings.Split(row.Sample, ",")
		}
		if o.export != "" {
			l.Body = t.Body
		}
		lines = append(lines, l)
	}
	switch {
	case o.export == "-", o.export == "" && o.format == "json":
		return request.WriteJSON(stdout, lines)
	case o.export != "":
		var out bytes.Buffer
		if err := request.WriteJSON(&out, lines); err != nil {
			return err
		}
		return os.WriteFile(o.export, out.Bytes(), 0o666)
	}
	fmt.Fprintf(stdout, "site %s, by %s; %s\n\n", service.Printable(site), index.SiteBy, index.Sites)
	tw := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "METHOD\tSTATUS\tPAGES\tLINKED\tBYTES\tTEMPLATE\tLEARNED\tFLAGS")
	for _, l := range lines {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", l.Method, l.Status, l.Pages, l.Linked, l.Bytes, dash(l.ID),
			l.Learned.Format(time.DateOnly), dash(strings.Join(l.Flags, ",")))
	}
	return tw.Flush()
}
