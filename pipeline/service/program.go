package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitUsage       = 2
	ExitRefused     = 3   // everything is done, but some input was refused or could not be read, or a check found something
	ExitInterrupted = 130 // as a shell reports a process that SIGINT ended
)

// Main runs f with a context that the first SIGINT or SIGTERM ends, and exits
// with the code that f returns, or at once with 128 and the signal's number when
// a second one comes.
func Main(f func(ctx context.Context) int) {
	runtime.MemProfileRate = 0 // the embedded broker links a heap profiler, so Go would take samples that are not used
	tuneHeap()
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		// The signal's default action does not serve: a shell starts programs in the
		// background with SIGINT ignored.
		if s, ok := (<-signals).(syscall.Signal); ok {
			os.Exit(128 + int(s))
		}
		os.Exit(ExitError)
	}()
	os.Exit(f(ctx))
}

// UsageError is a mistake in the command line.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// RefusedError ends a program that did all its work except for some of its input.
type RefusedError struct {
	Records int64 // records that were refused
	Items   int   // items that are dead
	Files   int   // with bytes that are in no record, or in a damaged one
	Bytes   int64 // the number of such bytes; 0 if it is not known
}

func (e RefusedError) Error() string {
	count := func(n int64, noun, one, many string) string {
		if n == 1 {
			return "1 " + noun + one
		}
		return fmt.Sprintf("%d %ss%s", n, noun, many)
	}
	var parts []string
	if e.Records > 0 {
		parts = append(parts, count(e.Records, "record", " was refused", " were refused"))
	}
	if e.Items > 0 {
		parts = append(parts, count(int64(e.Items), "item", " is dead", " are dead"))
	}
	switch files := count(int64(e.Files), "file", "", ""); {
	case e.Files > 0 && e.Bytes == 0:
		parts = append(parts, "an unknown number of bytes of "+files+" was lost")
	case e.Files > 0:
		parts = append(parts, count(e.Bytes, "byte", " of "+files+" was lost", " of "+files+" were lost"))
	}
	return strings.Join(parts, ", ")
}

// Plus returns the sum of both errors.
func (e RefusedError) Plus(o RefusedError) RefusedError {
	return RefusedError{e.Records + o.Records, e.Items + o.Items, e.Files + o.Files, e.Bytes + o.Bytes}
}

// Err returns the error, or nil if nothing is missing.
func (e RefusedError) Err() error {
	if e == (RefusedError{}) {
		return nil
	}
	return e
}

// CheckError ends a program that did all its work and found what it was asked to check
// for. It has the exit code of a RefusedError.
type CheckError struct{ Err error }

func (e CheckError) Error() string { return e.Err.Error() }
func (e CheckError) Unwrap() error { return e.Err }

// DefectError ends a program that did all its work except for some scores, because a
// scorer failed on texts that it must be able to process. It is an error even though
// the tables are published, because the scorer has to be repaired.
type DefectError struct{ Scores int64 }

func (e DefectError) Error() string {
	scores := "1 score is"
	if e.Scores != 1 {
		scores = fmt.Sprintf("%d scores are", e.Scores)
	}
	return fmt.Sprintf("finished, but %s missing by a defect of a scorer: the scores table has them with reason \"panic\" or \"invalid\", the worker's log with what happened; please report it", scores)
}

// Execute runs a program of one command and returns its exit code. Data goes to
// stdout, messages go to stderr; only here are both made safe for a
// terminal (Shown). Flags that args do not set come from the
// environment. A program whose data could not be written has not done its work, whatever
// its command returns: the exit code is then ExitError. With --log-format json the last
// error is a line of JSON, too.
func Execute(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) int {
	out := &output{w: Shown(stdout)}
	stderr = Words(stderr)
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(stderr)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Version = Version()
	cmd.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return UsageError{plain(err)} })
	setHelp(cmd)
	cmd.Args = Arguments(cmd.Args)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		return FromEnvironment(cmd.Flags(), os.LookupEnv)
	}
	called, err := cmd.ExecuteContextC(ctx)
	if failed := out.failure(); failed != nil && (err == nil || finished(err)) {
		err = failed
	}
	var last strings.Builder
	code := exitCode(ctx, cmd.Name(), called.CommandPath(), err, &last)
	if log := called.Flags().Lookup("log-format"); log != nil && log.Value.String() == "json" && code != ExitOK {
		slog.New(slog.NewJSONHandler(stderr, nil)).Error(strings.TrimSpace(last.String()), "exit_code", code)
		return code
	}
	_, _ = io.WriteString(stderr, last.String()) // the exit code says the same if it cannot be written
	return code
}

