package local

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow/winnow/schemas"
)

// disk is a file system that can be filled.
type disk struct {
	t    *testing.T
	dir  string
	once sync.Once
}

func newDisk(t *testing.T) *disk {
	t.Helper()
	d := &disk{t: t, dir: t.TempDir()}
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skip("no right to mount a file system: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *disk) ballast() string { return filepath.Join(d.dir, "ballast") }

// fill uses up all free space, the first time it is called.
func (d *disk) fill() {
	d.once.Do(func() {
		if err := os.WriteFile(d.ballast(), make([]byte, 9<<20), 0o666); !errors.Is(err, syscall.ENOSPC) {
			d.t.Errorf("the disk is not full: %v", err)
		}
	})
}

// clear frees space.
func (d *disk) clear() {
	if err := os.Remove(d.ballast()); err != nil {
		d.t.Error(err)
	}
}

// watchedLog calls found once when the text s is logged.
type watchedLog struct {
	mu    sync.Mutex
	s     string
	found func()
	text  bytes.Buffer
}

func (l *watchedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	if l.found != nil && strings.Contains(string(p), l.s) {
		l.found()
		l.found = nil
	}
	return len(p), nil
}

func (l *watchedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestRunOnAFullDisk checks that a run whose disk is full continues when there is space
// again, and loses nothing, both if it cannot write rows and if the store of its broker
// has failed.
func TestRunOnAFullDisk(t *testing.T) {
	in := crawl(t, 40)
	whole := t.TempDir()
	mustRun(t, fineItems(whole, in))
	want := tables(t, whole)
	for _, says := range []string{"no more items are taken", "the broker is started again"} {
		t.Run(says, func(t *testing.T) {
			d, out, store := newDisk(t), t.TempDir(), t.TempDir()
			if strings.Contains(says, "broker") {
				store = d.dir
			} else {
				out = filepath.Join(d.dir, "out")
			}
			opt := fineItems(out, in)
			opt.StoreDir = filepath.Join(store, "broker", "nats")
			opt.Extract.BeforePage = func(string, schemas.Location) { d.fill() }
			log := &watchedLog{s: says, found: d.clear}
			opt.Log = slog.New(slog.NewTextHandler(log, nil))
			if _, err := Run(t.Context(), opt); err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			if !strings.Contains(log.String(), says) {
				t.Errorf("the full disk was not noticed:\n%s", log)
			}
			if got := tables(t, out); got != want {
				t.Errorf("other tables than on a disk with room:\n%s", log)
			}
		})
	}
}

// fineItems returns the options of a run with many items.
func fineItems(out, in string) Options {
	opt := options(out, in, "r")
	opt.Plan.ItemBytes = 2000
	return opt
}

// TestRunOnADiskThatStaysFull checks that a run whose disk stays full ends with an
// error that says what to do, and continues when it is started again.
func TestRunOnADiskThatStaysFull(t *testing.T) {
	in := crawl(t, 40)
	d, out := newDisk(t), t.TempDir()
	opt := fineItems(out, in)
	opt.StoreDir, opt.Worker.FaultLimit = filepath.Join(d.dir, "broker", "nats"), 10*time.Millisecond
	opt.Extract.BeforePage = func(string, schemas.Location) { d.fill() }
	_, err := Run(t.Context(), opt)
	var broken *brokenError
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "then go on with the run") || errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	d.clear()
	mustRun(t, opt)
	whole := t.TempDir()
	mustRun(t, fineItems(whole, in))
	if tables(t, out) != tables(t, whole) {
		t.Error("other tables than on a disk with room")
	}
	if _, err := os.Stat(filepath.Join(opt.StoreDir, "nats")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store is left behind: %v", err)
	}
}

// TestRunBegunOnAFullDisk checks that a run that cannot even begin says that the disk is full,
// and not only that its broker does not work.
func TestRunBegunOnAFullDisk(t *testing.T) {
	in := crawl(t, 4)
	for _, free := range []int64{0, 12 << 10} {
		d := newDisk(t)
		out := filepath.Join(d.dir, "out")
		opt := options(out, in, "r")
		opt.Worker.FaultLimit = 10 * time.Millisecond
		if err := os.MkdirAll(filepath.Join(out, stateFolder, "nats"), 0o777); err != nil {
			t.Fatal(err)
		}
		d.fill()
		info, err := os.Stat(d.ballast())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(d.ballast(), info.Size()-free); err != nil {
			t.Fatal(err)
		}
		_, err = Run(t.Context(), opt)
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), out) || !strings.Contains(err.Error(), "free space") {
			t.Fatalf("%d bytes free: %v", free, err)
		}
		d.clear()
		mustRun(t, opt)
	}
}

// TestOutputOnADiskThatStaysFull checks that the error of a run whose output has no room says
// so in one line, and that attempts that failed leave no files to fill the disk with.
func TestOutputOnADiskThatStaysFull(t *testing.T) {
	in := crawl(t, 40)
	d := newDisk(t)
	opt := fineItems(filepath.Join(d.dir, "out"), in)
	opt.StoreDir, opt.Worker.FaultLimit, opt.Worker.Slots = filepath.Join(t.TempDir(), "nats"), 10*time.Millisecond, 1
	opt.Extract.BeforePage = func(string, schemas.Location) { d.fill() }
	_, err := Run(t.Context(), opt)
	if err == nil || !strings.HasSuffix(err.Error(), "no space left on device: the disk is full: free space there") || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v", err)
	}
	shards, err := filepath.Glob(filepath.Join(d.dir, "out", "shards", "*", "*"))
	if err != nil || len(shards) > 0 {
		t.Errorf("failed attempts have left %v, %v", shards, err)
	}
	d.clear()
	mustRun(t, opt)
}
