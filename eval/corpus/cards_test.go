package corpus

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/suite"
)

// TestModelCards checks that the model card of each learned extractor describes the model
// that the program ships, and that extractors name the packages of their cards.
func TestModelCards(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| (\\S+) \\| \\d+ \\| .+ \\| `[0-9a-f]{16}` \\|$")
	cards := 0
	for _, e := range suite.Extractors() {
		if len(e.TrainedOn) == 0 {
			continue
		}
		cards++
		card, err := os.ReadFile(filepath.Join("../../docs/models", e.Name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		model, err := os.ReadFile(filepath.Join("../../algorithms/extract", e.Name, e.Name+".model"))
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("SHA-256 `%x`", sha256.Sum256(model)); !bytes.Contains(card, []byte(want)) {
			t.Errorf("docs/models/%[1]s.md is of another model than %[1]s.model, which has %[2]s: train it again with --card", e.Name, want)
		}
		var packages []string
		for _, m := range row.FindAllSubmatch(card, -1) {
			packages = append(packages, string(m[1]))
		}
		if !slices.Equal(e.TrainedOn, packages) {
			t.Errorf("%s: trained on %q, and by its model card on %q", e.Name, e.TrainedOn, packages)
		}
	}
	if files, err := filepath.Glob("../../docs/models/*.md"); err != nil || len(files) != cards {
		t.Errorf("%d model cards of %d learned extractors, %v", len(files), cards, err)
	}
}
