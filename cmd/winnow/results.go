package main

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/results"
)

func newResultsCommand() *cobra.Command {
	var options results.Options
	var table, format string
	cmd := &cobra.Command{
		Use:   "results [--table NAME] [--format tsv|csv|json] OUT",
		Short: "Write a table of a finished run as text",
		Long: `Write a table of a finished run as tab-separated or comma-separated values or as
JSON lines: ` + strings.Join(results.Tables, ", ") + `.

The table "results" is Gottron's result file: for each package and extractor one
line per document with the time of extraction in seconds and precision, recall
and F1 by each measure, then the means and the standard deviation of F1.`,
		Example: `  winnow results OUT > results.tsv
  winnow results --table packages --format csv OUT
  winnow results --table failures --format json OUT | jq .reason`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, results.Formats...); err != nil {
				return err
			}
			if err := oneOf("table", table, results.Tables...); err != nil {
				return err
			}
			client := blob.New(blob.Options{})
			defer client.Close()
			store, err := client.Store(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if err := results.Write(cmd.Context(), out, store, table, format, options); err != nil {
				return err
			}
			return out.Flush()
		},
	}
	cmd.Flags().StringVar(&table, "table", "results", "which table")
	cmd.Flags().StringVar(&format, "format", "tsv", "tsv, csv or json")
	cmd.Flags().StringSliceVar(&options.Packages, "packages", nil, "packages, separated by commas (default all)")
	cmd.Flags().StringSliceVar(&options.Extractors, "extractors", nil, "extractors, separated by commas (default all)")
	return cmd
}
