package process

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
)

// environment is the variable that sets how many bytes of memory a program has, and that tells
// the program.
const environment = "WINNOW_EXTRACTOR_MEMORY"

// Options bound processes. The zero Options are the defaults.
type Options struct {
	Memory int64         // bytes that a process and those that it starts have; default the variable WINNOW_EXTRACTOR_MEMORY, or DefaultMemory
	Pages  int           // after which a process is replaced; default 5000
	Start  time.Duration // until the first line of a program, which may load a model before; default 2 minutes
}

// DefaultMemory bounds the memory of a process.
const DefaultMemory = 768 << 20

// Processes are those of one slot: one for each program, started when it is first needed.
type Processes struct {
	options Options
	running map[string]*child // by the name of the extractor
}

// New returns Processes with the given bounds. It starts nothing yet.
func New(o Options) *Processes {
	if o.Memory <= 0 {
		o.Memory, _ = strconv.ParseInt(os.Getenv(environment), 10, 64)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Pages <= 0 {
		o.Pages = 5000
	}
	if o.Start <= 0 {
		o.Start = 2 * time.Minute
	}
	return &Processes{options: o, running: map[string]*child{}}
}

// Check starts the program of an extractor, reads what it says about itself, and ends it.
func (p *Processes) Check(ctx context.Context, e *algorithms.Extractor) (Hello, error) {
	c, err := p.start(ctx, e.Command)
	if err != nil {
		return Hello{}, err
	}
	c.close()
	return c.hello, nil
}

// crashes is how many processes in a row must end at a page before the page is held
// responsible. A single process may have been killed from outside.
const crashes = 3

// Run has type driver.Isolate: it runs the program of e on a page. If its process ends, Run
// tries again with new ones. If they all end, the error says how the last one ended.
func (p *Processes) Run(ctx context.Context, e *algorithms.Extractor, in driver.Input, limit time.Duration) (a driver.Answer, err error) {
	for range crashes {
		if a, err = p.once(ctx, e, in, limit); !errors.Is(err, driver.ErrCrash) {
			break
		}
	}
	return a, err
}

func (p *Processes) once(ctx context.Context, e *algorithms.Extractor, in driver.Input, limit time.Duration) (a driver.Answer, err error) {
	c := p.running[e.Name]
	if c != nil && c.asked >= p.options.Pages {
		c.close()
		c = nil
	}
	delete(p.running, e.Name) // until it has answered
	if c == nil {
		if c, err = p.start(ctx, e.Command); err != nil {
			return a, fmt.Errorf("%w: %s: %w", driver.ErrNoProcess, e.Name, err)
		}
		// What the program makes of this page does not matter.
		if _, err := c.ask(ctx, warmup, limit); err != nil && !goesOn(err) {
			return a, err
		}
	}
	began := time.Now()
	answered, err := c.ask(ctx, in, limit)
	a.Took = time.Since(began)
	if err == nil || goesOn(err) {
		p.running[e.Name] = c
	}
	if err != nil {
		return a, err
	}
	// What the program says is without the time of the pipes and of JSON.
	if own := time.Duration(answered.NS); own > 0 && own < a.Took {
		a.Took = own
	}
	a.Text = textOf(&answered)
	return a, nil
}

// Close ends the processes.
func (p *Processes) Close() {
	for _, c := range p.running {
		c.close()
	}
	clear(p.running)
}

//go:embed warmup.html
var warmupPage []byte

// warmup is the first page that every process is asked for.
var warmup = driver.Input{HTML: warmupPage, URL: "http://warmup.example/"}

// child is one process.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr tail
	hello  Hello
	memory int64
	asked  int
}

// pageError is an error of a program about a page.
type pageError string

func (e pageError) Error() string { return string(e) }

// goesOn reports whether the process can be asked for other pages after err.
func goesOn(err error) bool {
	return errors.As(err, new(pageError)) || errors.Is(err, driver.ErrDeclined)
}

