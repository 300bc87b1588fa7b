//go:build !linux

package main

import "errors"

// smallDisk needs a file system in memory, which only Linux has in this form.
type smallDisk struct{ dir string }

var errNoDisk = errors.New("small file systems are mounted on Linux only")

func newDisk(string) (*smallDisk, error) { return nil, errNoDisk }
func canMount(string) error              { return errNoDisk }
func (*smallDisk) fill() error           { return errNoDisk }
func (*smallDisk) free()                 {}
func (*smallDisk) close() error          { return nil }
