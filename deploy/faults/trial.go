package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow/winnow/deploy/rows"
)

// world is the processes of a trial and what they work on.
type world struct {
	*lab
	plan    plan
	dir     string
	out     string // output folder, as the programs name it
	brokers []*broker
	all     []*process // those of Winnow; ingest is the first
	disk    *smallDisk
	store   *objectStore
	clocks  map[string]wallClock // by the names of processes; none unless they are set

	active   []activeFault
	happened []event
	restarts int
	// leftovers are the messages and shards that are there when the run is over.
	leftovers []string
	extra     sync.WaitGroup // goroutines of faults
}

// trial runs one trial from its seed.
func (l *lab) trial(ctx context.Context, i int) *result {
	p := newPlan(l.seed+uint64(i), l.kinds)
	r := &result{Trial: i, Seed: p.Seed, Task: p.Task, Nodes: p.Nodes, Sync: p.Sync, Kinds: p.Kinds,
		Repeat: fmt.Sprintf("go run ./deploy/faults --trials 1 --seed %d --faults %s", p.Seed, names(l.kinds))}
	w := &world{lab: l, plan: p, dir: filepath.Join(l.work, fmt.Sprintf("trial-%d", p.Seed))}
	began := time.Now()
	problems, err := w.run(ctx)
	r.Seconds = time.Since(began).Seconds()
	if err != nil {
		problems = append(problems, err.Error())
	}
	var got rows.Tables
	if len(problems) == 0 {
		var left []string
		if got, left, err = w.tables(); err != nil {
			problems = append(problems, err.Error())
		} else {
			problems = append(problems, got.Difference(l.undisturbed[p.Task])...)
		}
		for _, shard := range left {
			w.leftovers = append(w.leftovers, shard+" is left, though the manifest does not name it")
		}
		if !w.mayLeave() {
			problems = append(problems, w.leftovers...)
		}
	}
	r.Problems, r.Events, r.Restarts, r.Rows, r.Leftovers = problems, w.happened, w.restarts, got.Rows(), len(w.leftovers)
	if w.disk != nil {
		if len(problems) > 0 && l.keep { // what is in memory would be lost
			_ = os.CopyFS(filepath.Join(w.dir, "out-kept"), os.DirFS(w.disk.dir))
		}
		if err := w.disk.close(); err != nil {
			r.Problems = append(r.Problems, "unmount the small file system: "+err.Error())
		}
	}
	if w.store != nil {
		w.store.close()
	}
	if r.passed() || !l.keep {
		os.RemoveAll(w.dir)
	} else {
		r.Folder = w.dir
	}
	return r
}

// run starts everything, lets the faults happen, and waits for the end of the run. When it
// returns, no process is left.
func (w *world) run(ctx context.Context) (problems []string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer w.extra.Wait()
	defer cancel()
	defer w.killAll()
	if err := w.build(ctx); err != nil {
		return nil, err
	}
	for _, p := range w.all {
		if err := p.start(); err != nil {
			return nil, err
		}
	}
	began, pending := time.Now(), slices.Clone(w.plan.Events)
	healed, heard, said := began, began, int64(0)
	for !w.done() {
		now := time.Now()
		w.expire(now)
		for len(pending) > 0 && now.Sub(began) >= pending[0].At {
			w.begin(ctx, pending[0], now)
			pending = pending[1:]
		}
		if len(pending) > 0 || len(w.active) > 0 {
			healed = now
		}
		if n := w.said(); n != said {
			said, heard = n, now
		}
		if idle := now.Sub(healed); idle > longest*w.patience || min(idle, now.Sub(heard)) > w.patience {
			return w.stuck(), nil
		}
		if err := w.supervise(now); err != nil {
			return nil, err
		}
		if !sleep(ctx, 20*time.Millisecond) {
			return nil, context.Cause(ctx)
		}
	}
	w.expire(time.Now().Add(time.Hour)) // faults that were to last longer than the run
	return w.finish(ctx)
}

// longest is how many times the patience a run may take whose programs go on to log. On a
// busy machine a run is slow, which is not a fault.
const longest = 5

// said is the size of the programs' logs.
func (w *world) said() (n int64) {
	for _, p := range w.all {
		if info, err := os.Stat(p.log); err == nil {
			n += info.Size()
		}
	}
	return n
}

