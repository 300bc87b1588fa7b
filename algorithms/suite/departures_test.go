package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeparturesAreListedOnce checks that the documentation of a family refers to the
// departures in its description, which users see, and has no second list of them.
func TestDeparturesAreListedOnce(t *testing.T) {
	families := 0
	for _, kind := range []string{"extract", "site", "score"} {
		docs, err := filepath.Glob(filepath.Join("..", kind, "*", "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range docs {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, section, found := strings.Cut(string(text), "// # Departures")
			if !found {
				continue
			}
			families++
			section, _, _ = strings.Cut(section, "\n// # ")
			if !strings.HasPrefix(section, "\n//\n// The Departures of the description list them") || strings.Contains(section, "\n//   - ") {
				t.Errorf("%s: the section on departures does not refer to the description alone", file)
			}
		}
	}
	if families < 30 {
		t.Errorf("only %d families have departures", families)
	}
}
