package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// spent is what a process took.
type spent struct {
	CPU    float64 `json:"cpu_seconds"`
	Memory int64   `json:"memory_bytes"` // largest resident
}

// process is a program that is measured while it runs.
type process struct {
	cmd    *exec.Cmd
	log    string
	ended  chan error
	memory int64
}

// start begins a program with its output in the file NAME.log.
func start(ctx context.Context, dir, name string, env []string, args ...string) (*process, error) {
	p := &process{log: filepath.Join(dir, name+".log"), ended: make(chan error, 1)}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.cmd = exec.CommandContext(ctx, args[0], args[1:]...)
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 10 * time.Second
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { p.ended <- p.cmd.Wait() }()
	return p, nil
}

// look notes the memory that the process has now. The operating system's own maximum for
// a child process includes the parent's memory, so it is of no use.
func (p *process) look() {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return // it has ended
	}
	if _, rest, ok := bytes.Cut(data, []byte("VmHWM:")); ok {
		if f := bytes.Fields(rest); len(f) > 0 {
			if kb, err := strconv.ParseInt(string(f[0]), 10, 64); err == nil {
				p.memory = max(p.memory, kb<<10)
			}
		}
	}
}

// spent returns what the ended process took.
func (p *process) spent() spent {
	s := p.cmd.ProcessState
	return spent{CPU: (s.UserTime() + s.SystemTime()).Seconds(), Memory: p.memory}
}

// stop asks the process to end and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.ended
}

// failed returns the error of an ended process with the end of its log.
func (p *process) failed(err error) error {
	data, _ := os.ReadFile(p.log)
	return fmt.Errorf("%s: %w\n%s", p.log, err, data[max(0, len(data)-4000):])
}
