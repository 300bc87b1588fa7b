package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/internal/runs"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// runsOptions say which runs are meant: those of output folders, or those of a broker.
type runsOptions struct {
	broker request.Broker
	format request.Format
}

func (o *runsOptions) register(f *pflag.FlagSet) {
	o.format.Register(f)
	o.broker.Register(f, "`URL` of a broker whose runs are meant, instead of folders")
}

// check verifies the arguments: one, which folder describes, or with a broker queued.
func (o *runsOptions) check(cmd *cobra.Command, args []string, folder string, queued ...string) error {
	want := queued
	if o.broker.URL == "" {
		want = []string{folder}
	}
	if err := exactly(want...)(cmd, args); err != nil {
		return service.Usagef("runs: %w", err)
	}
	return o.broker.Validate()
}

func (o *runsOptions) dial(ctx context.Context) (*queue.Queue, error) {
	return o.broker.Dial(ctx, "winnow runs", slog.New(slog.DiscardHandler))
}

func newRunsCommand() *cobra.Command {
	cmd := newRunsListCommand()
	cmd.Use = "runs [list|status|show|cancel|delete] ROOT"
	cmd.Short = "List, watch, show, cancel and delete the runs of a folder or a broker"
	cmd.Long = `List runs, tell how far one has come, show all about it, cancel or delete it. Without a
further verb, they are listed.

A run of one machine or of a cluster has an output folder: ROOT is a folder of such
folders, or one itself. A broker (--nats) holds the runs that are not finished.`
	cmd.Example += `
  winnow runs status --watch tables/monday
  winnow runs show tables/monday
  winnow runs cancel tables/monday
  winnow runs delete --yes tables/monday`
	cmd.AddCommand(newRunsListCommand(), newRunsStatusCommand(), newRunsShowCommand(), newRunsCancelCommand(), newRunsDeleteCommand())
	return cmd
}

