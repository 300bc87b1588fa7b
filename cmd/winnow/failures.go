package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/failures"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// failuresOptions are the flags of the verb failures.
type failuresOptions struct {
	failures.Options
	broker request.Broker
	run    string
	items  bool
	format request.Format
}

func newFailuresCommand() *cobra.Command {
	var o failuresOptions
	cmd := &cobra.Command{
		Use:   "failures OUT [ITEM] | failures --nats URL [ITEM]",
		Short: "Show what a run could not do: reasons, files, extractors, examples",
		Long: `Show what a run could not do, finished or not, grouped by stage, reason and extractor:

  file      input files that were refused when the run was planned
  item      ranges of a file that were given up
  record    records that ended the process of a worker
  read      bytes that are damaged, or in no record (winnow doctor FILE shows all of a file)
  payload   records whose content could not be decoded
  page      pages that could not be parsed
  extract   pages on which an extractor failed (winnow inspect --run OUT --doc ID shows one)

A group names the files with the most failures, and some examples.

--items lists what was given up instead, and with ITEM, the id of an item or the name of a
file, all that is known of it is shown: items, records that ended the process of a worker
again and again, and input files that were refused. With --nats they are read from a
broker, which keeps them for 90 days, also of runs that are over and of workers that are
still at work. 'winnow run --retry-failed OUT' does them again.`,
		Example: `  winnow failures tables
  winnow failures --file crawl-00012.warc.gz --examples 20 tables
  winnow failures --items tables
  winnow failures tables f00003-i00012
  winnow failures --nats nats://nats:4222 --run may
  winnow failures --format json s3://bucket/nightly/2026-03-01 | jq '.groups[] | {reason, failures}'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			want, item := []string{"OUT"}, ""
			if o.broker.URL != "" {
				want = nil
			}
			if len(args) > len(want) {
				item = args[len(want)]
				want = append(want, "ITEM")
			}
			if err := exactly(want...)(cmd, args); err != nil {
				return service.Usagef("failures: %w", err)
			}
			if err := o.broker.Validate(); err != nil {
				return err
			}
			if o.items || item != "" || o.broker.URL != "" {
				return o.showItems(cmd.Context(), cmd.OutOrStdout(), args, item)
			}
			return o.show(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.File, "file", "", "of this input file only: its URL, or the end of it")
	f.BoolVar(&o.items, "items", false, "list items, records and files that were given up, instead of groups of failures")
	request.RegisterCount(f, &o.Examples, "examples", 3, "of each group")
	f.StringVar(&o.run, "run", "", "with --nats: of the run of this `id` only (default all)")
	o.format.Register(f)
	o.broker.Register(f, "`URL` of a broker whose dead letters are meant, instead of OUT")
	return cmd
}

// show writes what a run could not do.
func (o *failuresOptions) show(ctx context.Context, w io.Writer, out string) error {
	client := blob.New(blob.Options{})
	defer client.Close()
	store, m, err := openRun(ctx, client, out)
	if err != nil {
		return err
	}
	result, err := failures.Of(ctx, store, m, o.Options)
	if err != nil {
		return err
	}
	selected := func(f schemas.File) bool { return o.Selects(f.URL) }
	if o.File != "" && result.Failures == 0 && !slices.ContainsFunc(m.Run.Files, selected) {
		return service.Usagef("--file %q: the run has no input file of this name; 'winnow report --table files OUT' has all", o.File)
	}
	return o.format.Print(w, result, func(w io.Writer) { printFailures(w, result, out) })
}

// filesShown is the number of files that the text names of a group; JSON has all.
const filesShown = 5

func printFailures(w io.Writer, r *failures.Result, out string) {
	state := ""
	if !r.Finished {
		state = ", not finished"
	}
	fmt.Fprintf(w, "run %s in %s%s: %s\n", r.Run, service.Printable(r.Out), state, account.Count(r.Failures, "failure"))
	if len(r.Groups) == 0 {
		return
	}
	fmt.Fprintln(w, "\nFAILURES\tSTAGE\tREASON\tEXTRACTOR\tSEVERITY\tBYTES\tFILES")
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\n", g.Failures, g.Stage, service.Printable(g.Reason), g.Extractor, g.Severity, g.Bytes, len(g.Files))
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(g.Stage+" "+service.Printable(g.Reason)+" "+g.Extractor))
		for _, f := range g.Files[:min(len(g.Files), filesShown)] {
			fmt.Fprintf(w, "  %d in %s\n", f.Failures, service.Printable(f.File))
		}
		if n := len(g.Files) - filesShown; n > 0 {
			fmt.Fprintf(w, "  and %s\n", account.Count(n, "more file"))
		}
		for _, e := range g.Examples {
			fmt.Fprintf(w, "  %s\n", lookAt(g.Stage, &e, out))
		}
	}
}

// lookAt describes an example, with the command that shows more of it if there is one.
func lookAt(stage string, e *failures.Example, out string) string {
	if stage == failures.StageExtract {
		return fmt.Sprintf("%s: winnow inspect --run %s --doc %s", service.Printable(e.URL), quoted(out), quoted(e.Package+"/"+e.DocID))
	}
	text := fmt.Sprintf("offset %d, %s", e.Offset, account.Count(e.Length, "byte"))
	if e.Detail != "" {
		first, _, _ := strings.Cut(e.Detail, "\n")
		text += ": " + service.Printable(first)
	}
	if stage == "read" {
		text += ": winnow doctor " + quoted(e.File)
	}
	return text
}
