package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/schemas"
)

func newReportCommand() *cobra.Command {
	var options overview.Options
	var recompute bool
	cmd := &cobra.Command{
		Use:   "report [--recompute] [--scorer NAME] OUT",
		Short: "Make report.html, one page about a run",
		Long: `Make report.html in the output folder of a run: figures, failures and speed of
every extractor, package by package, which of them really differ, who agrees with
whom, and the pages on which they agree least or do worst. Its tables sort and
filter, its figures follow a choice of measure, package and page type and can be
saved as SVG or CSV. The page needs no network and no other file; it has one script,
and reads the same without it.

--recompute makes packages.parquet, agreement.parquet and failures.parquet anew
before, from the parts that are committed: of a finished run the same bytes, of a
run that is going on the tables of what is there so far.`,
		Example: `  winnow report OUT
  winnow report --scorer str --packages 100 OUT
  winnow report --recompute s3://bucket/run`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(positive("packages", options.Packages), positive("pages", options.Pages)); err != nil {
				return err
			}
			ctx := cmd.Context()
			client := blob.New(blob.Options{})
			defer client.Close()
			store, m, err := openRun(ctx, client, args[0])
			if err != nil {
				return err
			}
			if options.Scorer != "" {
				if err := known("scorer", []string{options.Scorer}, m.Run.Recipe.Scorers); err != nil {
					return err
				}
			}
			if recompute {
				if _, err := compact.Recompute(ctx, store); err != nil {
					return err
				}
			}
			switch err := overview.Write(ctx, store, options); {
			case errors.Is(err, overview.ErrNoTables):
				return fmt.Errorf("%w (--recompute makes one of what is there so far)", err)
			case err != nil:
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is in %s\n", overview.File, args[0])
			return err
		},
	}
	cmd.Flags().BoolVar(&recompute, "recompute", false, "make the tables of all parts anew before")
	cmd.Flags().StringVar(&options.Scorer, "scorer", "", "scorer that ranks (default "+schemas.DefaultScorer+", or the run's first without it)")
	cmd.Flags().IntVar(&options.Packages, "packages", 0, "number of packages shown in full, the largest ones (default 20)")
	cmd.Flags().IntVar(&options.Pages, "pages", 0, "of least agreement, and failures, to list (default 20)")
	return cmd
}
