package main

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is a program that can be killed, stopped and started again. Its output goes to
// one file. It is used by one goroutine.
type process struct {
	name string
	args []string // the program's path first
	env  []string // beside the harness's own
	log  string

	cmd    *exec.Cmd
	ended  chan struct{}
	code   int
	notYet time.Time // it is not started again before
	paused bool
}

// start begins the program. Its old process must have ended.
func (p *process) start() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	p.cmd, p.ended, p.paused = cmd, ended, false
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	return nil
}

// running reports whether the process has not ended. If it has, code is its exit code.
func (p *process) running() bool {
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.ended:
		p.code = p.cmd.ProcessState.ExitCode()
		return false
	default:
		return true
	}
}

// succeeded reports whether the process has ended with exit code 0.
func (p *process) succeeded() bool { return p.cmd != nil && !p.running() && p.code == 0 }

// kill ends the process without a warning.
func (p *process) kill() {
	if p.running() {
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// end asks the process to end, waits for some time, and reports whether it did.
func (p *process) end(wait time.Duration) bool {
	if !p.running() {
		return true
	}
	p.resume()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
		return true
	case <-time.After(wait):
		p.kill()
		return false
	}
}

func (p *process) pause() {
	if p.running() {
		_ = p.cmd.Process.Signal(syscall.SIGSTOP)
		p.paused = true
	}
}

func (p *process) resume() {
	if p.paused && p.running() {
		_ = p.cmd.Process.Signal(syscall.SIGCONT)
	}
	p.paused = false
}
