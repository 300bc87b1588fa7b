package isolate

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

// environment is the variable that tells a process that it is a child. Its value is the
// memory limit in bytes.
const environment = "WINNOW_ISOLATED"

// exitMemory is the exit code of a child that passed its memory limit.
const exitMemory = 86

// Options bound a child. The zero Options are the defaults.
type Options struct {
	Memory int64  // bytes of heap; default DefaultMemory
	Pages  int    // after which a child is replaced, so that what leaks stays small; default 5000
	Binary string // program to start; default this one
}

// DefaultMemory bounds the heap of a child.
const DefaultMemory = 384 << 20

// Child is one isolated process, started when first needed. It belongs to one
// goroutine.
type Child struct {
	options Options
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	served  int
	warm    map[string]bool // extractors that have run in the process
}

// New returns a Child with the given bounds. It starts nothing yet.
func New(o Options) *Child {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Pages <= 0 {
		o.Pages = 5000
	}
	return &Child{options: o}
}

// crashes is how many children in a row must end at a page before the page is held
// responsible. A single child may have been killed from outside.
const crashes = 3

// Run has type driver.Isolate: it runs e on src in the child. If the child ends, Run
// tries again with new ones. If they all end, the error says how the last one ended.
func (c *Child) Run(ctx context.Context, e *algorithms.Extractor, src []byte, url string, limit time.Duration) (a driver.Answer, err error) {
	for range crashes {
		if a, err = c.once(ctx, e, src, url, limit); !errors.Is(err, driver.ErrCrash) {
			break
		}
	}
	return a, err
}

func (c *Child) once(ctx context.Context, e *algorithms.Extractor, src []byte, url string, limit time.Duration) (driver.Answer, error) {
	if c.served >= c.options.Pages {
		c.Close()
	}
	warmup, err := c.prepare(ctx, e, limit)
	if err != nil {
		return driver.Answer{}, err
	}
	c.served++
	a, err := c.ask(ctx, e, src, url, limit)
	if err != nil {
		return driver.Answer{}, err
	}
	switch a.status {
	case statusText:
		return driver.Answer{Text: a.text, Shared: a.shared, Warmup: warmup}, nil
	case statusPanic:
		return driver.Answer{Warmup: warmup}, &driver.PanicError{Value: a.text}
	default:
		return driver.Answer{Warmup: warmup}, errors.New(a.text)
	}
}

// warmupPage is the page on which an extractor runs first in every child. Libraries
// compile patterns and load tables when they are first used, which may take longer than
// a thousand pages do.
//
//go:embed warmup.html
var warmupPage []byte

// prepare starts the child if there is none, and runs the extractor on warmupPage if it
// has not run in this child. It returns how long both took. The answer does not matter,
// but an extractor that ends the child, or does not return, has done so.
func (c *Child) prepare(ctx context.Context, e *algorithms.Extractor, limit time.Duration) (time.Duration, error) {
	began := time.Now()
	if c.process == nil {
		if err := c.start(); err != nil {
			return 0, fmt.Errorf("%w: %w", driver.ErrNoProcess, err)
		}
	}
	if c.warm[e.Name] {
		return 0, nil
	}
	if _, err := c.ask(ctx, e, warmupPage, "http://warmup.example/", limit); err != nil {
		return 0, err
	}
	c.warm[e.Name] = true
	return time.Since(began), nil
}

// ask sends a request to the child and returns its answer. If there is none within the
// limit, it ends the child.
func (c *Child) ask(ctx context.Context, e *algorithms.Extractor, src []byte, url string, limit time.Duration) (answer, error) {
	type reply struct {
		answer
		err error
	}
	done := make(chan reply, 1)
	go func() {
		var a reply
		if a.err = writeRequest(c.in, e.Name, url, src); a.err == nil {
			a.answer, a.err = readAnswer(c.out)
		}
		done <- a
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a := <-done:
		if a.err != nil {
			return answer{}, c.autopsy(a.err)
		}
		return a.answer, nil
	case <-timer.C:
		c.kill()
		<-done // the pipes are closed now; whoever starts a goroutine waits for it
		return answer{}, driver.ErrTime
	case <-ctx.Done():
		c.kill()
		<-done
		return answer{}, ctx.Err()
	}
}

// Close ends the child, if there is one.
func (c *Child) Close() {
	if c.process == nil {
		return
	}
	c.in.Close() // Serve ends at the end of its input
	exited := make(chan struct{})
	process := c.process
	timer := time.AfterFunc(time.Second, func() { process.Process.Kill() })
	go func() { process.Wait(); close(exited) }()
	<-exited
	timer.Stop()
	c.process, c.served = nil, 0
}

func (c *Child) start() error {
	binary := c.options.Binary
	if binary == "" {
		own, err := os.Executable()
		if err != nil {
			return fmt.Errorf("isolate: %w", err)
		}
		binary = own
	}
	cmd := exec.Command(binary)
	cmd.Env = childEnvironment(os.Environ(), c.options.Memory)
	cmd.Stderr = io.Discard // the exit code is enough to tell why a child ended
	ownProcessGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("isolate: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("isolate: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("isolate: start %s: %w", binary, err)
	}
	c.process, c.in, c.out, c.served, c.warm = cmd, in, bufio.NewReader(out), 0, map[string]bool{}
	return nil
}

// inherited lists the variables that a child may need: the locations of libraries and
// temporary files, the time zone, and what the Go runtime prints and measures.
// Serve chooses the child's garbage collection itself. Credentials of buckets and brokers
// are in the environment as well, and a library that a hostile page has taken over must
// not find them.
var inherited = []string{"HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ",
	"GODEBUG", "GOTRACEBACK", "GOCOVERDIR", "SYSTEMROOT", "TEMP", "TMP"}

// childEnvironment returns the environment of a child.
func childEnvironment(parent []string, memory int64) []string {
	var env []string
	for _, v := range parent {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(inherited, name) {
			env = append(env, v)
		}
	}
	return append(env, environment+"="+strconv.FormatInt(memory, 10))
}

func (c *Child) kill() {
	c.process.Process.Kill()
	c.process.Wait()
	c.process, c.served = nil, 0
}

// autopsy waits for the end of a child whose answer could not be read, and returns the
// cause.
func (c *Child) autopsy(talk error) error {
	err := c.process.Wait()
	c.process, c.served = nil, 0
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == exitMemory {
		return driver.ErrMemory
	}
	return fmt.Errorf("%w: %v (%v)", driver.ErrCrash, err, talk)
}
