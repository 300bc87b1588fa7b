package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The chart in docs is the one that quality.md gives.
func TestChartIsFresh(t *testing.T) {
	file := filepath.Join(t.TempDir(), "quality.svg")
	if err := run("../quality.md", file); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if old, err := os.ReadFile("../../docs/quality.svg"); err != nil || !bytes.Equal(old, fresh) {
		t.Errorf("docs/quality.svg is stale (go -C eval run ./chart): %v", err)
	}
}

func TestPageWithoutFigures(t *testing.T) {
	if points, err := read([]byte("| `winnow` | learned |")); err == nil {
		t.Errorf("read %v", points)
	}
}
