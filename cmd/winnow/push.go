package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/push"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/retry"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// pushOptions are the flags of the verb push.
type pushOptions struct {
	push.Options
	bulk    request.Bulk
	headers []string
	wait    time.Duration
}

func newPushCommand() *cobra.Command {
	var o pushOptions
	cmd := &cobra.Command{
		Use:   "push URL OUT",
		Short: "Send the texts of a run to Elasticsearch, OpenSearch or a server like them",
		Long: `Send the texts of a finished run to a search engine that has the bulk protocol of
Elasticsearch and OpenSearch. The run must have kept its texts as tables (--texts parquet)
or in the bulk form (--texts bulk), which is sent as it is, with the settings of the run.

Documents have ids, so one that is sent twice is in the index once. How far the push has
come is kept in OUT: if it is interrupted, the same command goes on. A request is retried
while the engine cannot be reached or is busy, and divided if it is too large. What the
engine refuses for good is listed, and the exit code is 3.

With --delete, the documents of pages of which this run has no text are deleted: pages that
are gone, if the run reads them (--status 200,404,410 --keep 'http_status = 200'), pages
without main content, and those that --keep or --respect-optout left out. Give --bulk
id=url then, so that the pages of another night have the same ids. Deletions are sent
first.`,
		Example: `  winnow push http://localhost:9200 out/news
  winnow push --bulk index=news,id=url,fields=url+title+text --delete https://search:9200 out/2026-03-01
  winnow push --header "Authorization: ApiKey $KEY" https://search:9200 s3://bucket/nightly/2026-03-01`,
		Args: exactly("URL", "OUT"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	o.bulk.Register(f)
	f.BoolVar(&o.Delete, "delete", false, "delete the documents of pages of which the run has no text")
	f.StringArrayVar(&o.headers, "header", nil, "`NAME: VALUE` of every request, such as 'Authorization: ApiKey ...'; may be repeated")
	request.RegisterSize(f, &o.Batch, "batch", "5MiB", "size of a request")
	request.RegisterTime(f, &o.wait, "retry-for", 10*time.Minute, "how long to wait for an engine that cannot be reached or is busy")
	f.BoolVar(&o.Again, "again", false, "send everything, also what was sent before")
	return cmd
}

func (o *pushOptions) run(cmd *cobra.Command, url, out string) error {
	ctx, words := cmd.Context(), cmd.ErrOrStderr()
	client := blob.New(blob.Options{})
	defer client.Close()
	store, m, err := openRun(ctx, client, out)
	if err != nil {
		return err
	}
	if m.Finished.IsZero() {
		return unfinished(m, out, errors.New("push: the run has no tables yet"))
	}
	if o.Form, err = o.form(&m.Run.Recipe); err != nil {
		return service.UsageError{Err: fmt.Errorf("push: %w", err)}
	}
	o.Options.URL, o.Headers = url, map[string]string{}
	for _, h := range o.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return service.Usagef("push: --header %q: want NAME: VALUE", h)
		}
		o.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	o.Rejected = func(id, reason string) {
		fmt.Fprintf(words, "rejected: %s: %s\n", service.Printable(id), service.Printable(reason))
	}
	o.Retry = retry.Policy{First: time.Second, Longest: 30 * time.Second, Spread: true, For: o.wait, Waiting: func(err error, pause time.Duration) {
		fmt.Fprintf(words, "push: waits %v: %s\n", pause.Round(time.Second), service.Printable(err.Error()))
	}}
	state, err := push.Run(ctx, store, m, o.Options)
	if state != nil {
		fmt.Fprintf(cmd.OutOrStdout(), "%s of index %s: %d indexed, %d deleted, %d rejected\n", state.URL, state.Form.Index, state.Indexed, state.Deleted, state.Rejected)
	}
	if err != nil {
		return err
	}
	if state.Rejected > 0 {
		return service.RefusedError{Records: state.Rejected}
	}
	return nil
}

// form returns the bulk form in which the texts of a run are sent.
func (o *pushOptions) form(r *schemas.Recipe) (*schemas.Bulk, error) {
	switch r.Texts {
	case schemas.TextsBulk:
		if o.bulk.Given() {
			return nil, errors.New("--bulk: the run has written its texts in the bulk form, with its own settings: leave it out, or run again with --texts parquet")
		}
		return r.Bulk, nil
	case schemas.TextsParquet:
		return o.bulk.Of(r)
	case "":
		return nil, errors.New("the run kept no texts: run again with --texts parquet or bulk")
	}
	return nil, fmt.Errorf("the run kept its texts as %s: run again with --texts parquet or bulk", r.Texts)
}
