package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// templatesOptions are the flags of the verb templates.
type templatesOptions struct {
	broker request.Broker
	run    string
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
ranks; with --export, write its templates as they are stored, or with --format
json as JSON, in which an extractor's own bytes are base64.

OUT is the output folder of the run. While a run is going on, --run and --nats
look into the broker instead.

  ok             learned
  empty          learned, and nothing was found to be template
  too_few_pages  the site has too few pages that may be sampled
  oversize       the template would be over its size bound
  learn_failed   the extractor failed on the site's pages`,
		Example: `  winnow templates OUT
  winnow templates --status learn_failed --format json OUT
  winnow templates OUT example.org
  winnow templates --export example.org.json --format json OUT example.org
  winnow templates --run may --nats nats://nats:4222 example.org`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.templates(cmd.Context(), args, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.run, "run", "", "`id` of a run that is going on, with --nats")
	f.StringVar(&o.status, "status", "", "only templates of this status")
	f.StringVar(&o.export, "export", "", "write the templates of SITE to this `file`, - for standard output")
	f.StringVar(&o.format, "format", "table", "table or json")
	o.broker.Register(f, "`URL` of the broker of --run")
	return cmd
}

// templateSource is an output folder or a broker in which templates are looked up.
type templateSource interface {
	rows(ctx context.Context) iter.Seq2[*schemas.TemplateRow, error]
	bundle(ctx context.Context, site string) ([]byte, error)
}

