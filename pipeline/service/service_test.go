package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestMain lets the test binary be a program that Main runs.
func TestMain(m *testing.M) {
	if os.Getenv("SERVICE_TEST_PROGRAM") != "" {
		Main(func(ctx context.Context) int {
			fmt.Println("begun")
			<-ctx.Done()
			fmt.Println("draining")
			if os.Getenv("SERVICE_TEST_PROGRAM") == "hangs" {
				select {}
			}
			return 7
		})
	}
	os.Exit(m.Run())
}

func TestSignals(t *testing.T) {
	f := func(kind string, sig syscall.Signal, signals, code int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		// A shell that starts a program in the background ignores SIGINT in the same
		// way.
		cmd := exec.CommandContext(ctx, "sh", "-c", `trap "" INT; exec "$0"`, os.Args[0])
		cmd.Env = append(os.Environ(), "SERVICE_TEST_PROGRAM="+kind)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"begun\n", "draining\n"}[:signals] {
			got := make([]byte, len(line))
			if _, err := io.ReadFull(out, got); err != nil || string(got) != line {
				t.Fatalf("%s: read %q, %v", kind, got, err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Errorf("%s, %v: ended with %v, want code %d", kind, sig, cmd.ProcessState, code)
		}
	}
	f("drains", syscall.SIGTERM, 1, 7)
	f("drains", syscall.SIGINT, 1, 7)
	f("hangs", syscall.SIGTERM, 2, 143)
	f("hangs", syscall.SIGINT, 2, 130)
}

// fullDisk is a standard output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	f := func(result error, args []string, code int, words string) {
		t.Helper()
		var stderr bytes.Buffer
		cmd := &cobra.Command{Use: "prog", RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintln(cmd.OutOrStdout(), "data")
			return result
		}}
		if got := Execute(t.Context(), cmd, args, fullDisk{}, &stderr); got != code || !strings.HasPrefix(stderr.String(), words) {
			t.Errorf("%v, %v: exit %d, %q", result, args, got, stderr.String())
		}
	}
	const full = "prog: no space left on device\n"
	f(nil, nil, 1, full)
	f(nil, []string{"--help"}, 1, full)
	f(RefusedError{Records: 3}, nil, 1, full)
	f(CheckError{errors.New("worse")}, nil, 1, full)
	f(Usagef("no input"), nil, 2, "prog: no input")
	f(errors.New("store: lost"), nil, 1, "prog: store: lost\n")
}

func TestExitCodes(t *testing.T) {
	f := func(err error, code int, words string) {
		t.Helper()
		var stderr bytes.Buffer
		cmd := &cobra.Command{Use: "prog", RunE: func(*cobra.Command, []string) error { return err }}
		if got := Execute(t.Context(), cmd, nil, io.Discard, &stderr); got != code || !strings.HasPrefix(stderr.String(), words) {
			t.Errorf("%v: exit %d, %q", err, got, stderr.String())
		}
	}
	f(nil, 0, "")
	f(errors.New("store: full"), 1, "prog: store: full\n")
	f(Usagef("no input"), 2, "prog: no input\n\nSee 'prog --help'.")
	f(errors.New("prog: full"), 1, "prog: full\n") // the error of a package with the program's name
	f(Usagef("prog: no input"), 2, "prog: no input\n\nSee")
	f(fmt.Errorf("end: %w", RefusedError{Records: 3}), 3, "prog: finished: end: 3 records were refused")
	f(RefusedError{Records: 1, Items: 1, Files: 1, Bytes: 1}, 3, "prog: finished: 1 record was refused, 1 item is dead, 1 byte of 1 file was lost")
	f(RefusedError{Files: 1}, 3, "prog: finished: an unknown number of bytes of 1 file was lost\n")
	f(RefusedError{Files: 2}, 3, "prog: finished: an unknown number of bytes of 2 files was lost\n")
	f(DefectError{1}, 1, "prog: finished, but 1 score is missing by a defect")
	f(fmt.Errorf("end: %w", DefectError{4}), 1, "prog: end: finished, but 4 scores are missing by a defect")
	f(context.Canceled, 1, "prog: context canceled") // cancelled by something other than a signal

	verb := &cobra.Command{Use: "verb", RunE: func(*cobra.Command, []string) error { return Usagef("no input") }}
	several := &cobra.Command{Use: "prog"}
	several.AddCommand(verb)
	var stderr bytes.Buffer
	if got := Execute(t.Context(), several, []string{"verb"}, io.Discard, &stderr); got != 2 || !strings.Contains(stderr.String(), "See 'prog verb --help'.") {
		t.Errorf("a verb's mistake: exit %d, %q", got, stderr.String())
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := &cobra.Command{Use: "prog", RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Context().Err() }}
	if got := Execute(ctx, cmd, nil, io.Discard, io.Discard); got != 130 {
		t.Errorf("interrupted: exit %d", got)
	}
	for args, want := range map[string]string{"": "prog: an argument is empty: perhaps a variable of the shell is not set\n", "x": "prog: unexpected argument \"x\"\n"} {
		var stderr bytes.Buffer
		cmd := &cobra.Command{Use: "prog", Args: NoArguments, RunE: func(*cobra.Command, []string) error { return nil }}
		if got := Execute(t.Context(), cmd, []string{args}, io.Discard, &stderr); got != 2 || !strings.HasPrefix(stderr.String(), want) {
			t.Errorf("argument %q: exit %d, %q", args, got, stderr.String())
		}
	}
	if got := Execute(t.Context(), cmd, []string{"--nonsense"}, io.Discard, io.Discard); got != 2 {
		t.Errorf("unknown flag: exit %d", got)
	}
}

