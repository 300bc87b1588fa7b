package main

import (
	"os"
	"strings"
	"testing"
)

// TestLearnedIsInTheDocument checks that the document contains the section as it is
// written now, which is possible because the section consists of recorded figures.
func TestLearnedIsInTheDocument(t *testing.T) {
	have, err := os.ReadFile("../reproduction.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	writeLearned(&b)
	if !strings.Contains(string(have), b.String()) {
		t.Errorf("eval/reproduction.md lacks, or has otherwise:\n%s", b.String())
	}
}
