package recipe

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/schemas"
)

// TestFindFacts checks that the facts of a recipe are found in a program that has them
// with the same columns, and in no other.
func TestFindFacts(t *testing.T) {
	all := suite.Facts()
	r := &schemas.Recipe{Facts: Facts(all)}
	found, err := FindFacts(r, all)
	if err != nil || len(found) != len(all) || len(all) == 0 || found[0] != all[0] {
		t.Fatal(len(found), err)
	}
	r.Facts[0].Pages[0].Kind = schemas.FactHash
	if _, err := FindFacts(r, all); err == nil || !strings.Contains(err.Error(), "other columns in this build") {
		t.Errorf("a fact with other columns: %v", err)
	}
	r.Facts[0].Name = "nonsense"
	if _, err := FindFacts(r, all); err == nil || !strings.Contains(err.Error(), `no fact "nonsense"`) {
		t.Errorf("an unknown fact: %v", err)
	}
}