// start starts a program and reads its first line.
func (p *Processes) start(ctx context.Context, command []string) (*child, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = environmentOf(os.Environ(), p.options.Memory)
	cmd.WaitDelay = time.Second // what it started may keep its standard error open
	ownProcessGroup(cmd)
	c := &child{cmd: cmd, memory: p.options.Memory}
	cmd.Stderr = &c.stderr
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command[0], err)
	}
	err = c.await(ctx, p.options.Start, func() (err error) { c.hello, err = readHello(c.out); return err })
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", strings.Join(command, " "), err)
	}
	return c, nil
}

// ask sends a page to the process and returns its answer. After an error other than a
// pageError and driver.ErrDeclined the process has ended.
func (c *child) ask(ctx context.Context, in driver.Input, limit time.Duration) (a Answer, err error) {
	c.asked++
	err = c.await(ctx, limit, func() (err error) {
		if err = writeRequest(c.in, Request{int64(c.asked), in.Package, in.Document, in.URL, string(in.HTML)}); err == nil {
			a, err = readAnswer(c.out, int64(c.asked), maxAnswer(len(in.HTML)))
		}
		return err
	})
	switch {
	case err != nil:
	case a.Error != "":
		err = pageError(a.Error)
	case a.Declined != "":
		err = fmt.Errorf("%w: %s", driver.ErrDeclined, a.Declined)
	}
	return a, err
}

// memoryPeriod is the interval at which the memory of a process is checked while it works.
const memoryPeriod = 50 * time.Millisecond

// await calls talk, which writes to the process and reads from it. If talk fails, or does not
// return within limit, or the process takes too much memory, await ends the process and
// returns the cause.
func (c *child) await(ctx context.Context, limit time.Duration, talk func() error) error {
	done := make(chan error, 1)
	go func() { done <- talk() }()
	timer, ticker := time.NewTimer(limit), time.NewTicker(memoryPeriod)
	defer timer.Stop()
	defer ticker.Stop()
	for {
		var end error
		select {
		case err := <-done:
			if err == nil {
				return nil
			}
			return c.autopsy(err)
		case <-timer.C:
			end = driver.ErrTime
		case <-ctx.Done():
			end = ctx.Err()
		case <-ticker.C:
			if memoryOf(c.cmd.Process.Pid) <= c.memory {
				continue
			}
			end = driver.ErrMemory
		}
		killGroup(c.cmd)
		c.cmd.Wait() // closes the pipes
		<-done
		return end
	}
}

// autopsy waits for the end of a process whose answer could not be read, and returns the
// cause. A process that goes on after it has broken the protocol is killed.
func (c *child) autopsy(talk error) error {
	if !errors.Is(talk, io.EOF) && !errors.Is(talk, io.ErrUnexpectedEOF) {
		killGroup(c.cmd)
	}
	c.in.Close()
	timer := time.AfterFunc(time.Second, func() { killGroup(c.cmd) }) // it has closed its output and goes on
	defer timer.Stop()
	err := c.cmd.Wait()
	if errors.Is(talk, driver.ErrAnswer) {
		return talk
	}
	words := ""
	if text := strings.TrimSpace(string(c.stderr.end)); text != "" {
		words = "; its last words: " + text
	}
	return fmt.Errorf("%w: %v (%w)%s", driver.ErrCrash, err, talk, words)
}

// close ends the process: a program ends at the end of its input.
func (c *child) close() {
	c.in.Close()
	timer := time.AfterFunc(time.Second, func() { killGroup(c.cmd) })
	defer timer.Stop()
	c.cmd.Wait()
}

// inherited lists the variables that a program may need: the locations of libraries, models
// and temporary files, the time zone, and what the Go runtime prints and measures.
// Credentials of buckets and brokers are in the environment as well, and a library that a
// hostile page has taken over must not find them.
var inherited = []string{"HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ",
	"NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CUDA_VISIBLE_DEVICES", "HF_HOME",
	"GODEBUG", "GOTRACEBACK", "GOCOVERDIR", "SYSTEMROOT", "TEMP", "TMP"}

// environmentOf returns the environment of a program.
func environmentOf(own []string, memory int64) []string {
	var env []string
	for _, v := range own {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(inherited, name) {
			env = append(env, v)
		}
	}
	return append(env, environment+"="+strconv.FormatInt(memory, 10))
}
