package local

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestOneProcessWorksInAFolder checks that only one of several processes works in a
// folder, and that the others report which one it is. When that process ends, even by
// force, another one can lock the folder.
func TestOneProcessWorksInAFolder(t *testing.T) {
	in, out := crawl(t, 10), t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LOCAL_TEST_LOCK="+out)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "held: <nil>\n" {
		t.Fatalf("%q, %v", line, err)
	}
	who := fmt.Sprintf("process %d on ", cmd.Process.Pid)
	for _, id := range []schemas.RunID{"r", "s"} {
		_, err := Run(t.Context(), options(out, in, id))
		if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), who) || !strings.Contains(err.Error(), "choose another folder") {
			t.Errorf("run %s in a folder that is in use: %v", id, err)
		}
	}
	shared := options(t.TempDir(), in, "r")
	shared.StoreDir = filepath.Join(out, stateFolder)
	if _, err := Run(t.Context(), shared); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "--store") {
		t.Errorf("a store that is in use: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	mustRun(t, options(out, in, "r"))
	if _, err := os.Stat(filepath.Join(out, stateFolder)); !os.IsNotExist(err) {
		t.Errorf("the work is over, and its folder is left: %v", err)
	}
}

// TestLocksAreOfOneFile checks that a lock is not valid if its file was removed by an
// earlier holder.
func TestLocksAreOfOneFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), stateFolder)
	log := slog.New(slog.DiscardHandler)
	var mu sync.Mutex
	holders := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for taken := 0; taken < 20; {
				l, err := take(dir, dir, log)
				if errors.Is(err, ErrInUse) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if holders++; holders > 1 {
					t.Error("two hold one lock")
				}
				mu.Unlock()
				taken++
				mu.Lock()
				holders--
				mu.Unlock()
				if err := l.release(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}
