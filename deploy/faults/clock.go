package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A clock that jumps is tried with programs that are built from the same source but for
// package time: there, time.Now adds to the wall clock what a file says. The monotonic
// clock, by which timers run, goes on as it does on a machine whose clock is set. The
// clock of the machine is left alone, and the programs need no code for it.

//go:embed clock.txt
var clockSource []byte

// clockOverlay writes the changed files of package time to a folder, and returns the file
// that tells go build of them.
func clockOverlay(ctx context.Context, dir string) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find the source of package time: %w", err)
	}
	pkg := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(pkg, "time.go"))
	if err != nil {
		return "", fmt.Errorf("find the source of package time: %w", err)
	}
	const reads = "sec, nsec, mono := runtimeNow()"
	if bytes.Count(source, []byte(reads)) != 1 {
		return "", errors.New("time.Now of this version of Go reads the clock in another way: adapt deploy/faults/clock.go, or leave the fault clock out (--faults)")
	}
	source = bytes.Replace(source, []byte(reads), []byte("sec, nsec, mono := shiftedNow()"), 1)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, data := range map[string][]byte{"time.go": source, "shift.go": clockSource} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(pkg, name)] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o666)
}

// wallClock is the file that says by how much the clock of a process is wrong.
type wallClock string

func (c wallClock) env() string { return "FAULTS_CLOCK=" + string(c) }

// shift sets the clock of the process, from now on or from its start.
func (c wallClock) shift(by time.Duration) error {
	f, err := os.OpenFile(string(c), os.O_CREATE|os.O_WRONLY, 0o666) // not truncated: the process has mapped it
	if err != nil {
		return err
	}
	_, err = f.Write(binary.NativeEndian.AppendUint64(nil, uint64(int64(by/time.Second))))
	return errors.Join(err, f.Close())
}
