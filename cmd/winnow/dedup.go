package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/dedup"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// dedupOptions are the flags of the verb dedup.
type dedupOptions struct {
	find       dedup.Options
	extractors []string
	out        string
	format     request.Format
}

func newDedupCommand() *cobra.Command {
	var o dedupOptions
	cmd := &cobra.Command{
		Use:   "dedup [--threshold .8] OUT...",
		Short: "Find near-duplicates among the texts of one or several runs",
		Long: `Find near-duplicates among the texts of finished runs, and write them to the table
duplicates.parquet. The runs must have the signatures of their texts (winnow run
--facts signature), which are read faster, or the texts themselves (--texts), which
are then signed. Nothing is deleted: the table has a row for each text that is in a
cluster of near-duplicates, with the number of the cluster and whether the text is
the one to keep: the first, in the order in which the runs are given.

Two texts are near-duplicates if the Jaccard similarity of their shingles (five
words in a row) reaches --threshold. It is estimated by a MinHash of 128 values,
with a standard error of 3.5 % at .8; --exact compares the shingles of the candidates
instead, for which the texts are needed and read twice. Candidates share a band of their
MinHashes; the bands are chosen so that a pair at the threshold is found with a
probability of at least .995. Only texts of the same extractor are compared.

Sorting is done in temporary files, about a kilobyte for each text. Every text takes
8 bytes of memory, or 16 with --exact.`,
		Example: `  winnow run --facts default,signature --out OUT crawl.warc.gz && winnow dedup OUT
  winnow dedup OUT
  winnow dedup --exact --threshold .9 --format json OUT
  winnow dedup --extractors winnow --out merged/ crawl-may/ crawl-june/
  duckdb -c "select t.* from 'OUT/texts/*.parquet' t anti join
    (from 'OUT/duplicates.parquet' where not kept) using (run, package, doc_id, extractor)"`,
		Args: atLeastOne("OUT, the output folder of a run,"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.dedup(cmd, args) },
	}
	f := cmd.Flags()
	f.Float64Var(&o.find.Threshold, "threshold", dedup.DefaultThreshold, "Jaccard `similarity` from which on texts are near-duplicates, above 0 and at most 1")
	f.BoolVar(&o.find.Exact, "exact", false, "compare the shingles of candidates, not only their signatures")
	f.StringSliceVar(&o.extractors, "extractors", nil, "only texts of these extractors, separated by commas (default all)")
	f.StringVar(&o.out, "out", "", "`folder` or URL for duplicates.parquet (default OUT; needed for several)")
	f.StringVar(&o.find.TempDir, "temp", "", "`folder` for temporary files (default that of the system)")
	o.format.Register(cmd.Flags())
	return cmd
}

func (o *dedupOptions) dedup(cmd *cobra.Command, args []string) error {
	if t := o.find.Threshold; !(t > 0 && t <= 1) {
		return service.Usagef("--threshold %v: must be above 0 and at most 1", t)
	}
	if o.out == "" {
		if len(args) > 1 {
			return service.Usagef("--out is missing: the folder for the duplicates of several runs")
		}
		o.out = args[0]
	}
	ctx := cmd.Context()
	client := blob.New(blob.Options{})
	defer client.Close()
	var runs []dedup.Run
	var had []schemas.Method
	for i, out := range args {
		if slices.Contains(args[:i], out) {
			return service.Usagef("%s is given twice", out)
		}
		store, m, err := openRun(ctx, client, out)
		if err != nil {
			return err
		}
		runs = append(runs, dedup.Run{Store: store, Manifest: m})
		for _, e := range m.Run.Recipe.Extractors {
			if !slices.ContainsFunc(had, func(h schemas.Method) bool { return h.Name == e.Name }) {
				had = append(had, e)
			}
		}
	}
	if err := known("extractors", o.extractors, had); err != nil {
		return err
	}
	store, err := client.Store(ctx, o.out)
	if err != nil {
		return err
	}
	clearProgress := func() {}
	if stderr := cmd.ErrOrStderr(); service.Terminal(stderr) {
		screen := service.Screen(stderr)
		o.find.Progress = func(stage string, texts int64) {
			fmt.Fprintf(screen, "\r\x1b[K%s: %s", stage, account.Count(texts, "text"))
		}
		clearProgress = func() { fmt.Fprint(screen, "\r\x1b[K") }
	}
	s, err := dedup.Write(ctx, runs, o.extractors, o.find, store, schemas.DuplicatesFile)
	clearProgress()
	if err != nil {
		return err
	}
	return o.format.Print(cmd.OutOrStdout(), s, func(w io.Writer) { printDuplicates(w, s, strings.TrimSuffix(o.out, "/")) })
}

func printDuplicates(w io.Writer, s *dedup.Summary, out string) {
	how := "estimated"
	if s.Exact {
		how = "exact"
	}
	fmt.Fprintf(w, "texts\t%d\t%d of them without words\n", s.Texts, s.Wordless)
	fmt.Fprintf(w, "clusters\t%d\tof Jaccard similarity %v, %s; the largest has %s\n", s.Clusters, s.Threshold, how, account.Count(s.LargestSize, "text"))
	fmt.Fprintf(w, "duplicates\t%d\ttexts that are not the one to keep; %d have the signature of an earlier text\n", s.Duplicates, s.Identical)
	fmt.Fprintf(w, "candidates\t%d\tpairs compared, from %d bands of %d values; %d left out in crowded bands\n", s.Candidates, s.Bands, s.Rows, s.LeftOut)
	fmt.Fprintf(w, "the table is %s/%s\n", out, schemas.DuplicatesFile)
}
