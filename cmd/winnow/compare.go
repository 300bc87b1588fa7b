package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/compare"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// scorersToCompare sets the scorers by which extractors are compared. Without the flag that
// is the run's default scorer.
func scorersToCompare(given bool, options *compare.Options, m *schemas.Manifest) error {
	name := m.Run.Recipe.DefaultScorer().Name
	switch {
	case name == "":
		return fmt.Errorf("compare: run %s has no scores to compare extractors by: it was made with --scorers none; run again with scorers, over pages that have gold", m.Run.ID)
	case !given:
		options.Scorers = []string{name}
	}
	return nil
}

func newCompareCommand() *cobra.Command {
	var options compare.Options
	var format request.Format
	var by string
	var pairs bool
	cmd := &cobra.Command{
		Use:   "compare [--scorers a,b] [--packages a,b] OUT",
		Short: "Tell which extractors of a finished run really differ",
		Long: `Rank the extractors of a finished run on each of its packages, and test every
pair of them on the pages that both have a score for: paired bootstrap (by site)
and Wilcoxon's signed-rank test, both corrected for the number of pairs (Holm).
Extractors that share a letter do not differ; with fewer than 10 pages they have no
letter, because these are too few to tell. A failed extraction counts 0. A skipped one
leaves the page out of the mean and the pairs of that extractor, and counts as 0 in its
rank; an extractor that was skipped everywhere is named and not ranked. Neither are
bounds, which read the gold (ensemble-oracle).

Where a scorer's source publishes another figure than the mean over pages, it
stands in front. That of shingle-4 has the deviation that its own program prints
behind ±, from 1000 resamples of the pages, and with --pairs the difference of two
extractors over the same resamples.

With --by the extractors are compared within the groups of each package instead:
page_type, language, site, complexity or size, as "winnow report --help-all" explains.
The correction is for the pairs of one group, not for their number in all.`,
		Example: `  winnow compare --scorers vec OUT
  winnow compare --scorers vec,str --packages news --pairs OUT
  winnow compare --scorers shingle-4 --pairs OUT
  winnow compare --by page_type --packages wcxb-dev OUT
  winnow compare --by language OUT
  winnow compare --format json OUT | jq '.[].ranking[0]'`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := options.Replicates; n != 0 && n < compare.MinReplicates {
				return service.Usagef("--replicates %d: want %d or more, because with fewer replicates chance decides where an interval ends, or 0 for the default", n, compare.MinReplicates)
			}
			options.By = stats.Grouping(by)
			client := blob.New(blob.Options{})
			defer client.Close()
			store, m, err := openRun(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			if err := knownPackages(cmd.Context(), store, options.Packages); err != nil {
				return err
			}
			if err := scorersToCompare(cmd.Flags().Changed("scorers"), &options, m); err != nil {
				return err
			}
			if err := known("scorers", options.Scorers, m.Run.Recipe.Scorers); err != nil {
				return err
			}
			all, err := compare.Run(cmd.Context(), store, options)
			if err != nil {
				return unfinished(m, args[0], err)
			}
			if format.JSON() {
				return request.WriteJSON(cmd.OutOrStdout(), all)
			}
			return compare.WriteText(cmd.OutOrStdout(), all, pairs)
		},
	}
	cmd.Flags().StringSliceVar(&options.Scorers, "scorers", []string{schemas.DefaultScorer}, "scorers, separated by commas; empty for all; the run's first if it has no vec and the flag is not given")
	request.RegisterChoice(cmd.Flags(), &by, "by", "", "compare within groups: "+strings.Join(groupings(), ", "), groupings()...)
	cmd.Flags().StringSliceVar(&options.Packages, "packages", nil, "packages, separated by commas (default all)")
	cmd.Flags().IntVar(&options.Replicates, "replicates", 0, fmt.Sprintf("of the bootstrap, %d or more for stable intervals (default 10,000, or 100 for each pair of extractors if that is more)", compare.MinReplicates))
	request.RegisterCount(cmd.Flags(), &options.MaxDocuments, "max-pages", 200_000, "with gold, per package")
	cmd.Flags().BoolVar(&pairs, "pairs", false, "show all pairs, not only the ranking")
	format.Register(cmd.Flags())
	return cmd
}
