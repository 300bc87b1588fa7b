package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The notebook in the repository has the output of every cell, in the form that Jupyter
// reads, and names nothing of the machine that it ran on.
func TestTheNotebookWasRun(t *testing.T) {
	n, err := read("../questions.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	ids, code := map[string]bool{}, 0
	for _, c := range n.Cells {
		if c.ID == "" || ids[c.ID] {
			t.Errorf("the id %q is missing or repeats", c.ID)
		}
		ids[c.ID] = true
		if c.Type != "code" {
			continue
		}
		code++
		if c.Count == nil || *c.Count != code || c.Outputs == nil || len(*c.Outputs) != 1 {
			t.Errorf("cell %s was not run as the %d. one", c.ID, code)
			continue
		}
		text := strings.Join((*c.Outputs)[0].Text, "")
		if strings.TrimSpace(text) == "" || strings.Contains(text, "/work") || strings.Contains(text, "/home") || strings.Contains(text, "/tmp") {
			t.Errorf("cell %s printed %q", c.ID, text)
		}
	}
	if code < 5 {
		t.Errorf("%d cells of code", code)
	}
}

// Cells share their names, and a cell that fails leaves the file as it was.
func TestExecute(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed here")
	}
	file := filepath.Join(t.TempDir(), "n.ipynb")
	write := func(sources ...string) {
		n := notebook{Format: 4, Minor: 5, Metadata: map[string]any{}}
		for _, s := range sources {
			n.Cells = append(n.Cells, cell{Type: "code", Source: []string{s}, Metadata: map[string]any{}}, cell{Type: "markdown", Source: []string{"text"}})
		}
		data, err := json.Marshal(n)
		if err == nil {
			err = os.WriteFile(file, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("x = 20", "def twice(y):\n    return x + y\nprint(twice(1))\nprint('<é>')")
	if err := execute(file); err != nil {
		t.Fatal(err)
	}
	n, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	if first, last := n.Cells[0], n.Cells[2]; len(*first.Outputs) != 0 || *last.Count != 2 || strings.Join((*last.Outputs)[0].Text, "") != "21\n<é>" {
		t.Errorf("%+v", n.Cells)
	}
	write("print(1)", "1 / 0")
	before, _ := os.ReadFile(file)
	if err := execute(file); err == nil {
		t.Error("a cell that fails is no error")
	}
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Error("the notebook was changed")
	}
}
