package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/deploy/rows"
)

// tasks are the recipes of the runs. Items are small, so that there are many.
var tasks = map[string][]string{
	"pages": {"--item-size", "4KB", "--extractors", "plain,bte,density", "--scorers", "str,vec", "--texts", "parquet"},
	"sites": {"--item-size", "8KB", "--extractors", "plain,iwptd", "--scorers", "vec", "--robots", "GPTBot,example-crawler"}, // three phases, with templates and rules of hosts
}

// lab holds what all trials share.
type lab struct {
	options
	inputs      []string
	free        ports
	undisturbed map[string]rows.Tables // by task
}

// prepare builds the programs, copies the inputs, and makes the undisturbed run of every
// task.
func prepare(ctx context.Context, o options) (*lab, error) {
	l := &lab{options: o, undisturbed: map[string]rows.Tables{}}
	var err error
	if l.work, err = filepath.Abs(o.work); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(o.crawl)
	if err != nil {
		return nil, fmt.Errorf("read the crawl: %w", err)
	}
	in := filepath.Join(l.work, "in")
	if err := os.MkdirAll(in, 0o777); err != nil {
		return nil, err
	}
	ext := "." + strings.SplitN(filepath.Base(o.crawl), ".", 2)[1]
	for i := range o.copies {
		file := filepath.Join(in, fmt.Sprintf("crawl-%d%s", i, ext))
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return nil, err
		}
		l.inputs = append(l.inputs, file)
	}
	if err := l.programs(ctx); err != nil {
		return nil, err
	}
	for task := range tasks {
		if l.undisturbed[task], err = l.expected(ctx, task); err != nil {
			return nil, fmt.Errorf("undisturbed run: %w", err)
		}
	}
	return l, nil
}

// programs makes sure that all programs are there. Those whose clocks can be set are in a
// folder of their own, and are used in trials that do so.
func (l *lab) programs(ctx context.Context) (err error) {
	given := l.bin != ""
	if !given {
		l.bin = filepath.Join(l.work, "bin")
	}
	if l.bin, err = filepath.Abs(l.bin); err != nil {
		return err
	}
	if !given {
		if err := build(ctx, l.bin); err != nil {
			return err
		}
	}
	if !slices.Contains(l.kinds, clock) {
		return nil
	}
	if _, err := os.Stat(l.clockProgram("winnow")); err == nil {
		return nil
	}
	overlay, err := clockOverlay(ctx, filepath.Join(l.work, "clock"))
	if err != nil {
		return err
	}
	return build(ctx, filepath.Dir(l.clockProgram("winnow")), "-overlay", overlay)
}

// build builds the program that is all of Winnow's programs, as in its image, and the
// broker from its module.
func build(ctx context.Context, dir string, flags ...string) error {
	args := append([]string{"build", "-o", dir + string(filepath.Separator)}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "github.com/winnow/winnow/cmd/winnow", "github.com/nats-io/nats-server/v2")...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, text)
	}
	return nil
}

func (l *lab) program(name string) string { return filepath.Join(l.bin, name) }

func (l *lab) clockProgram(name string) string { return filepath.Join(l.bin, "clock", name) }

// expected makes the undisturbed run of a task, on one machine, and returns its tables.
func (l *lab) expected(ctx context.Context, task string) (rows.Tables, error) {
	out := filepath.Join(l.work, "undisturbed-"+task)
	if err := os.RemoveAll(out); err != nil { // left by an earlier series
		return nil, err
	}
	args := append([]string{"run", "--run", "undisturbed", "--out", out, "--log-level", "warn"}, tasks[task]...)
	if text, err := exec.CommandContext(ctx, l.program("winnow"), append(args, l.inputs...)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	t, left, err := rows.Read(out)
	if err == nil && (t.Rows() == 0 || len(left) > 0) {
		err = fmt.Errorf("it has %d rows, and left %d shards", t.Rows(), len(left))
	}
	return t, err
}
