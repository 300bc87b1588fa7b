package main

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// smallDisk is a file system in memory that can be filled.
type smallDisk struct{ dir string }

const (
	diskSize = "64m"
	ballast  = "ballast" // the file that fills it
)

// newDisk mounts a small file system. Only root may do that.
func newDisk(dir string) (*smallDisk, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+diskSize); err != nil {
		return nil, err
	}
	return &smallDisk{dir}, nil
}

// canMount tries whether a file system can be mounted below a folder.
func canMount(below string) error {
	dir := filepath.Join(below, "mount")
	d, err := newDisk(dir)
	if err != nil {
		return err
	}
	defer os.Remove(dir)
	return d.close()
}

// fill writes until there is no space left.
func (d *smallDisk) fill() error {
	f, err := os.Create(filepath.Join(d.dir, ballast))
	if err != nil {
		return err
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if n, err := f.Write(make([]byte, size)); err != nil && n == 0 {
			size /= 2
		}
	}
	return nil
}

func (d *smallDisk) free() { os.Remove(filepath.Join(d.dir, ballast)) }

func (d *smallDisk) close() error {
	if err := unix.Unmount(d.dir, unix.MNT_DETACH); err != nil {
		return err
	}
	return os.Remove(d.dir)
}
