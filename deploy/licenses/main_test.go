package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every module of the image's programs has its text there, and the image has them.
func TestEveryModuleHasItsLicence(t *testing.T) {
	dir := t.TempDir()
	programs := []string{"../../cmd/winnow"}
	if err := collect(dir, programs); err != nil {
		t.Fatal(err)
	}
	modules, err := linked(programs)
	if err != nil {
		t.Fatal(err)
	}
	notice, err := os.ReadFile(filepath.Join(dir, "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range modules {
		seen[m.Path] = true
		if !strings.Contains(string(notice), "\n"+m.name()+"\n") {
			t.Errorf("%s is not in NOTICE", m.name())
		}
		if texts, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(m.name()), "*")); err != nil || len(texts) == 0 {
			t.Errorf("%s: no text, %v", m.name(), err)
		}
	}
	for _, must := range []string{"go", "github.com/winnow/winnow", "github.com/nats-io/nats.go", "github.com/klauspost/compress"} {
		if !seen[must] {
			t.Errorf("%s is not among the modules", must)
		}
	}
	image, err := os.ReadFile("../image.sh")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(image), `go run ./deploy/licenses -o "$1/licenses" ./cmd/winnow`) {
		t.Error("the image is built without the texts")
	}
}

// A module without a licence may not be redistributed, so it is an error.
func TestWithoutALicence(t *testing.T) {
	from := t.TempDir()
	for _, name := range []string{"license.go", "README.md"} {
		if err := os.WriteFile(filepath.Join(from, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := copyTexts(t.TempDir(), from, ""); n != 0 || err != nil {
		t.Errorf("%d texts, %v", n, err)
	}
}
