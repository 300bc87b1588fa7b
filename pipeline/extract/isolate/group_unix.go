//go:build unix

package isolate

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps a terminal's ctrl-C from the child: the worker drains,
// and its page in flight must be able to finish.
func ownProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
