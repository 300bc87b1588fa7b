package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// notebook is a file of format nbformat 4.5, as far as it is needed here.
type notebook struct {
	Cells    []cell         `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

type cell struct {
	Type     string         `json:"cell_type"`
	ID       string         `json:"id"`
	Metadata map[string]any `json:"metadata"`
	Source   []string       `json:"source"` // lines, with their ends
	// Count and Outputs are those of code cells.
	Count   *int      `json:"execution_count,omitempty"`
	Outputs *[]output `json:"outputs,omitempty"`
}

type output struct {
	Type string   `json:"output_type"`
	Name string   `json:"name"`
	Text []string `json:"text"`
}

// runner executes a list of cells in one namespace and writes what each of them prints.
//
//go:embed runner.py
var runner string

func read(file string) (*notebook, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var n notebook
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if n.Format != 4 {
		return nil, fmt.Errorf("%s: format %d of notebooks, want 4", file, n.Format)
	}
	return &n, nil
}

// execute runs the code cells of a notebook and stores their output in it. If a cell
// fails, the notebook stays as it was.
func execute(file string) error {
	n, err := read(file)
	if err != nil {
		return err
	}
	var sources []string
	for _, c := range n.Cells {
		if c.Type == "code" {
			sources = append(sources, strings.Join(c.Source, ""))
		}
	}
	in, err := json.Marshal(sources)
	if err != nil {
		return err
	}
	python := exec.Command("python3", "-c", runner)
	python.Stdin, python.Stderr = bytes.NewReader(in), os.Stderr
	out, err := python.Output()
	if err != nil {
		return fmt.Errorf("run the cells of %s: %w", file, err)
	}
	var printed []string
	if err := json.Unmarshal(out, &printed); err != nil {
		return fmt.Errorf("run the cells of %s: %w", file, err)
	}
	k := 0
	for i := range n.Cells {
		c := &n.Cells[i]
		if c.Type != "code" {
			continue
		}
		count := k + 1
		c.Count, c.Outputs = &count, &[]output{}
		if printed[k] != "" {
			*c.Outputs = append(*c.Outputs, output{"stream", "stdout", strings.SplitAfter(strings.TrimSuffix(printed[k], "\n"), "\n")})
		}
		k++
	}
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(n); err != nil {
		return err
	}
	return os.WriteFile(file, data.Bytes(), 0o666)
}
