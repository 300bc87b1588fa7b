package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/diff"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

func newDiffCommand() *cobra.Command {
	var options diff.Options
	var format request.Format
	var threshold, changed float64
	cmd := &cobra.Command{
		Use:   "diff [--threshold X] [--max-changed SHARE] RUN_A RUN_B",
		Short: "Show what changed from one run to another over the same pages",
		Long: `Compare two runs, given by their output folders, page by page and extractor by
extractor: pages with another outcome, pages with the same outcome and another text,
pages that only one run has, and the scores of the pages that have one in both. A page
is known by its package and document id. Of a run that goes on, the pages that are
committed are compared.

Scores are F1, or the value of a scorer that has no F1; a failed extraction counts as
0. BETTER and WORSE count pages, seen from RUN_A to RUN_B.

With --threshold or --max-changed the exit code is 3 if a mean is worse in RUN_B by
more than X, or if an extractor's changed pages, with those in one run only, are more
than that share of its pages.`,
		Example: `  winnow diff out/monday out/tuesday
  winnow diff --threshold 0.005 --max-changed 0.02 out/monday out/tuesday
  winnow diff --extractors winnow --pages 1000 s3://bucket/a s3://bucket/b
  winnow diff --format json out/a out/b | jq '.extractors[] | {extractor, text, outcome}'`,
		Args: exactly("RUN_A", "RUN_B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("threshold") {
				threshold = math.NaN()
			}
			if !cmd.Flags().Changed("max-changed") {
				changed = math.NaN()
			}
			if threshold < 0 || changed < 0 || changed > 1 {
				return service.Usagef("diff: --threshold must not be negative, --max-changed must be from 0 to 1")
			}
			ctx := cmd.Context()
			client := blob.New(blob.Options{})
			defer client.Close()
			var runs [2]diff.Run
			for i, out := range args {
				store, m, err := openRun(ctx, client, out)
				if err != nil {
					return err
				}
				if err := errors.Join(known("extractors", options.Extractors, m.Run.Recipe.Extractors), known("scorers", options.Scorers, m.Run.Recipe.Scorers)); err != nil {
					return err
				}
				runs[i] = diff.Run{Store: store, Manifest: m}
			}
			result, err := diff.Runs(ctx, runs[0], runs[1], options)
			if err != nil {
				return err
			}
			err = format.Print(cmd.OutOrStdout(), result, func(w io.Writer) { printDiff(w, result) })
			if worse := result.Regressions(threshold, changed); err == nil && len(worse) > 0 {
				return service.CheckError{Err: errors.New("diff: " + strings.Join(worse, "\n"))}
			}
			return err
		},
	}
	cmd.Flags().Float64Var(&threshold, "threshold", 0, "by which a mean score may be worse in RUN_B (without the flag, by any figure)")
	cmd.Flags().Float64Var(&changed, "max-changed", 0, "`share` of an extractor's pages that may be changed, from 0 to 1 (without the flag, all)")
	request.RegisterCount(cmd.Flags(), &options.Pages, "pages", 20, "changed pages to list; the counts are of all")
	cmd.Flags().StringSliceVar(&options.Extractors, "extractors", nil, "extractors, separated by commas (default all that both runs have)")
	cmd.Flags().StringSliceVar(&options.Scorers, "scorers", nil, "scorers, separated by commas (default all that both runs have)")
	format.Register(cmd.Flags())
	return cmd
}

func printDiff(w io.Writer, r *diff.Result) {
	for i, side := range []diff.Side{r.A, r.B} {
		name := "AB"[i : i+1]
		fmt.Fprintf(w, "%s: run %s in %s", name, side.Run, service.Printable(side.Out))
		if !side.Finished {
			fmt.Fprint(w, ", not finished")
		}
		for _, only := range [][]string{side.Extractors, side.Scorers} {
			if len(only) > 0 {
				fmt.Fprintf(w, "; only %s has %s", name, strings.Join(only, ", "))
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nEXTRACTOR\tPAGES\tSAME\tOUTCOME\tTEXT\tONLY A\tONLY B\tCHANGED")
	for i := range r.Extractors {
		e := &r.Extractors[i]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f%%\n", e.Name, e.Pages, e.Same, e.Outcome, e.Text, e.OnlyA, e.OnlyB, 100*e.Changed())
	}
	var scores, outcomes []string
	for i := range r.Extractors {
		e := &r.Extractors[i]
		for j := range e.Scores {
			if s := &e.Scores[j]; s.Pages > 0 {
				scores = append(scores, fmt.Sprintf("%s\t%s\t%d\t%.4f\t%.4f\t%+.4f\t%d\t%d\n", e.Name, s.Scorer, s.Pages, s.MeanA, s.MeanB, s.MeanB-s.MeanA, s.Better, s.Worse))
			}
		}
		for _, change := range slices.Sorted(maps.Keys(e.Outcomes)) {
			outcomes = append(outcomes, fmt.Sprintf("%s\t%s\t%d\n", e.Name, change, e.Outcomes[change]))
		}
	}
	section := func(head string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprint(w, "\n"+head+"\n"+strings.Join(lines, ""))
		}
	}
	section("EXTRACTOR\tSCORER\tPAGES\tMEAN A\tMEAN B\tDIFFERENCE\tBETTER\tWORSE", scores)
	section("EXTRACTOR\tOUTCOME A > B\tPAGES", outcomes)
	var pages []string
	for _, p := range r.Pages {
		pages = append(pages, fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\n", p.Extractor, p.Change, service.Printable(p.Package), service.Printable(p.DocID), p.A, p.B))
	}
	if r.Further > 0 {
		pages = append(pages, fmt.Sprintf("and %d more: --pages N lists more\n", r.Further))
	}
	section("EXTRACTOR\tCHANGE\tPACKAGE\tDOCUMENT\tA\tB", pages)
}
