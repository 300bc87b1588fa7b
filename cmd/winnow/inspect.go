package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/inspector"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

type inspectOptions struct {
	pageInput
	against, format string
	run, by, to     string // settings for a run
	worst           int
}

func newInspectCommand() *cobra.Command {
	var o inspectOptions
	cmd := &cobra.Command{
		Use:   "inspect [--doc ID|URL] [--package NAME] [--extractors a,b] INPUT | inspect --run OUT [--doc ID | --worst N --to DIR]",
		Short: "Show what extractors chose of one page, beside its gold",
		Long: `Show one page, line by line, with what every extractor chose of it and what is
gold: # the whole line, + a part of it, . nothing of it. INPUT is as for winnow
extract; --doc names the page in a package or archive: by the id that the tables
of a run give it, by package/id, or by its URL. It may be left out where there is
but one. Ids repeat across packages: --package says which one is meant, and an
error lists the pages of a name that several have.

The gold is a text: where it lies on the page is found by alignment, and so are
the texts of programs. Of an extractor that chose nothing, the view tells what it
saw. html is a page by itself, for a browser, that opens on the first difference
from the gold, or from the extractor that --against names. It shows one method at a
time: over the blocks of the page, with the probability that the method gives each
of them, or over the page as a browser shows it, in a frame without scripts and
network. A click on a block tells which features moved it most, as winnow extract
--explain does. Below are a strip of every method, and the curve that it decides by,
if it measures one along the page. json is for programs.

With --run OUT the page is one of a run: it is read from the input of the run, where
the tables say it is, and processed by the extractors of the run; those of sites
apply the templates that the run learned. With --worst N, the N pages on which an
extractor is worst are written as a small site into the folder --to, or with --format
json as one line of JSON each: by EXTRACTOR/SCORER of the run, or, without gold, by
EXTRACTOR/consensus, the agreement with most other extractors. With --against they are
the pages on which it loses most to that extractor.`,
		Example: `  winnow inspect examples/page.html
  winnow inspect --doc 12 --extractors bte,cetd-ds,justext cleaneval-final.tar.xz
  winnow inspect --doc 12 --extractors page --format html cleaneval-final.warc.gz > 12.html
  winnow inspect --run OUT --doc news/bees-depot
  winnow inspect --run OUT --worst 20 --by winnow/vec --to worst
  winnow inspect --run OUT --worst 20 --by winnow/vec --against bte --to lost`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.run != "" {
				return service.NoArguments(cmd, args)
			}
			return exactly("INPUT")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.against != "" && o.worst == 0 && o.format != "html" {
				return service.Usagef("--against is for --format html and for --worst")
			}
			if o.run != "" {
				return inspectRun(cmd.Context(), o, cmd.OutOrStdout())
			}
			if o.worst != 0 || o.by != "" || o.to != "" {
				return service.Usagef("--worst, --by and --to are for the pages of a run: name its output folder with --run")
			}
			return inspect(cmd.Context(), args[0], o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.extractors, "extractors", defaultExtractor+",bte,cetd-ds,boilerpipe-article,justext", "extractors, separated by commas (see: winnow extractors)")
	request.RegisterChoice(f, &o.format, "format", "text", "text, html or json", "text", "html", "json")
	f.StringVar(&o.against, "against", "", "extractor with which html, and the worst pages of a run, compare the first one, instead of the gold")
	service.Group(f, "Pages of a run", func(f *pflag.FlagSet) {
		f.StringVar(&o.run, "run", "", "output `folder` of a run, whose page is shown, instead of INPUT")
		f.IntVar(&o.worst, "worst", 0, "write this many of the worst pages, as a site into --to or as JSON")
		f.StringVar(&o.by, "by", "", "EXTRACTOR/SCORER, or EXTRACTOR/consensus, that says which pages are worst (default the first ones of the run)")
		f.StringVar(&o.to, "to", "", "`folder` for the site")
	})
	o.programs.RegisterAnswers(f)
	o.pageInput.register(f)
	return cmd
}

func inspect(ctx context.Context, name string, o inspectOptions, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	chosen, err := choosePageExtractors(&o.programs, o.extractors)
	if err != nil {
		return err
	}
	if o.against != "" && !slices.ContainsFunc(chosen, func(e *algorithms.Extractor) bool { return e.Name == o.against }) {
		return service.Usagef("--against %q: choose it with --extractors, too", o.against)
	}
	scorer, err := choose.Scorers(suite.Scorers(), schemas.DefaultScorer)
	if err != nil {
		return err
	}
	run, err := o.open(ctx, []string{name}, chosen, scorer, stdin, stderr)
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	defer func() { err = errors.Join(err, run.Close()) }()

	var view *inspector.View
	find := func(p *pages.Page) error {
		r, err := run.driver.Page(ctx, inspector.Input(p))
		if err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
		view, err = inspector.NewView(p, r, run.driver.Aligner)
		return err
	}
	refuse := func(where, why string) { fmt.Fprintf(stderr, "refused: %s: %s\n", where, why) }
	if err := o.wanted.Find(ctx, &run.Inputs, name, run.formats[0], refuse, find); err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	return view.Write(stdout, o.format, inspector.Shown{Extractor: chosen[0].Name, Against: o.against})
}
