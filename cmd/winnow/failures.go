package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/failures"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

func newFailuresCommand() *cobra.Command {
	var options failures.Options
	var format string
	cmd := &cobra.Command{
		Use:   "failures [--file F] OUT",
		Short: "Show what a run could not do: reasons, files, extractors, examples",
		Long: `Show what a run could not do, finished or not, grouped by stage, reason and extractor:

  file      input files that were refused when the run was planned
  item      ranges of a file that were given up (dead letters, see winnow dead)
  record    records that ended the process of a worker
  read      bytes that are damaged, or in no record (winnow doctor FILE shows all of a file)
  payload   records whose content could not be decoded
  page      pages that could not be parsed
  extract   pages on which an extractor failed (winnow inspect --run OUT --doc ID shows one)

A group names the files with the most failures, and some examples.`,
		Example: `  winnow failures tables
  winnow failures --file crawl-00012.warc.gz --examples 20 tables
  winnow failures --format json s3://bucket/nightly/2026-03-01 | jq '.groups[] | {reason, failures}'`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(oneOf("format", format, "text", "json"), positive("examples", options.Examples)); err != nil {
				return err
			}
			client := blob.New(blob.Options{})
			defer client.Close()
			store, m, err := openRun(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			result, err := failures.Of(cmd.Context(), store, m, options)
			if err != nil {
				return err
			}
			selected := func(f schemas.File) bool { return options.Selects(f.URL) }
			if options.File != "" && result.Failures == 0 && !slices.ContainsFunc(m.Run.Files, selected) {
				return service.Usagef("--file %q: the run has no input file of this name; 'winnow results --table files OUT' has all", options.File)
			}
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), result)
			}
			return printFailures(cmd.OutOrStdout(), result, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&options.File, "file", "", "of this input file only: its URL, or the end of it")
	f.IntVar(&options.Examples, "examples", 3, "of each group")
	f.StringVar(&format, "format", "text", "text or json")
	return cmd
}

// filesShown is the number of files that the text names of a group; JSON has all.
const filesShown = 5

func printFailures(w io.Writer, r *failures.Result, out string) error {
	state := ""
	if !r.Finished {
		state = ", not finished"
	}
	fmt.Fprintf(w, "run %s in %s%s: %s\n", r.Run, service.Printable(r.Out), state, account.Count(r.Failures, "failure"))
	if len(r.Groups) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nFAILURES\tSTAGE\tREASON\tEXTRACTOR\tSEVERITY\tBYTES\tFILES")
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%d\t%d\n", g.Failures, g.Stage, service.Printable(g.Reason), g.Extractor, g.Severity, g.Bytes, len(g.Files))
	}
	if err := t.Flush(); err != nil {
		return err
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
	return nil
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