func TestFlagsFromEnvironment(t *testing.T) {
	f := func(args []string, env, want string, fails bool) {
		t.Helper()
		cmd := &cobra.Command{Use: "prog", RunE: func(*cobra.Command, []string) error { return nil }}
		n := cmd.Flags().Int("item-size", 1, "")
		if err := cmd.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		err := FromEnvironment(cmd.Flags(), func(name string) (string, bool) { return env, name == "WINNOW_ITEM_SIZE" && env != "" })
		if (err != nil) != fails || !fails && fmt.Sprint(*n) != want {
			t.Errorf("%v %q: %d, %v", args, env, *n, err)
		}
		if fails && !strings.Contains(err.Error(), "WINNOW_ITEM_SIZE") {
			t.Errorf("the error does not name the variable: %v", err)
		}
	}
	f(nil, "", "1", false)
	f(nil, "5", "5", false)
	f([]string{"--item-size=3"}, "5", "3", false)
	f(nil, "many", "", true)
}

// The values of a flag that may be repeated are lines, so that they may have any other
// character.
func TestRepeatedFlagFromEnvironment(t *testing.T) {
	flags := pflag.NewFlagSet("prog", pflag.ContinueOnError)
	folders := flags.StringArray("only-new", nil, "")
	err := FromEnvironment(flags, func(name string) (string, bool) { return "s3://a/b,c?d=1\n/my runs\n", name == "WINNOW_ONLY_NEW" })
	if err != nil || !slices.Equal(*folders, []string{"s3://a/b,c?d=1", "/my runs"}) {
		t.Errorf("%q, %v", *folders, err)
	}
}

// --help shows the flags that are used most, --help-all the others, too.
func TestHelp(t *testing.T) {
	help := func(args ...string) string {
		cmd := &cobra.Command{Use: "prog NAME", Short: "Do it", Args: cobra.ExactArgs(1), RunE: func(*cobra.Command, []string) error { return nil },
			Annotations: map[string]string{More: "in detail"}}
		Group(cmd.Flags(), "Work", func(f *pflag.FlagSet) { f.Bool("usual", false, "") })
		Rare(cmd.Flags(), "Work", func(f *pflag.FlagSet) { f.Bool("rare", false, "") })
		Formerly(cmd.Flags(), map[string]string{"old": "--usual"})
		var out bytes.Buffer
		if code := Execute(t.Context(), cmd, args, &out, io.Discard); code != 0 {
			t.Fatalf("%v: exit code %d", args, code)
		}
		return out.String()
	}
	const usual = "Do it\n\nUsage:\n  prog NAME [flags]\n\nWork:\n      --usual   \n"
	if got := help("--help"); !strings.HasPrefix(got, usual) || strings.Contains(got, "--rare") || strings.Contains(got, "--old") {
		t.Errorf("--help: %s", got)
	}
	if got := help("--help-all"); !strings.Contains(got, "Do it\n\nin detail\n") || !strings.Contains(got, "Work:\n      --usual   \n      --rare    \n") || strings.Contains(got, "--old") {
		t.Errorf("--help-all: %s", got)
	}
}

func TestServer(t *testing.T) {
	var ready atomic.Bool
	s, err := Serve("127.0.0.1:0", NewRegistry(), func() error {
		if !ready.Load() {
			return errors.New("not connected")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string, code int, words string) {
		t.Helper()
		c := http.Client{Timeout: 10 * time.Second}
		resp, err := c.Get("http://" + s.Addr + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != code || !strings.Contains(string(body), words) {
			t.Errorf("%s: %d %.200q", path, resp.StatusCode, body)
		}
	}
	get("/healthz", 200, "ok")
	get("/readyz", 503, "not connected")
	ready.Store(true)
	get("/readyz", 200, "ok")
	get("/metrics", 200, "winnow_build_info{")
	get("/", 404, "")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Serve("nowhere:x", NewRegistry(), nil); err == nil {
		t.Error("an impossible address was taken")
	}
}

func TestLogger(t *testing.T) {
	f := func(format, level, want string) {
		t.Helper()
		var b bytes.Buffer
		l, err := Logger(&b, format, level)
		if err != nil {
			t.Fatal(err)
		}
		l.Debug("unseen")
		l.Info("hello", "item", "f00001-i00002")
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "unseen") {
			t.Errorf("%s %s: %q", format, level, b.String())
		}
	}
	f("", "", `"item":"f00001-i00002"`)
	f("text", "info", `item=f00001-i00002`)
	for _, bad := range [][2]string{{"xml", ""}, {"", "loud"}} {
		if _, err := Logger(io.Discard, bad[0], bad[1]); !errors.As(err, &UsageError{}) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestSizes(t *testing.T) {
	f := func(s string, want int64, shown string) {
		t.Helper()
		n, err := ParseBytes(s)
		if err != nil || n != want || Bytes(n) != shown {
			t.Errorf("%q: %d (%s), %v", s, n, Bytes(n), err)
		}
	}
	f("0", 0, "0 B")
	f("1023", 1023, "1023 B")
	f("64MiB", 64<<20, "64 MiB")
	f("64 MiB", 64<<20, "64 MiB")
	f("1.5g", 3<<29, "1.5 GiB")
	f("1048575", 1<<20-1, "1 MiB")
	for _, bad := range []string{"", "MiB", "-1", "5 parsecs", "1e300", "nan"} {
		if n, err := ParseBytes(bad); err == nil {
			t.Errorf("%q: %d", bad, n)
		}
	}
}
