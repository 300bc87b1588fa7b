package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/failures"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// deadOptions say which dead letters are meant: those of an output folder, or those that a
// broker holds.
type deadOptions struct {
	broker request.Broker
	run    string
	format string
}

func (o *deadOptions) register(f *pflag.FlagSet) {
	o.broker.Register(f, "`URL` of a broker whose dead letters are meant, instead of OUT")
	f.StringVar(&o.run, "run", "", "with --nats: of the run of this `id` only (default all)")
	f.StringVar(&o.format, "format", "text", "text or json")
}

func newDeadCommand() *cobra.Command {
	cmd := newDeadListCommand()
	cmd.Use = "dead [list|show|retry] OUT"
	cmd.Short = "Dead letters: list, show and retry what a run gave up"
	cmd.Long = `Dead letters are about what a run gave up: items, records that ended the process of a
worker again and again, and input files that were refused. They are read from an output
folder, or with --nats from a broker, which keeps them for 90 days, also of runs that are
over and of workers that are still at work.

` + cmd.Long
	cmd.Example += `
  winnow dead show tables f00003-i00012
  winnow dead retry tables --out tables-again`
	cmd.AddCommand(newDeadListCommand(), newDeadShowCommand(), newDeadRetryCommand())
	return cmd
}

func newDeadListCommand() *cobra.Command {
	var o deadOptions
	cmd := &cobra.Command{
		Use:   "list OUT | list --nats URL",
		Short: "List dead letters",
		Long:  `Without a further verb, the dead letters are listed.`,
		Example: `  winnow dead list tables
  winnow dead list --nats nats://nats:4222 --run may
  winnow dead list --format json tables | jq '.[] | {file, offset, reason}'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			letters, err := o.letters(cmd.Context(), args)
			if err != nil {
				return err
			}
			if o.format == "json" {
				return writeJSON(cmd.OutOrStdout(), letters)
			}
			return printLetters(cmd.OutOrStdout(), letters)
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func newDeadShowCommand() *cobra.Command {
	var o deadOptions
	cmd := &cobra.Command{
		Use:   "show OUT ITEM | show --nats URL ITEM",
		Short: "Show all that the dead letters of an item or a file say",
		Example: `  winnow dead show tables f00003-i00012
  winnow dead show tables crawl-00012.warc.gz
  winnow dead show --nats nats://nats:4222 --run may f00003-i00012`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args, "ITEM"); err != nil {
				return err
			}
			all, err := o.letters(cmd.Context(), args)
			if err != nil {
				return err
			}
			name := args[len(args)-1]
			letters := []failures.Letter{}
			for _, l := range all {
				if string(l.Item) == name || l.File == name || schemas.FileNames(l.File)[0] == name || schemas.FileNames(l.File)[1] == name {
					letters = append(letters, l)
				}
			}
			if len(letters) == 0 {
				return fmt.Errorf("dead: no dead letter is about %s: 'winnow dead list' has all", name)
			}
			if o.format == "json" {
				return writeJSON(cmd.OutOrStdout(), letters)
			}
			for i := range letters {
				printLetter(cmd.OutOrStdout(), &letters[i])
			}
			return nil
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func newDeadRetryCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "retry OUT [--run ID] [--out NEW]",
		Short: "Do again what a finished run gave up (winnow run --retry-failed OUT)",
		Long: `Do again what the finished run in OUT gave up, as a run of its own with the settings of
that run. It is the same as 'winnow run --retry-failed OUT'; on a cluster,
'ingest --retry-failed OUT' publishes such a run.`,
		Example: `  winnow dead retry tables --out tables-again
  winnow dead retry s3://bucket/may --run may-again --out s3://bucket/may-again`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.request.RetryFailed = args[0]
			return o.run(cmd.Context(), nil, cmd.Flags(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if o.request.Describes(f.Name) && f.Name != "run" && f.Name != "out" && f.Name != "item-size" {
			f.Hidden = true // such a flag is refused, because the settings are those of the run
		}
	})
	return cmd
}

// check verifies the arguments: OUT, unless a broker is given, and what follows it. The
// broker may be given by the environment, which is not known before the command runs.
func (o *deadOptions) check(cmd *cobra.Command, args []string, more ...string) error {
	want := more
	if o.broker.URL == "" {
		want = append([]string{"OUT"}, more...)
	}
	if err := exactly(want...)(cmd, args); err != nil {
		return service.Usagef("dead: %w", err)
	}
	if err := o.broker.Validate(); err != nil {
		return err
	}
	return oneOf("format", o.format, "text", "json")
}

func (o *deadOptions) letters(ctx context.Context, args []string) ([]failures.Letter, error) {
	if o.broker.URL == "" {
		if o.run != "" {
			return nil, service.Usagef("--run is for --nats: an output folder holds one run")
		}
		client := blob.New(blob.Options{})
		defer client.Close()
		store, m, err := openRun(ctx, client, args[0])
		if err != nil {
			return nil, err
		}
		return failures.Letters(ctx, store, m)
	}
	q, err := o.broker.Dial(ctx, "winnow dead", slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer q.Close()
	letters := []failures.Letter{}
	var unreadable error
	for d, err := range q.DeadLetters(ctx, schemas.RunID(o.run)) {
		if err != nil {
			unreadable = errors.Join(unreadable, err)
			continue
		}
		letters = append(letters, failures.FromDead(d))
	}
	return letters, unreadable
}

func printLetters(w io.Writer, letters []failures.Letter) error {
	if len(letters) == 0 {
		_, err := fmt.Fprintln(w, "no dead letters")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RUN\tITEM\tFILE\tOFFSET\tBYTES\tSTAGE\tREASON\tATTEMPTS")
	for i := range letters {
		l := &letters[i]
		item := string(l.Item)
		if item == "" {
			item = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%d\n", l.Run, item, service.Printable(l.File), l.Offset, l.Length, service.Printable(l.Stage), service.Printable(l.Reason), l.Attempts)
	}
	return t.Flush()
}

func printLetter(w io.Writer, l *failures.Letter) {
	fmt.Fprintf(w, "run %s, item %s\nfile %s, offset %d, %s\nstage %s, reason %s, %s",
		l.Run, l.Item, service.Printable(l.File), l.Offset, account.Count(l.Length, "byte"), service.Printable(l.Stage), service.Printable(l.Reason), account.Count(l.Attempts, "attempt"))
	if !l.Time.IsZero() {
		fmt.Fprintf(w, ", given up %s", l.Time.Format(time.RFC3339))
	}
	fmt.Fprintf(w, "\n%s\n", service.Printable(l.Detail))
}
