package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// says is a program that prints, for each line that it reads, what its clock says, and the
// time that passed since it began.
const says = `package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	began := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(time.Now().Unix(), int64(time.Since(began).Seconds()))
	}
}
`

func TestClockIsSetInOneProcess(t *testing.T) {
	dir := t.TempDir()
	overlay, err := clockOverlay(t.Context(), filepath.Join(dir, "clock"))
	if err != nil {
		t.Fatal(err)
	}
	source, program := filepath.Join(dir, "says.go"), filepath.Join(dir, "says")
	if err := os.WriteFile(source, []byte(says), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c := wallClock(filepath.Join(dir, "says.clock"))
	if err := c.shift(-2 * time.Hour); err != nil { // wrong from the start
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), c.env())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	for _, by := range []time.Duration{-2 * time.Hour, 0, 26 * time.Hour, -time.Minute} {
		if err := c.shift(by); err != nil {
			t.Fatal(err)
		}
		before := time.Now()
		fmt.Fprintln(in, "?")
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		after := time.Now()
		var wall, passed int64
		if _, err := fmt.Sscan(strings.TrimSpace(line), &wall, &passed); err != nil {
			t.Fatal(err)
		}
		if wall < before.Add(by).Unix() || wall > after.Add(by).Unix() {
			t.Errorf("set by %s, the clock says %s", by, time.Unix(wall, 0))
		}
		if passed < 0 || passed > 3600 {
			t.Errorf("set by %s, %d seconds passed by the monotonic clock", by, passed)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
