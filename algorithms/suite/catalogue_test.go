package suite

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// algotest declares -update for golden cases; the catalogue follows it.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func TestCatalogueIsFresh(t *testing.T) {
	file := filepath.Join("..", "README.md")
	if updating() {
		if err := os.WriteFile(file, []byte(Catalogue()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Catalogue() {
		t.Errorf("%s is stale: run go test ./algorithms/suite -update", file)
	}
}
