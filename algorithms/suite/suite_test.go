package suite

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/fact"
)

func TestSuiteIsValid(t *testing.T) {
	runs := Extractors()
	if err := algorithms.Validate(runs, Scorers()); err != nil {
		t.Fatal(err)
	}
	if err := fact.Validate(Facts()); err != nil {
		t.Fatal(err)
	}
	order := map[algorithms.Scope]int{algorithms.PageScope: 0, algorithms.SiteScope: 1}
	last := 0
	for _, e := range Extractors() {
		if o := order[e.Scope()]; o < last {
			t.Errorf("%s: page-level extractors come before site-level ones", e.Name)
		} else {
			last = o
		}
	}
}

// TestEnsemblesWereTrainedOnWhatTheirMembersWere checks that an ensemble names the
// packages of its members among those that it was trained on.
func TestEnsemblesWereTrainedOnWhatTheirMembersWere(t *testing.T) {
	for _, e := range Extractors() {
		for _, m := range e.Members {
			for _, name := range m.TrainedOn {
				if !slices.Contains(e.AllTrainedOn(), name) {
					t.Errorf("%s has the member %s, and was not trained on %s", e.Name, m.Name, name)
				}
			}
		}
	}
}

// TestSuiteNamesEveryFamily walks the folders: a family that exists is listed.
func TestSuiteNamesEveryFamily(t *testing.T) {
	imported := map[string]bool{}
	for _, name := range []string{"suite.go", "pagelevel/pagelevel.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imported[p] = true
		}
	}
	for _, kind := range []string{"extract", "site", "score", "fact"} {
		entries, err := os.ReadDir(filepath.Join("..", kind))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			family := filepath.Join("..", kind, entry.Name())
			if entry.IsDir() && declaresMethods(t, family) && !imported["github.com/winnow/winnow/algorithms/"+kind+"/"+entry.Name()] {
				t.Errorf("%s is not in the suite", family)
			}
		}
	}
}

// declaresMethods tells a family from a package of shared machinery: its code
// makes algorithms.Extractor, algorithms.Scorer or fact.Fact values.
func declaresMethods(t *testing.T, dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f, "_test.go") &&
			(strings.Contains(string(src), "algorithms.Extractor{") || strings.Contains(string(src), "algorithms.Scorer{") || strings.Contains(string(src), "fact.Fact{")) {
			return true
		}
	}
	return false
}

// TestWith: another extractor takes the place of the one with its name, also among the
// members of ensembles.
func TestWith(t *testing.T) {
	other := *Extractors()[1]
	all, err := With(&other)
	if err != nil {
		t.Fatal(err)
	}
	members := 0
	for i, e := range Extractors() {
		if all[i].Name != e.Name {
			t.Errorf("extractor %d is %s, want %s", i, all[i].Name, e.Name)
		}
		if all[i].Name == other.Name && all[i] != &other {
			t.Errorf("%s was not replaced", other.Name)
		}
		for _, m := range all[i].Members {
			if m.Name == other.Name {
				members++
				if m != &other {
					t.Errorf("%s still has the %s of the suite as a member", e.Name, other.Name)
				}
			}
		}
	}
	if members == 0 {
		t.Errorf("no ensemble has %s as a member: choose another for this test", other.Name)
	}
}

// TestWithAnother: an extractor with a name of its own follows the page-level extractors, and
// ensembles may have it as a member.
func TestWithAnother(t *testing.T) {
	other := &algorithms.Extractor{Description: algorithms.Description{Name: "other"}, Command: []string{"other"}}
	all, err := With(other)
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.Index(all, other); i != len(pageLevel()) {
		t.Errorf("it is extractor %d, want %d", i, len(pageLevel()))
	}
	for _, expr := range []string{"ensemble-majority:members=bte+other", "ensemble-cascade:then=other"} {
		chosen, err := choose.Extractors(all, expr)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(chosen[0].Members, other) {
			t.Errorf("%s does not have it as a member", expr)
		}
	}
}

func TestEveryExtractor(t *testing.T) {
	for _, e := range Extractors() {
		if e.Run == nil || e.Learn != nil {
			continue // those of whole sites have a harness of their own
		}
		t.Run(e.Name, func(t *testing.T) { algotest.Extractor(t, e) })
	}
}

func TestEveryScorer(t *testing.T) {
	for _, s := range Scorers() {
		t.Run(s.Name, func(t *testing.T) { algotest.Scorer(t, s) })
	}
}

func TestEveryFact(t *testing.T) {
	for _, f := range Facts() {
		t.Run(f.Name, func(t *testing.T) { algotest.Fact(t, f) })
	}
}
