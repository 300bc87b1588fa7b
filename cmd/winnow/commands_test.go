package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCommandsPage makes the reference of the commands from their help.
func TestCommandsPage(t *testing.T) {
	const name = "../../docs/reference/commands.md"
	var b bytes.Buffer
	b.WriteString("# Commands\n\nMade from the help of the commands by `go test ./cmd/winnow -run CommandsPage -update`. `winnow VERB --help` prints\nwhat is used most, `--help-all` what is here.\n")
	for _, g := range verbs() {
		fmt.Fprintf(&b, "\n## %s\n", g.title)
		for _, verb := range g.verbs {
			help := output(t, []string{verb.Name(), "--help-all"}, "", nil)
			help, _, _ = strings.Cut(help, "\nHelp:\n")
			fmt.Fprintf(&b, "\n### %s\n\n```text\n%s\n```\n", verb.Name(), strings.TrimSpace(help))
		}
	}
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, b.Bytes()) {
		t.Errorf("%s is stale (go test ./cmd/winnow -run CommandsPage -update): %v", name, err)
	}
}
