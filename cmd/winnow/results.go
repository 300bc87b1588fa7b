package main

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/results"
	"github.com/winnow/winnow/pipeline/stats"
)

func newResultsCommand() *cobra.Command {
	var options results.Options
	var table, format, by string
	cmd := &cobra.Command{
		Use:   "results [--table NAME] [--format tsv|csv|json] OUT",
		Short: "Write a table of a finished run as text",
		Long: `Write a table of a finished run as tab-separated or comma-separated values or as
JSON lines: ` + strings.Join(results.Tables, ", ") + `.

Texts that a spreadsheet would take for a formula, because they begin with =, +,
- or @, have an apostrophe before them as tab- and comma-separated values; JSON
has every text as it is.

The table "results" is Gottron's result file: for each package and extractor one
line per document with the time of extraction in seconds and precision, recall
and F1 by each scorer, then the means and the standard deviation of F1.

The table "groups" is the table "packages" for parts of each package, computed
when it is asked for: by page_type, language (the one found in the page by the fact
language; in a run without this fact, the one that the gold states), site
(registered domain), complexity (share of a page's words that are not gold: low,
medium and high part all pages of the run at the quartiles) or size (deciles of the
package's pages by bytes of HTML). Pages without the key are in the group (none).

The table "confidence" lists, for each extractor that says how good it expects its
answer to be (the word F1), the pages of which it expects the least.

The table "files" has a line for each input file: whether it is clean, damaged or
unreadable, its records by type, the defects that were met in it by their codes,
oddities that cost nothing among them, and an account of all its bytes.`,
		Example: `  winnow results OUT > results.tsv
  winnow results --table packages --format csv OUT
  winnow results --table groups --by language --scorers vec OUT
  winnow results --table confidence --pages 50 OUT
  winnow results --table failures --format json OUT | jq .reason
  winnow results --table files OUT`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, results.Formats...); err != nil {
				return err
			}
			if err := oneOf("table", table, results.Tables...); err != nil {
				return err
			}
			if err := positive("max-rows", options.MaxRows); err != nil {
				return err
			}
			if err := positive("pages", options.Pages); err != nil {
				return err
			}
			options.By = stats.Grouping(by)
			if err := oneOf("by", by, groupings()...); err != nil {
				return err
			}
			client := blob.New(blob.Options{})
			defer client.Close()
			store, m, err := openRun(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			if err := knownPackages(cmd.Context(), store, options.Packages); err != nil {
				return err
			}
			if err := known("scorers", options.Scorers, m.Run.Recipe.Scorers); err != nil {
				return err
			}
			if err := known("extractors", options.Extractors, m.Run.Recipe.Extractors); err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if err := results.Write(cmd.Context(), out, store, table, format, options); err != nil {
				return unfinished(m, args[0], err)
			}
			return out.Flush()
		},
	}
	cmd.Flags().StringVar(&table, "table", "results", "which table")
	cmd.Flags().StringVar(&format, "format", "tsv", "tsv, csv or json")
	cmd.Flags().StringVar(&by, "by", string(stats.ByPageType), "of the table groups: "+strings.Join(groupings(), ", "))
	cmd.Flags().IntVar(&options.MaxRows, "max-rows", 0, "of the table groups (default 100,000)")
	cmd.Flags().IntVar(&options.Pages, "pages", 100, "of each extractor in the table confidence")
	cmd.Flags().StringSliceVar(&options.Packages, "packages", nil, "packages, separated by commas (default all)")
	cmd.Flags().StringSliceVar(&options.Extractors, "extractors", nil, "extractors, separated by commas (default all)")
	cmd.Flags().StringSliceVar(&options.Scorers, "scorers", nil, "scorers, separated by commas (default all)")
	return cmd
}

// groupings are the names of the ways to divide a package into groups.
func groupings() (names []string) {
	for _, by := range stats.Groupings {
		names = append(names, string(by))
	}
	return names
}