func newRunsListCommand() *cobra.Command {
	var o runsOptions
	cmd := &cobra.Command{
		Use:   "list ROOT | list --nats URL",
		Short: "List the runs of a folder or a broker",
		Example: `  winnow runs list tables
  winnow runs list --format json s3://bucket/nightly | jq '.[] | select(.dead > 0)'
  winnow runs list --nats nats://nats:4222`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args, "ROOT"); err != nil {
				return err
			}
			ctx, w := cmd.Context(), cmd.OutOrStdout()
			if o.broker.URL != "" {
				return o.listQueued(ctx, w)
			}
			client := blob.New(blob.Options{})
			defer client.Close()
			list, err := runs.List(ctx, client, args[0])
			if err != nil {
				return err
			}
			if len(list) == 0 && missing(args[0]) {
				return fmt.Errorf("runs: list %s: there is no such folder", args[0])
			}
			return o.format.Print(w, list, func(w io.Writer) { printRuns(w, list) })
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// missing reports whether a path or a file URL names a folder that does not exist. A bucket
// has no folders, so nothing in it is missing.
func missing(root string) bool {
	if u, err := url.Parse(root); err == nil && strings.HasPrefix(root, "file://") {
		root = filepath.FromSlash(u.Path)
	}
	_, err := os.Stat(root)
	return !strings.Contains(root, "://") && errors.Is(err, fs.ErrNotExist)
}

func printRuns(w io.Writer, list []runs.Summary) {
	if len(list) == 0 {
		fmt.Fprintln(w, "no runs")
		return
	}
	fmt.Fprintln(w, "RUN\tSTATE\tPHASE\tITEMS\tDEAD\tPAGES\tSTARTED\tRETRY OF\tOUT")
	for i := range list {
		s := &list[i]
		if s.Problem != "" {
			fmt.Fprintf(w, "-\tunreadable\t\t\t\t\t\t\t%s: %s\n", service.Printable(s.Out), service.Printable(s.Problem))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d/%d\t%d\t%d\t%s\t%s\t%s\n", s.Run, s.State, s.Phase, s.Settled, s.Items, s.Dead, s.Pages,
			s.Started.Format(time.RFC3339), s.RetryOf, service.Printable(s.Out))
	}
}

// queuedRun is an unfinished run as a broker holds it.
type queuedRun struct {
	Run     schemas.RunID    `json:"run"`
	Out     string           `json:"out"`
	State   schemas.RunState `json:"state"` // planned until an aggregator has begun
	Phase   schemas.Phase    `json:"phase"`
	Files   int              `json:"files"`
	Items   int              `json:"items"`
	Bytes   int64            `json:"bytes"`
	Created time.Time        `json:"created"`
	// Waiting and Working are the items of the current phase that the broker holds.
	Waiting int `json:"waiting"`
	Working int `json:"working"`
}

func queued(ctx context.Context, q *queue.Queue, head *schemas.Run) (queuedRun, error) {
	r := queuedRun{Run: head.ID, Out: head.Out, State: schemas.RunPlanned, Phase: head.Phase, Files: head.Sealed.Files, Items: head.Sealed.Items, Bytes: head.Sealed.Bytes, Created: head.Created}
	b, phase, err := begunPhase(ctx, q, head)
	if phase != "" {
		r.State, r.Phase = schemas.RunActive, phase
	}
	r.Waiting, r.Working = b.Waiting, b.Working
	return r, err
}

// begunPhase returns the phase that a run is in, and the items of it that the broker holds.
// The phase is "" if no aggregator has begun the run.
func begunPhase(ctx context.Context, q *queue.Queue, head *schemas.Run) (b queue.Backlog, phase schemas.Phase, err error) {
	p, err := q.Pull(ctx, head)
	if err == nil {
		phase = p.Phase()
		b, err = q.Backlog(ctx, head.ID, phase)
	}
	if errors.Is(err, queue.ErrNotFound) {
		err = nil
	}
	return b, phase, err
}

func (o *runsOptions) listQueued(ctx context.Context, w io.Writer) error {
	q, err := o.dial(ctx)
	if err != nil {
		return err
	}
	defer q.Close()
	held := q.NewRunList()
	if _, err := held.Refresh(ctx); err != nil {
		return err
	}
	list := make([]queuedRun, len(held.Runs))
	for i, head := range held.Runs {
		if list[i], err = queued(ctx, q, head); err != nil {
			return err
		}
	}
	return o.format.Print(w, list, func(w io.Writer) { printQueued(w, list) })
}

func printQueued(w io.Writer, list []queuedRun) {
	if len(list) == 0 {
		fmt.Fprintln(w, "no runs")
		return
	}
	fmt.Fprintln(w, "RUN\tSTATE\tPHASE\tITEMS\tWAITING\tWORKING\tBYTES\tCREATED\tOUT")
	for i := range list {
		r := &list[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", r.Run, r.State, r.Phase, r.Items, r.Waiting, r.Working, service.Bytes(r.Bytes), r.Created.Format(time.RFC3339), service.Printable(r.Out))
	}
}

func newRunsShowCommand() *cobra.Command {
	var o runsOptions
	cmd := &cobra.Command{
		Use:   "show OUT | show --nats URL RUN",
		Short: "Show one run, with its settings as JSON (--format json)",
		Example: `  winnow runs show tables/monday
  winnow runs show --format json tables/monday | jq .recipe
  winnow runs show --nats nats://nats:4222 may`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args, "OUT", "RUN"); err != nil {
				return err
			}
			ctx, w := cmd.Context(), cmd.OutOrStdout()
			if o.broker.URL == "" {
				client := blob.New(blob.Options{})
				defer client.Close()
				store, m, err := openRun(ctx, client, args[0])
				if err != nil {
					return err
				}
				summary, err := runs.Of(ctx, store, m)
				if err != nil {
					return err
				}
				return o.format.Print(w, struct {
					runs.Summary
					Recipe *schemas.Recipe `json:"recipe"`
				}{summary, &m.Run.Recipe}, func(w io.Writer) { printRuns(w, []runs.Summary{summary}) })
			}
			q, err := o.dial(ctx)
			if err != nil {
				return err
			}
			defer q.Close()
			head, err := q.Run(ctx, schemas.RunID(args[0]))
			if errors.Is(err, queue.ErrNotFound) {
				return unknownRun(args[0])
			}
			if err != nil {
				return err
			}
			r, err := queued(ctx, q, head)
			if err != nil {
				return err
			}
			return o.format.Print(w, struct {
				queuedRun
				Recipe *schemas.Recipe `json:"recipe"`
			}{r, &head.Recipe}, func(w io.Writer) { printQueued(w, []queuedRun{r}) })
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func unknownRun(name string) error {
	return fmt.Errorf("runs: the broker holds no unfinished run %s: 'winnow runs list --nats URL' has all, and one that is over is known by its output folder", name)
}

func newRunsCancelCommand() *cobra.Command {
	var o runsOptions
	cmd := &cobra.Command{
		Use:   "cancel OUT | cancel --nats URL RUN",
		Short: "End a run: no program works on it any more",
		Long: `End a run: its output folder is marked (ended.json), and the aggregator that works on it
leaves it within seconds and removes its work from the broker, so that workers leave it,
too. With --nats, its work is removed from the broker at once, also without an
aggregator. What is committed stays in the output folder, which has no _SUCCESS.`,
		Example: `  winnow runs cancel s3://tables/may
  winnow runs cancel --nats nats://nats:4222 may`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args, "OUT", "RUN"); err != nil {
				return err
			}
			return o.cancel(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// cancel ends a run. name is its output folder, or its id if a broker is given.
func (o *runsOptions) cancel(ctx context.Context, w io.Writer, name string) error {
	out, end := name, func() error { return nil }
	if o.broker.URL != "" {
		q, err := o.dial(ctx)
		if err != nil {
			return err
		}
		defer q.Close()
		head, err := q.Run(ctx, schemas.RunID(name))
		if errors.Is(err, queue.ErrNotFound) {
			return unknownRun(name)
		}
		if err != nil {
			return err
		}
		out, end = head.Out, func() error { return q.End(ctx, head.ID) }
	}
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(ctx, out)
	if err != nil {
		return err
	}
	m, err := manifest.Load(ctx, store)
	switch {
	case errors.Is(err, blob.ErrNotFound) && o.broker.URL != "": // the folder was deleted: there is nothing to mark
		m = &schemas.Manifest{Run: schemas.Run{ID: schemas.RunID(name)}}
	case errors.Is(err, blob.ErrNotFound):
		return noRun(out)
	case err != nil:
		return err
	case !m.Finished.IsZero():
		return fmt.Errorf("runs: cancel %s: the run is over", name)
	default:
		if err := manifest.End(ctx, store, m.Run.ID, schemas.RunCanceled, ""); err != nil {
			return fmt.Errorf("runs: cancel %s: %w", name, err)
		}
	}
	if err := end(); err != nil {
		return err
	}
	return o.format.Print(w, map[string]string{"run": string(m.Run.ID), "state": string(schemas.RunCanceled)},
		func(w io.Writer) { fmt.Fprintf(w, "run %s is canceled\n", m.Run.ID) })
}

func newRunsDeleteCommand() *cobra.Command {
	var o runsOptions
	var yes, unfinished bool
	cmd := &cobra.Command{
		Use:   "delete --yes OUT",
		Short: "Delete what a run has written to its output folder",
		Long: `Delete the tables and all other files that a run has written to its output folder; other
files there stay.

Without --yes nothing is deleted, and the exit code is 2.`,
		Example: `  winnow runs delete --yes tables/monday`,
		Args:    exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !yes {
				return service.Usagef("runs: delete %s: nothing is deleted without --yes, because it cannot be undone", args[0])
			}
			return o.delete(cmd.Context(), cmd.OutOrStdout(), args[0], unfinished)
		},
	}
	o.format.Register(cmd.Flags())
	cmd.Flags().BoolVar(&yes, "yes", false, "delete")
	cmd.Flags().BoolVar(&unfinished, "unfinished", false, "also a run that is not finished, when no program works on it")
	return cmd
}

func (o *runsOptions) delete(ctx context.Context, w io.Writer, out string, unfinished bool) error {
	client := blob.New(blob.Options{})
	defer client.Close()
	store, m, err := openRun(ctx, client, out)
	if err != nil {
		return err
	}
	if m.Finished.IsZero() && !unfinished {
		return fmt.Errorf("runs: delete %s: run %s is not finished: go on with it, or end the processes that work on it and add --unfinished", out, m.Run.ID)
	}
	var d *runs.Deleted
	err = local.WhileIdle(store.URL(), slog.New(slog.DiscardHandler), func() error {
		d, err = runs.Delete(ctx, client, store, m)
		return err
	})
	if err != nil {
		return err
	}
	left := ""
	if d.Left > 0 {
		left = fmt.Sprintf("; left in %s: %s (%s)", service.Printable(d.Out), account.Count(d.Left, "other file"), firstOf(d.LeftFiles, d.Left))
	}
	return o.format.Print(w, d, func(w io.Writer) {
		fmt.Fprintf(w, "run %s is deleted: %s, %s%s\n", d.Run, account.Count(d.Files, "file"), service.Bytes(d.Bytes), left)
	})
}

// firstOf lists the first few of n names.
func firstOf(names []string, n int) string {
	const show = 5
	text := service.Printable(strings.Join(names[:min(len(names), show)], ", "))
	if n > show {
		text += fmt.Sprintf(" and %d more", n-show)
	}
	return text
}
