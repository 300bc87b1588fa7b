package main

import (
	"github.com/spf13/cobra"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/compare"
)

func newCompareCommand() *cobra.Command {
	var options compare.Options
	var format string
	var pairs bool
	cmd := &cobra.Command{
		Use:   "compare [--scorers a,b] [--packages a,b] OUT",
		Short: "Tell which extractors of a finished run really differ",
		Long: `Rank the extractors of a finished run on each of its packages, and test every
pair of them on the pages that both have a score for: paired bootstrap (by site)
and Wilcoxon's signed-rank test, both corrected for the number of pairs (Holm).
Extractors that share a letter do not differ. A failed extraction counts 0, a
skipped one leaves the page out.`,
		Example: `  winnow compare --scorers vec OUT
  winnow compare --scorers vec,str --packages news --pairs OUT
  winnow compare --format json OUT | jq '.[].ranking[0]'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			client := blob.New(blob.Options{})
			defer client.Close()
			store, err := client.Store(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			all, err := compare.Run(cmd.Context(), store, options)
			if err != nil {
				return err
			}
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), all)
			}
			return compare.WriteText(cmd.OutOrStdout(), all, pairs)
		},
	}
	cmd.Flags().StringSliceVar(&options.Scorers, "scorers", []string{"vec"}, "measures, separated by commas; empty for all")
	cmd.Flags().StringSliceVar(&options.Packages, "packages", nil, "packages, separated by commas (default all)")
	cmd.Flags().IntVar(&options.Replicates, "replicates", 10_000, "of the bootstrap")
	cmd.Flags().IntVar(&options.MaxDocuments, "max-pages", 200_000, "with gold, per package")
	cmd.Flags().BoolVar(&pairs, "pairs", false, "show all pairs, not only the ranking")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}
