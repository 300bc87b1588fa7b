//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps a terminal's ctrl-C from the process: the worker drains, and its page
// in flight must be able to finish.
func ownProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the process and those that it has started.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
