package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/api"
	"github.com/winnow/winnow/cmd/winnow/internal/serve"
	"github.com/winnow/winnow/pipeline/service"
)

func newAPICommand() *cobra.Command {
	var listen string
	var o api.Options
	cmd := &cobra.Command{
		Use:   "api [--listen HOST:PORT]",
		Short: "Answer HTTP requests with the main content of pages",
		Long: `Answer HTTP requests with the main content of pages:

  POST /extract        the page in the body, or in the part "page" of a form
  POST /extract/batch  a page in each line, as JSON; an answer in each line
  GET  /extract?url=   a page of a web server, with --fetch
  GET  /openapi.json   the description of these for programs
  GET  /healthz, /readyz, /metrics

The answer is plain text, Markdown, HTML or JSON, as the field Accept prefers. The query
has url, extractor, comments=auto|include|exclude, links=on|off and, for the text in
JSON, format=text|markdown|html. docs/guide/http.md shows requests and answers.

Requests beyond a limit are refused with 413 (page too large), 429 (too many requests
at once) or 503 (time over). Clients are not asked who they are: on other interfaces
than the loopback, put a proxy in front that does. After ctrl-C, requests that have
begun are answered.`,
		Example: `  winnow api
  curl --data-binary @examples/page.html -H 'Accept: text/markdown' http://127.0.0.1:8080/extract
  winnow api --listen :8080 --fetch`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := serve.CheckListen(listen); err != nil {
				return service.Usagef("--listen %q: %w", listen, err)
			}
			if o.MaxPage > 1<<28 {
				return service.Usagef("--max-page %s: want a size up to 256MiB, such as 16MiB", service.Bytes(o.MaxPage))
			}
			if o.AllowPrivate && !o.Fetch {
				return service.Usagef("--allow-private is for --fetch, which is not given")
			}
			return api.New(o).Serve(cmd.Context(), listen, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 is any free one")
	service.Group(f, "Limits", func(f *pflag.FlagSet) {
		request.RegisterCount(f, &o.Pages, "pages", 0, "how many pages are extracted at once; 0 is one for each processor")
		request.RegisterCount(f, &o.Requests, "requests", 32, "how many requests are in progress at once; others are refused with 429")
		request.RegisterSize(f, &o.MaxPage, "max-page", "16MiB", "largest `size` of a page")
		request.RegisterTime(f, &o.Time, "time", 30*time.Second, "how long a page may take to arrive, to wait for its turn, and to be extracted, each")
	})
	service.Group(f, "Pages by URL", func(f *pflag.FlagSet) {
		f.BoolVar(&o.Fetch, "fetch", false, "GET /extract?url= fetches pages from web servers at public addresses")
		f.BoolVar(&o.AllowPrivate, "allow-private", false, "also from this machine, and from addresses that only its network can reach")
	})
	return cmd
}
