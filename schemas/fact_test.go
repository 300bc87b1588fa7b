package schemas

import (
	"strings"
	"testing"
)

// TestFactsOfARecipe checks that a run whose facts cannot be columns is refused.
func TestFactsOfARecipe(t *testing.T) {
	f := func(says string, facts ...Fact) {
		t.Helper()
		run := Run{Version: Version, ID: "r", Hash: "h", Phase: PhaseExtract, State: RunActive, Recipe: Recipe{Facts: facts}}
		if err := run.Check(); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", facts, err, says)
		}
	}
	column := func(name, kind string) []FactColumn { return []FactColumn{{Name: name, Kind: kind}} }
	f("")
	f("", Fact{Name: "a", Pages: column("x", FactBool), Documents: column("x", FactInts)})
	f("unknown kind", Fact{Name: "a", Pages: column("x", "decimal")})
	f("not a valid name", Fact{Name: "a", Documents: column("", FactBool)})
	f("two columns", Fact{Name: "a", Pages: column("x", FactBool)}, Fact{Name: "b", Pages: column("x", FactBool)})
	f("at most", Fact{Name: "a", Pages: make([]FactColumn, maxFactColumns+1)})
}
