package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/results"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// reportOptions are the flags of the verb report.
type reportOptions struct {
	page      overview.Options
	recompute bool

	format, table, by string
	tables            results.Options
	pages             int // number of pages in the page or in the table confidence
}

func newReportCommand() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report OUT | report --format tsv|csv|json [--table NAME] OUT",
		Short: "Make report.html, one page about a run, or write its figures as text",
		Long: `Make report.html in the output folder of a run: the result in one sentence, a
leaderboard of extractors by package and page type, which of them really differ, who
agrees with whom, what was kept by site, language and type, and the pages on which
extractors agree least or do worst. Its tables sort and filter, and its figures can
be saved as SVG or CSV. The page needs no network and no other file; without its one
script it has tables and no figures.

--recompute makes packages.parquet, speed.parquet, agreement.parquet and
failures.parquet again first, from the parts that are committed: of a finished run
the same bytes, of a run that is going on the tables of what is there so far, and of
a run of an earlier version the tables that this one reads.

With --format tsv, csv or json (lines), or with --table, a table is written to the standard
output instead. Without --table that is Gottron's result file: for each package and
extractor one line per document with the time of extraction in seconds and precision,
recall and F1 by each scorer, then the means and the standard deviation of F1.
DuckDB and others read the tables of a run as they are (docs/reference/tables.md).`,
		Annotations: map[string]string{service.More: `Texts that a spreadsheet would take for a formula, because they begin with =, +,
- or @, have an apostrophe before them as tab- and comma-separated values; JSON
has every text as it is.

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
oddities that cost nothing among them, and an account of all its bytes.`},
		Example: `  winnow report OUT
  winnow report --scorer str --shown 100 OUT
  winnow report --recompute s3://bucket/run
  winnow report --format tsv OUT > results.tsv
  winnow report --table packages --format csv OUT
  winnow report --table groups --by language --scorers vec OUT
  winnow report --table confidence --pages 50 OUT
  winnow report --table failures --format json OUT | jq .reason`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client := blob.New(blob.Options{})
			defer client.Close()
			store, m, err := openRun(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			if o.table != "" && o.format == "html" {
				o.format = "tsv"
			}
			if o.format == "html" {
				return o.writePage(cmd.Context(), cmd.OutOrStdout(), store, m, args[0])
			}
			return unfinished(m, args[0], o.writeTable(cmd.Context(), cmd.OutOrStdout(), store, m))
		},
	}
	service.Group(cmd.Flags(), "report.html", func(f *pflag.FlagSet) {
		f.BoolVar(&o.recompute, "recompute", false, "make the tables again first, from all parts")
		f.StringVar(&o.page.Scorer, "scorer", "", "scorer that ranks (default "+schemas.DefaultScorer+", or the run's first without it)")
		request.RegisterCount(f, &o.page.Packages, "shown", 0, "number of packages shown in full, the largest ones (default 20)")
		request.RegisterCount(f, &o.pages, "pages", 0, "of least agreement, and failures, to list (default 20); of each extractor in the table confidence (default 100)")
	})
	service.Group(cmd.Flags(), "Tables as text", func(f *pflag.FlagSet) {
		request.RegisterChoice(f, &o.format, "format", "html", "html, which is report.html; or of a table: tsv, which is the default with --table, csv or json", append([]string{"html"}, results.Formats...)...)
		request.RegisterChoice(f, &o.table, "table", "", "which table: "+strings.Join(results.Tables, ", ")+" (default results, Gottron's result file)", results.Tables...)
		request.RegisterChoice(f, &o.by, "by", string(stats.ByPageType), "of the table groups: "+strings.Join(groupings(), ", "), groupings()...)
		request.RegisterCount(f, &o.tables.MaxRows, "max-rows", 0, "of the table groups (default 100,000)")
		f.StringSliceVar(&o.tables.Packages, "packages", nil, "packages, separated by commas (default all)")
		f.StringSliceVar(&o.tables.Extractors, "extractors", nil, "extractors, separated by commas (default all)")
		f.StringSliceVar(&o.tables.Scorers, "scorers", nil, "scorers, separated by commas (default all)")
	})
	return cmd
}

// writePage writes report.html into the folder of the run.
func (o *reportOptions) writePage(ctx context.Context, w io.Writer, store blob.Store, m *schemas.Manifest, out string) error {
	if o.page.Scorer != "" {
		if err := known("scorer", []string{o.page.Scorer}, m.Run.Recipe.Scorers); err != nil {
			return err
		}
	}
	if o.recompute {
		if _, err := compact.Recompute(ctx, store); err != nil {
			return err
		}
	}
	o.page.Pages = o.pages
	switch err := overview.Write(ctx, store, o.page); {
	case errors.Is(err, overview.ErrNoTables):
		return fmt.Errorf("%w (--recompute makes them of what is there so far)", err)
	case err != nil:
		return err
	}
	_, err := fmt.Fprintf(w, "%s is in %s\n", overview.File, out)
	return err
}

// writeTable writes a table as text.
func (o *reportOptions) writeTable(ctx context.Context, w io.Writer, store blob.Store, m *schemas.Manifest) error {
	if err := errors.Join(knownPackages(ctx, store, o.tables.Packages), known("scorers", o.tables.Scorers, m.Run.Recipe.Scorers),
		known("extractors", o.tables.Extractors, m.Run.Recipe.Extractors)); err != nil {
		return err
	}
	o.tables.By, o.tables.Pages = stats.Grouping(o.by), o.pages
	buffered := bufio.NewWriter(w)
	if err := results.Write(ctx, buffered, store, cmp.Or(o.table, "results"), o.format, o.tables); err != nil {
		return err
	}
	return buffered.Flush()
}

// groupings are the names of the ways to divide a package into groups.
func groupings() (names []string) {
	for _, by := range stats.Groupings {
		names = append(names, string(by))
	}
	return names
}
