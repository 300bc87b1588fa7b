package main

import (
	"os"
	"strings"
	"testing"
)

// TestLearnedIsInTheDocument: the section is made of recorded figures alone, so the
// document must have it as it stands.
func TestLearnedIsInTheDocument(t *testing.T) {
	have, err := os.ReadFile("../reproduction.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	writeLearned(&b)
	if !strings.Contains(string(have), b.String()) {
		t.Errorf("docs/reproduction.md lacks, or has otherwise:\n%s", b.String())
	}
}
