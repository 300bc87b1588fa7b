package blocks

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func hashName(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()
}

var (
	camel = regexp.MustCompile(`([a-z])([A-Z])`)
	cuts  = regexp.MustCompile(`[^a-z]+`)
)

// slowNames finds the names in a class value with regular expressions.
func slowNames(value string) (names []string) {
	for _, whole := range strings.Fields(value) {
		if len(whole) >= 2 && len(whole) < maxWholeBytes {
			names = append(names, "."+strings.ToLower(whole))
		}
	}
	for _, part := range cuts.Split(strings.ToLower(camel.ReplaceAllString(value, "$1 $2")), -1) {
		if len(part) >= 2 && len(part) <= 24 {
			names = append(names, part)
		}
	}
	return names
}

func TestNamesLikeTheirTwin(t *testing.T) {
	values := []string{"", "a", "post-body", "PostBody clearfix", "col-md-6  entry_content2", strings.Repeat("x", 60), "abCDef h1", "  lead "}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var b strings.Builder
		for range rng.IntN(30) {
			b.WriteByte("abcXYZ-_ 12"[rng.IntN(11)])
		}
		values = append(values, b.String())
	}
	for _, v := range values {
		var want []uint32
		for _, n := range slowNames(v) {
			want = append(want, hashName(n))
		}
		got, _ := namesIn(nil, []byte(v))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %d names, want %q", v, len(got), slowNames(v))
		}
	}
	if got, _ := namesIn(nil, []byte(strings.Repeat("ab ", 1000))); len(got) > maxNames {
		t.Errorf("%d names of one value", len(got))
	}
}

func TestNameTable(t *testing.T) {
	var entries []NameEntry
	want := make(map[uint32]int8)
	rng := rand.New(rand.NewPCG(2, 2))
	for range 1000 {
		e := NameEntry{rng.Uint32N(1 << 12), int8(1 + rng.IntN(100))}
		if want[e.Hash] == 0 {
			want[e.Hash] = e.Value
			entries = append(entries, e)
		}
	}
	table := NewNameTable(entries)
	for h := range uint32(1 << 12) {
		if got := table.of(h); got != want[h] {
			t.Fatalf("value of %d is %d, want %d", h, got, want[h])
		}
	}
	if len(table.Entries()) != len(entries) || !slices.IsSortedFunc(table.Entries(), func(a, b NameEntry) int { return int(a.Hash) - int(b.Hash) }) {
		t.Error("the entries are not those of the table in order")
	}
}

// TestLearnedFeatures checks the features of a block inside elements with known names,
// and that they change with the table.
func TestLearnedFeatures(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(`<body><div class=sidebar><div class="story other"><p>Some words in a paragraph here</p></div></div><p id=x>Others</p>`), page.Options{})
	p := new(Page)
	p.Fill(&pg, "")
	at := func(i int, name string) int { return int(p.Row(i)[slices.Index(Names, name)]) }
	p.SetNames(NewNameTable([]NameEntry{{hashName("story"), 60}, {hashName("other"), -10}, {hashName(".sidebar"), -90}}))
	for name, want := range map[string]int{
		"learned.level0": 128, "learned.level1": 188, "learned.level2": 38, "learned.level3": 128,
		"learned.least": 38, "learned.most": 188, "learned.sum": 128 - 30/4, "learned.near": 188, "learned.near-level": 1,
	} {
		if got := at(0, name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
	if at(1, "learned.near") != 128 || at(1, "learned.near-level") != learnedLevels {
		t.Error("a block without known names has a value of them")
	}
	p.SetNames(NewNameTable(nil))
	if at(0, "learned.level1") != 128 {
		t.Error("the values are those of another table")
	}
	if names := p.NameTokens(nil, 0); len(names) != 6 || !slices.Contains(names, hashName(".story")) {
		t.Errorf("%d names above the first block, want 6", len(names))
	}
}

// TestNamesSetBeforeAndAfterFill checks that a table gives the same features whether it
// is set before or after Fill.
func TestNamesSetBeforeAndAfterFill(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(`<body><div class=sidebar id=Story-1><p class="other story">Some words in a paragraph here</p></div><p id=x>Others</p>`), page.Options{})
	table := NewNameTable([]NameEntry{{hashName("story"), 60}, {hashName("other"), -10}, {hashName(".sidebar"), -90}})
	var after, first Page
	after.Fill(&pg, "")
	without := after.Row(0)
	after.SetNames(table)
	first.SetNames(table)
	first.Fill(&pg, "")
	for i := range after.Blocks {
		if after.Row(i) != first.Row(i) {
			t.Errorf("block %d has other features when the table is set first", i)
		}
	}
	if after.Row(0) == without {
		t.Error("the table changes nothing")
	}
}

// TestClassesOfManyTokens checks that only the first tokens of a value give it its
// classes, and that a long value is read up to that token even if it has more names
// than are kept.
func TestClassesOfManyTokens(t *testing.T) {
	for _, c := range []struct {
		value string
		want  nameClass
	}{
		{strings.Repeat("xx ", maxTokens-1) + "comment", nameComment},
		{strings.Repeat("xx ", maxTokens) + "comment", 0},
		{strings.Repeat("x- ", maxNames) + "comment", nameComment},
	} {
		if _, got := namesIn(nil, []byte(c.value)); got&nameComment != c.want {
			t.Errorf("%q: comment is %d, want %d", c.value, got&nameComment, c.want)
		}
	}
}
