package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/serve"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

func newServeCommand() *cobra.Command {
	var listen string
	var reach request.Reach
	var programs request.Programs
	cmd := &cobra.Command{
		Use:   "serve [--listen HOST:PORT] OUT",
		Short: "Show the report and every page of a run in a browser",
		Long: `Serve the report of a run, a search over its pages, and the inspector, for a
browser on this machine. The run may still be going on: what it commits can be
searched a moment later.

The search finds pages by words of their id, URL, title and other facts and, if the
run has written texts, of the text of an extractor; by an expression over columns,
as that of winnow run --keep; and by outcome and score. It lists the pages on which
one extractor beats another, the clearest first. Some 300 bytes a page and 5 bytes a
page and extractor are in memory; words and expressions are looked for in the tables.

A page is read from the run's inputs when it is asked for, by its location, and the
run's extractors process it again; those of sites apply the templates that the run
learned.

On the loopback interface, which is the default, anyone on this machine may look.
On other interfaces the address that is printed has a token, without which nothing
is shown; the connection is not encrypted.`,
		Example: `  winnow serve OUT
  winnow serve --listen 127.0.0.1:9000 s3://bucket/run`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := serve.CheckListen(listen); err != nil {
				return service.Usagef("--listen %q: %w", listen, err)
			}
			extractors, err := programs.Extractors()
			if err != nil {
				return err
			}
			return serveRun(cmd.Context(), args[0], listen, extractors, reach.Options(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8321", "address to listen on; port 0 is any free one")
	programs.Register(cmd.Flags())
	programs.RegisterAnswers(cmd.Flags())
	reach.Register(cmd.Flags())
	return cmd
}

// serveRun serves the run in out until ctx ends.
func serveRun(ctx context.Context, out, listen string, extractors []*algorithms.Extractor, options blob.Options, stdout io.Writer) (err error) {
	client := blob.New(options)
	defer func() { err = errors.Join(err, client.Close()) }()
	store, m, err := openRun(ctx, client, out)
	if err != nil {
		return err
	}
	s, err := serve.New(ctx, client, store, m, extractors)
	if err != nil {
		return unfinished(m, out, err)
	}
	defer s.Close()
	return s.Serve(ctx, listen, stdout)
}