// build makes the folder, the brokers, the place of the output and the processes.
func (w *world) build(ctx context.Context) (err error) {
	if err := os.RemoveAll(w.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return err
	}
	w.out = filepath.Join(w.dir, "out")
	var env []string
	switch {
	case w.plan.Disk:
		if w.disk, err = newDisk(filepath.Join(w.dir, "disk")); err != nil {
			return fmt.Errorf("mount a small file system: %w", err)
		}
		w.out = filepath.Join(w.disk.dir, "out")
	case w.plan.Bucket:
		if w.store, err = newObjectStore(w.plan.Seed); err != nil {
			return err
		}
		w.out, env = w.store.url("out"), w.store.env()
	}
	program := w.program
	clockOf := func(name string) []string { return nil } // environment variables that set the clock of a process
	if slices.Contains(w.plan.Kinds, clock) {
		program, w.clocks = w.clockProgram, map[string]wallClock{}
		for _, name := range slices.Concat(w.plan.programs(), w.plan.brokers()) {
			w.clocks[name] = wallClock(filepath.Join(w.dir, name+".clock"))
			if err := w.clocks[name].shift(0); err != nil {
				return err
			}
		}
		clockOf = func(name string) []string { return []string{w.clocks[name].env()} }
	}
	brokers := cluster{program("nats-server"), w.dir, &w.free, w.plan.brokers(), w.plan.Sync, clockOf}
	if w.brokers, err = brokers.start(ctx); err != nil {
		return err
	}
	var urls []string
	for _, b := range w.brokers {
		urls = append(urls, "nats://"+b.front.addr())
	}
	run := fmt.Sprintf("trial-%d", w.plan.Seed)
	common := []string{"--nats", strings.Join(urls, ","), "--nats-wait", "60s", "--run", run}
	for _, name := range w.plan.programs() {
		verb := strings.TrimRight(name, "0123456789")
		args := append([]string{program("winnow"), verb}, common...)
		switch verb {
		case "ingest":
			// The lease is short, so that what stopped processes have is given to others.
			args = append(args, "--out", w.out, "--lease", "2s", "--nats-replicas", fmt.Sprint(w.plan.Nodes))
			args = append(append(args, tasks[w.plan.Task]...), w.inputs...)
		case "worker":
			args = append(args, "--slots", fmt.Sprint(w.plan.Slots))
		case "aggregate":
			args = append(args, "--quiet", "2s", "--exit-when-done", "--temp", w.dir)
		}
		w.all = append(w.all, &process{name: name, args: args, env: slices.Concat(env, clockOf(name)), log: filepath.Join(w.dir, name+".log")})
	}
	return nil
}

// supervise starts again what has ended, as a cluster manager does: ingest and aggregators
// until they have succeeded, which may be after the run has ended, and everything else until
// then.
func (w *world) supervise(now time.Time) error {
	again := func(p *process, wanted bool) error {
		if p.running() || !wanted {
			return nil
		}
		if p.notYet.IsZero() {
			p.notYet = now.Add(300 * time.Millisecond)
		}
		if now.Before(p.notYet) {
			return nil
		}
		p.notYet = time.Time{}
		w.restarts++
		return p.start()
	}
	for _, b := range w.brokers {
		if err := again(&b.process, true); err != nil {
			return err
		}
	}
	success := w.success()
	for _, p := range w.all {
		wanted := !p.succeeded()
		if strings.HasPrefix(p.name, "worker") {
			wanted = !success
		}
		if err := again(p, wanted); err != nil {
			return err
		}
	}
	return nil
}

// success reports whether the run has ended.
func (w *world) success() bool {
	if w.store != nil {
		_, err := w.store.backend.HeadObject(bucketName, "out/_SUCCESS")
		return err == nil
	}
	_, err := os.Stat(filepath.Join(w.out, "_SUCCESS"))
	return err == nil
}

// done reports whether the run has ended and all aggregators have succeeded, because it is
// they that have the broker delete the messages of the run.
func (w *world) done() bool {
	if !w.success() {
		return false
	}
	for _, p := range w.all {
		if strings.HasPrefix(p.name, "aggregate") && !p.succeeded() {
			return false
		}
	}
	return true
}

// finish ends all processes in order, and checks that they do end and that the broker is
// clean. The brokers run meanwhile: a worker that is to end waits for one to report to.
func (w *world) finish(ctx context.Context) (problems []string, err error) {
	for _, b := range w.brokers {
		if !b.running() {
			if err := b.start(); err != nil {
				return problems, err
			}
		}
	}
	for _, b := range w.brokers {
		if err := b.await(ctx, "/varz", time.Minute); err != nil {
			return append(problems, err.Error()), nil
		}
	}
	for _, p := range w.all {
		if !p.end(30 * time.Second) {
			problems = append(problems, p.name+" does not end within 30 s of SIGTERM")
		}
	}
	left, behind, err := left(ctx, w.brokers, 30*time.Second)
	if err != nil {
		return problems, err
	}
	for _, l := range left {
		w.leftovers = append(w.leftovers, "the broker still holds "+l)
	}
	if len(left) == 0 {
		problems = append(problems, behind...)
	}
	return problems, nil
}

// mayLeave reports whether shards and messages may be left after the run. A broker that
// has lost its data is filled again, and then workers may finish items a second time at
// the moment when the run ends by their first reports; and the harness itself may publish
// a message a second time at that moment. Nothing reads what is left.
func (w *world) mayLeave() bool {
	return slices.ContainsFunc(w.happened, func(e event) bool {
		return slices.Contains([]kind{forget, rollback, duplicate}, e.Kind)
	})
}

// stuck describes a run that does not end.
func (w *world) stuck() []string {
	problems := []string{fmt.Sprintf("the run has not ended %s after the last fault, and after the last line that a program has logged", w.patience)}
	for _, p := range w.all {
		state := "runs"
		if !p.running() {
			state = fmt.Sprintf("ended with exit code %d", p.code)
		}
		problems = append(problems, fmt.Sprintf("%s %s; its last line: %s", p.name, state, lastLine(p.log)))
	}
	return problems
}

func lastLine(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return fmt.Sprintf("%.600s", lines[len(lines)-1])
}

// killAll leaves no process behind.
func (w *world) killAll() {
	for _, p := range w.all {
		p.kill()
	}
	for _, b := range w.brokers {
		b.kill()
		b.front.close()
	}
}

// tables reads the tables of the run.
func (w *world) tables() (t rows.Tables, left []string, err error) {
	out := w.out
	if w.store != nil {
		out = filepath.Join(w.dir, "out")
		if err := w.store.download("out", out); err != nil {
			return nil, nil, err
		}
	}
	return rows.Read(out)
}
