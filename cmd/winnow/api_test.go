package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow/winnow/cmd/winnow/internal/api"
)

// requested is a block of the guide that begins with a command, followed by what it prints.
var requested = regexp.MustCompile("(?s)<!-- checked by TestHTTPGuide -->\n```console\n\\$ ([^\n]*)\n(.*?)```\n")

// expected matches what a model expects of its text, which changes with the model.
var expected = regexp.MustCompile(`"confidence":[0-9.]+`)

// TestHTTPGuide runs the commands of the guide with a server and compares what they print.
func TestHTTPGuide(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the guide's commands need curl")
	}
	t.Chdir("../..")
	const name, address = "docs/guide/http.md", "http://127.0.0.1:8080"
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- api.New(api.Options{}).Serve(ctx, "127.0.0.1:0", w) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, real, _ := strings.Cut(strings.TrimSpace(line), " at ")
	if !bytes.Contains(text, []byte(strings.Replace(line, real, address, 1))) {
		t.Errorf("the guide does not show %q", line)
	}
	blocks := requested.FindAllSubmatchIndex(text, -1)
	if len(blocks) < 4 {
		t.Fatalf("%d checked blocks", len(blocks))
	}
	var fresh bytes.Buffer
	at := 0
	for _, b := range blocks {
		command := string(text[b[2]:b[3]])
		out, err := exec.Command("sh", "-c", strings.ReplaceAll(command, address, real)).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		if want := text[b[4]:b[5]]; !bytes.Equal(expected.ReplaceAll(out, nil), expected.ReplaceAll(want, nil)) && !*update {
			t.Errorf("the guide is stale (go test ./cmd/winnow -run HTTPGuide -update): %s\n%s", command, out)
		}
		fresh.Write(text[at:b[4]])
		fresh.Write(out)
		at = b[5]
	}
	fresh.Write(text[at:])
	if *update && !bytes.Equal(fresh.Bytes(), text) {
		if err := os.WriteFile(name, fresh.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