func (o *templatesOptions) templates(ctx context.Context, args []string, stdout io.Writer) error {
	if err := oneOf("format", o.format, "table", "json"); err != nil {
		return err
	}
	if o.status != "" {
		if err := oneOf("status", o.status, template.StatusOK, template.StatusEmpty, template.StatusTooFewPages, template.StatusOversize, template.StatusLearnFailed); err != nil {
			return err
		}
	}
	if err := o.broker.Validate(); err != nil {
		return err
	}
	if (o.run != "") != (o.broker.URL != "") {
		return service.Usagef("--run and --nats go together")
	}
	var from templateSource
	if o.run != "" {
		if err := schemas.RunID(o.run).Check(); err != nil {
			return service.UsageError{Err: err}
		}
		q, err := o.broker.Dial(ctx, "winnow templates", nil)
		if err != nil {
			return err
		}
		defer q.Close()
		t, err := q.Templates(ctx, schemas.RunID(o.run))
		if err != nil {
			return err
		}
		from = inBroker{t, o.run}
	} else {
		if len(args) == 0 {
			return service.Usagef("OUT is missing, the output folder of a run")
		}
		client := blob.New(blob.Options{})
		defer client.Close()
		store, _, err := openRun(ctx, client, args[0])
		if err != nil {
			return err
		}
		from, args = inFolder{store}, args[1:]
	}
	switch {
	case len(args) > 1:
		return service.Usagef("one SITE at a time, not %d", len(args))
	case len(args) == 1 && o.export != "":
		data, err := from.bundle(ctx, args[0])
		if err != nil {
			return err
		}
		if o.format == "json" {
			if data, err = o.json(data); err != nil {
				return err
			}
		}
		if o.export == "-" {
			_, err := stdout.Write(data)
			return err
		}
		return os.WriteFile(o.export, data, 0o666)
	case o.export != "":
		return service.Usagef("--export needs a SITE")
	case len(args) == 1:
		return o.show(ctx, from, args[0], stdout)
	}
	return o.list(ctx, from, stdout)
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
	body    []byte
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
func (o *templatesOptions) list(ctx context.Context, from templateSource, stdout io.Writer) error {
	const piece = 500
	out := bufio.NewWriter(stdout)
	enc := json.NewEncoder(out)
	tw := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	n := 0
	for row, err := range from.rows(ctx) {
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

// show writes what is known about one site.
func (o *templatesOptions) show(ctx context.Context, from templateSource, site string, stdout io.Writer) error {
	data, err := from.bundle(ctx, site)
	if err != nil {
		return err
	}
	b, err := template.DecodeBundle(data)
	if err != nil {
		return err
	}
	lines := o.lines(b)
	if o.format == "json" {
		return writeJSON(stdout, lines)
	}
	fmt.Fprintf(stdout, "site %s, by %s; %s\n\n", service.Printable(b.Site), b.SiteBy, b.Sites)
	tw := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "METHOD\tSTATUS\tPAGES\tLINKED\tBYTES\tTEMPLATE\tLEARNED\tFLAGS")
	for _, l := range lines {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", l.Method, l.Status, l.Pages, l.Linked, l.Bytes, dash(l.ID),
			l.Learned.Format(time.DateOnly), dash(strings.Join(l.Flags, ",")))
	}
	return tw.Flush()
}

// lines returns the templates of a site.
func (o *templatesOptions) lines(b *template.Bundle) []templateLine {
	var lines []templateLine
	for i := range b.Templates {
		t := &b.Templates[i]
		if o.status != "" && t.Status != o.status {
			continue
		}
		l := lineOf(rowOf("", b, t))
		when := time.Unix(t.Learned, 0).UTC()
		l.Version, l.Learned = t.Version, &when
		for _, r := range t.Ranks {
			l.Sample = append(l.Sample, fmt.Sprintf("%016x", r))
		}
		l.body = t.Body
		lines = append(lines, l)
	}
	return lines
}

// json writes the templates of a site with what was learned, for other programs.
func (o *templatesOptions) json(data []byte) ([]byte, error) {
	b, err := template.DecodeBundle(data)
	if err != nil {
		return nil, err
	}
	lines := o.lines(b)
	for i := range lines {
		lines[i].Body = lines[i].body
	}
	var out bytes.Buffer
	err = writeJSON(&out, lines)
	return out.Bytes(), err
}

// rowOf returns the row of the templates table for a template of a bundle, without
// times.
func rowOf(run string, b *template.Bundle, t *template.Template) *schemas.TemplateRow {
	return &schemas.TemplateRow{Run: run, Site: b.Site, Method: t.Method, Status: t.Status, Pages: int64(len(t.Ranks)), Linked: int64(t.Linked),
		Bytes: int64(len(t.Body)), Clusters: int64(t.Clusters), Flags: strings.Join(t.Notes, ","), TemplateID: b.TemplateID(t),
		SiteBy: b.SiteBy, Version: int64(t.Version), Learned: t.Learned}
}

// inFolder looks templates up in the output folder of a run.
type inFolder struct{ store blob.Store }

func (f inFolder) rows(ctx context.Context) iter.Seq2[*schemas.TemplateRow, error] {
	return func(yield func(*schemas.TemplateRow, error) bool) {
		for row, err := range tables.Rows(ctx, f.store, columnar.Templates, schemas.TemplatesFile) {
			if errors.Is(err, blob.ErrNotFound) {
				err = f.none(err)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (f inFolder) none(err error) error {
	return fmt.Errorf("%s has no templates; the run has no site-level extractor, or has not learned yet: %w", f.store.URL(), err)
}

func (f inFolder) bundle(ctx context.Context, site string) ([]byte, error) {
	data, reason, err := template.ReadBundle(ctx, f.store, site)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return nil, f.none(err)
	case err == nil && data == nil:
		return nil, fmt.Errorf("no page of a site %q was sampled (%s): 'winnow templates OUT' lists the sites there are", site, reason)
	}
	return data, err
}

// inBroker looks templates up in the broker of a run that has not ended.
type inBroker struct {
	t   *queue.Templates
	run string
}

func (b inBroker) rows(ctx context.Context) iter.Seq2[*schemas.TemplateRow, error] {
	return func(yield func(*schemas.TemplateRow, error) bool) {
		sites, err := b.t.Sites(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		slices.Sort(sites)
		for _, site := range sites {
			data, err := b.t.Get(ctx, site)
			if err != nil {
				yield(nil, err)
				return
			}
			of, err := template.DecodeBundle(data)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range of.Templates {
				if !yield(rowOf(b.run, of, &of.Templates[i]), nil) {
					return
				}
			}
		}
	}
}

func (b inBroker) bundle(ctx context.Context, site string) ([]byte, error) {
	data, err := b.t.Get(ctx, site)
	if errors.Is(err, queue.ErrNotFound) {
		return nil, fmt.Errorf("nothing is known about site %q", site)
	}
	return data, err
}
