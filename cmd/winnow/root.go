package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes of every verb.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitRefused     = 3   // all done, but records were refused: see the failures
	exitInterrupted = 130 // as a shell reports a process that SIGINT ended
)

// usageError is a mistake in the command line, not in the data.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usagef makes a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// refusedError ends a verb that did all its work except for some records.
type refusedError struct{ records int64 }

func (e refusedError) Error() string {
	if e.records == 1 {
		return "1 record was refused"
	}
	return fmt.Sprintf("%d records were refused", e.records)
}

// run executes one command line and returns its exit code. Data goes to
// stdout, words go to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var usage usageError
	var refused refusedError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "winnow: %v\n\nSee '%s --help'.\n", err, cmd.CommandPath())
		return exitUsage
	case errors.As(err, &refused):
		fmt.Fprintf(stderr, "winnow: finished: %v\n", err)
		return exitRefused
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "winnow: interrupted")
		return exitInterrupted
	default:
		fmt.Fprintf(stderr, "winnow: %v\n", err)
		return exitError
	}
}

// newRootCommand returns the command with all its verbs.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "winnow",
		Short: "Main-content extraction over web crawls, by many published methods at once",
		Long: `Winnow separates the grain from the chaff of a web crawl: it reads WARC files,
runs published main-content extraction methods over every HTML page, scores them
against gold where there is any, and writes the statistics as Parquet tables.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownVerb(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("winnow {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, verb := range verbs() {
		root.AddCommand(usageErrors(verb))
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	return root
}

// verbs lists the commands in the order of their help: a verb's constructor
// returns it complete, with flags, examples and RunE.
func verbs() []*cobra.Command {
	return []*cobra.Command{}
}

// usageErrors marks what a verb's Args check refuses as a mistake in the command line.
func usageErrors(verb *cobra.Command) *cobra.Command {
	if check := verb.Args; check != nil {
		verb.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	return verb
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
	return usagef("unknown command %q%s\ncommands: %s", name, hint, strings.Join(known, ", "))
}

// version of this build: the module's, and the revision if it was built in a
// working copy.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v, revision, dirty := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if v == "" || v == "(devel)" {
		v = "devel"
		if revision != "" {
			v += " " + revision + dirty
		}
	}
	return v + " " + info.GoVersion
}