// Arguments returns a check of arguments that all programs have in common: one that is empty,
// or that check refuses, is a UsageError. check may be nil.
func Arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		var err error
		switch {
		case slices.Contains(args, ""):
			err = errors.New("an argument is empty: perhaps a variable of the shell is not set")
		case check != nil:
			err = check(cmd, args)
		}
		if err != nil {
			return UsageError{err}
		}
		return nil
	}
}

// NoArguments is the check of a command that takes flags only.
func NoArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	return nil
}

// finished reports whether err is not a failure of the program but means that records were
// refused or that a check found something.
func finished(err error) bool {
	return errors.As(err, new(RefusedError)) || errors.As(err, new(CheckError))
}

// exitCode returns the exit code for err and reports the error. name is the program,
// and called is the command whose help is suggested.
func exitCode(ctx context.Context, name, called string, err error, stderr io.Writer) int {
	if err == nil {
		return ExitOK
	}
	// Packages name themselves in their errors, and some packages have a program's
	// name.
	text := strings.TrimPrefix(err.Error(), name+": ")
	var usage UsageError
	var refused RefusedError
	var check CheckError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %s\n\nSee '%s --help'.\n", name, text, called)
		return ExitUsage
	case errors.As(err, &refused):
		fmt.Fprintf(stderr, "%s: finished: %s\n", name, text)
		return ExitRefused
	case errors.As(err, &check):
		fmt.Fprintf(stderr, "%s: %s\n", name, text)
		return ExitRefused
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintf(stderr, "%s: interrupted\n", name)
		return ExitInterrupted
	}
	fmt.Fprintf(stderr, "%s: %s\n", name, text)
	return ExitError
}

// EnvName returns the name of the environment variable of a flag.
func EnvName(flag string) string {
	return "WINNOW_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// FromEnvironment sets the flags that were not given from the environment. The values of a
// flag that may be repeated are lines. A value that the flag does not take is a UsageError
// that names the variable.
func FromEnvironment(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var first error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "help" || f.Name == "help-all" || f.Name == "version" || first != nil {
			return
		}
		v, ok := lookup(EnvName(f.Name))
		if !ok {
			return
		}
		values := []string{v}
		if f.Value.Type() == "stringArray" {
			values = strings.Split(strings.Trim(v, "\n"), "\n")
		}
		for _, v := range values {
			if err := flags.Set(f.Name, v); err != nil {
				first = Usagef("%s: %w", EnvName(f.Name), plain(err))
				return
			}
		}
	})
	return first
}

// plain returns the error of a flag whose value is not of its type as a sentence that names
// no function of the library that parsed it. A flag's own UsageError is such a sentence.
func plain(err error) error {
	var usage UsageError
	if errors.As(err, &usage) {
		return usage
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	f := invalid.GetFlag()
	want := map[string]string{
		"int": "a whole number", "int64": "a whole number", "intSlice": "whole numbers separated by commas",
		"uint64": "a whole number that is not negative", "float64": "a number", "bool": "true or false", "duration": "a duration, such as 30s, 5m or 1h30m",
	}[f.Value.Type()]
	if want == "" {
		return err
	}
	problem := ""
	if errors.Is(err, strconv.ErrRange) {
		problem = " is too large"
	}
	return fmt.Errorf("--%s %q%s: want %s", f.Name, invalid.GetValue(), problem, want)
}

// Version returns the version of this build: the module's, and the revision if it was
// built in a working copy.
func Version() string {
	v, revision, _ := build()
	if revision != "" && v == "devel" {
		v += "-" + revision
	}
	return v
}

// Details returns Version, the revision and the Go release of this build, a line each.
func Details() string {
	v, revision, goVersion := build()
	if revision == "" {
		revision = "unknown"
	}
	return fmt.Sprintf("version %s\ncommit  %s\ngo      %s %s/%s\n", v, revision, goVersion, runtime.GOOS, runtime.GOARCH)
}

// release and commit are the version and the revision of a released program: deploy/release.sh sets
// them through the linker, because it builds before there is a tag, and Go does not find the
// revision in every kind of working copy.
var release, commit string

func build() (version, revision, goVersion string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", "", ""
	}
	version = info.Main.Version
	if version == "" || version == "(devel)" {
		version = "devel"
	}
	if release != "" {
		return release, commit, info.GoVersion
	}
	dirty := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision != "" {
		revision += dirty
	}
	return version, revision, info.GoVersion
}
