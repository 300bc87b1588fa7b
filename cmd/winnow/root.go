package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/aggregate"
	"github.com/winnow/winnow/cmd/internal/ingest"
	"github.com/winnow/winnow/cmd/internal/worker"
	"github.com/winnow/winnow/pipeline/service"
)

// run executes one command line and returns its exit code. It writes data to stdout and
// messages to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cobra.EnableCommandSorting = false // the help lists commands in the order in which they are added
	root := newRootCommand()
	root.SetIn(stdin)
	return service.Execute(ctx, root, args, stdout, stderr)
}

// group is the verbs that the help lists below a title.
type group struct {
	id, title string
	verbs     []*cobra.Command
}

// verbs returns all commands, complete with flags, examples and RunE.
func verbs() []group {
	return []group{
		{"runs", "Runs", []*cobra.Command{
			newRunCommand(), newPlanCommand(), newRunsCommand(), newFailuresCommand(), newVerifyCommand()}},
		{"found", "What a run found", []*cobra.Command{
			newReportCommand(), newServeCommand(), newInspectCommand(), newCompareCommand(), newDiffCommand(), newDedupCommand(), newPushCommand()}},
		{"pages", "Pages and archives, without a run", []*cobra.Command{
			newExtractCommand(), newAPICommand(), newScoreCommand(), newDoctorCommand(), newPackCommand()}},
		{"methods", "What there is to choose from", []*cobra.Command{
			newExtractorsCommand(), newScorersCommand(), newFactsCommand()}},
		{service.More, "Stages of a cluster, and more", []*cobra.Command{
			stage(ingest.NewCommand()), stage(worker.NewCommand()), stage(aggregate.NewCommand()), newVersionCommand()}},
	}
}

// stage makes the command of a program of a cluster a verb. An image then needs one
// program only.
func stage(cmd *cobra.Command) *cobra.Command {
	cmd.Example = strings.ReplaceAll(cmd.Example, "  "+cmd.Name()+" ", "  winnow "+cmd.Name()+" ")
	return cmd
}

// formerly has the successors of verbs that there were once.
var formerly = map[string]string{
	"dead":      "'winnow failures --items' (list), 'winnow failures OUT ITEM' (show) and 'winnow run --retry-failed OUT' (retry)",
	"status":    "'winnow runs status OUT'",
	"templates": "'winnow report --table templates OUT'; the column body of the table templates/ has what was learned",
	"results":   "'winnow report --format tsv|csv|json [--table NAME] OUT'; DuckDB and others read the tables as they are",
}

// newRootCommand returns the command with all its verbs.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "winnow",
		Short: "Main-content extraction over web crawls, by many published methods at once",
		Long: `Winnow separates the grain from the chaff of a web crawl: it reads WARC files,
runs published main-content extraction methods over every HTML page, scores them
against gold where there is any, and writes the statistics as Parquet tables.

Data goes to standard output, messages to standard error. Every flag can also be
set by the environment: --out is WINNOW_OUT. Several values of a flag that may be
repeated are lines there.

Exit codes: 0 done, 1 error, 2 mistake in the command line, 3 finished but
input was refused or lost or a check found something, 130 interrupted.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownVerb(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	for _, g := range verbs() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, verb := range g.verbs {
			verb.GroupID = g.id
			root.AddCommand(house(complete(verb)))
		}
	}
	root.AddCommand(house(newAnswersCommand()))
	for verb, successor := range formerly {
		root.AddCommand(&cobra.Command{
			Use: verb, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return service.Usagef("winnow %s is now %s", verb, successor) },
		})
	}
	root.SetHelpCommand(newHelpCommand(root))
	root.SetHelpCommandGroupID(service.More)
	root.SetCompletionCommandGroupID(service.More)
	return root
}

// house applies the conventions of all programs of Winnow to a verb: an argument that
// is empty, or that the verb's Args check refuses, is a usage error, and flags that are
// not given are read from the environment.
func house(verb *cobra.Command) *cobra.Command {
	check := service.Arguments(verb.Args)
	verb.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return fmt.Errorf("%s: %w", cmd.Name(), err)
		}
		return nil
	}
	verb.PreRunE = func(cmd *cobra.Command, _ []string) error {
		return service.FromEnvironment(cmd.Flags(), os.LookupEnv)
	}
	for _, part := range verb.Commands() {
		house(part)
	}
	return verb
}

// newHelpCommand returns cobra's help command, except that an unknown verb is a usage
// error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownVerb(root, args[0])
			}
			return cmd.Help()
		},
	}
}

func unknownVerb(root *cobra.Command, name string) error {
	var known []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	hint := ""
	if near := root.SuggestionsFor(name); len(near) > 0 {
		hint = fmt.Sprintf(", did you mean %q?", near[0])
	}
	return service.Usagef("unknown command %q%s\ncommands: %s", name, hint, strings.Join(known, ", "))
}

// atLeastOne returns an Args check for verbs that take one or more arguments, which
// what describes.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s is missing", what)
		}
		return nil
	}
}

// exactly returns an Args check for verbs that take one argument for each element of
// what.
func exactly(what ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch n, want := len(args), strings.Join(what, " "); {
		case n < len(what):
			return fmt.Errorf("%s is missing", strings.Join(what[n:], " "))
		case n > len(what) && n > 0 && want == "":
			return fmt.Errorf("unexpected argument %q", args[0])
		case n > len(what):
			return fmt.Errorf("unexpected argument %q: want %s", args[len(what)], want)
		}
		return nil
	}
}
