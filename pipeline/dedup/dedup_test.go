package dedup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms/fact/signature"
	"github.com/winnow/winnow/schemas"
)

// edited returns n texts of about 120 words, half of them copies of earlier ones in which
// words were replaced.
func edited(n int) []Text {
	random := rand.New(rand.NewPCG(4, 2))
	word := func() string { return fmt.Sprintf("w%d", random.IntN(5000)) }
	var all [][]string
	var texts []Text
	for i := range n {
		var words []string
		if i > 0 && random.IntN(2) == 0 {
			words = slices.Clone(all[random.IntN(i)])
			rate := .06 * random.Float64()
			for j := range words {
				if random.Float64() < rate {
					words[j] = word()
				}
			}
		} else {
			for range 80 + random.IntN(80) {
				words = append(words, word())
			}
		}
		all = append(all, words)
		texts = append(texts, Text{Run: "r", Package: "p", DocID: fmt.Sprint(i), URL: "u", Extractor: "e", Content: strings.Join(words, " ")})
	}
	return texts
}

func sequence(texts []Text) func() iter.Seq2[*Text, error] {
	return func() iter.Seq2[*Text, error] {
		return func(yield func(*Text, error) bool) {
			for i := range texts {
				if !yield(&texts[i], nil) {
					return
				}
			}
		}
	}
}

func find(t *testing.T, texts []Text, o Options) ([]schemas.Duplicate, Summary) {
	t.Helper()
	o.TempDir = t.TempDir()
	var rows []schemas.Duplicate
	s, err := Find(t.Context(), sequence(texts), o, func(r *schemas.Duplicate) error {
		rows = append(rows, *r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(o.TempDir); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v %v", left, err)
	}
	return rows, *s
}

func sets(texts []Text) (sets [][]uint64) {
	var signer signature.Signer
	for _, t := range texts {
		s := signer.AppendShingles(nil, []byte(t.Content))
		slices.Sort(s)
		sets = append(sets, slices.Compact(s))
	}
	return sets
}

// TestExactIsBruteForce compares clusters with those of all pairs of texts. The bands miss
// a pair at the threshold with a probability of .002; of the seed here they miss none.
func TestExactIsBruteForce(t *testing.T) {
	texts := edited(500)
	all := sets(texts)
	want := newUnion(len(texts))
	for i := range texts {
		for j := range i {
			if jaccard(all[i], all[j]) >= .8 {
				want.join(uint32(i), uint32(j))
			}
		}
	}
	sizes := map[uint32]int64{}
	for i := range texts {
		sizes[want.find(uint32(i))]++
	}
	rows, s := find(t, texts, Options{Exact: true})
	next, numbers := 0, map[uint32]int64{}
	for i := range texts {
		first := want.find(uint32(i))
		if sizes[first] < 2 {
			continue
		}
		if int(first) == i {
			numbers[first] = int64(len(numbers)) + 1
		}
		expected := schemas.Duplicate{Run: "r", Package: "p", DocID: fmt.Sprint(i), URL: "u", Extractor: "e",
			Cluster: numbers[first], ClusterSize: sizes[first], Kept: int(first) == i}
		if !expected.Kept {
			expected.Jaccard = jaccard(all[first], all[i])
		}
		if next == len(rows) || rows[next] != expected {
			t.Fatalf("row %d of %d is not %+v", next, len(rows), expected)
		}
		next++
	}
	if next != len(rows) || s.Clusters != int64(len(numbers)) || s.Duplicates != int64(next-len(numbers)) || s.Texts != 500 || s.LeftOut != 0 {
		t.Errorf("%d rows, want %d; %+v", len(rows), next, s)
	}
	if s.Clusters < 20 {
		t.Errorf("only %d clusters", s.Clusters)
	}
}

// TestEstimateIsNearExact allows for pairs near the threshold.
func TestEstimateIsNearExact(t *testing.T) {
	texts := edited(500)
	exact, _ := find(t, texts, Options{Exact: true})
	estimated, s := find(t, texts, Options{})
	in := map[string]bool{}
	for _, r := range exact {
		in[r.DocID] = true
	}
	common := 0
	for _, r := range estimated {
		if in[r.DocID] {
			common++
		}
	}
	if 100*common < 85*len(exact) || 100*common < 85*len(estimated) {
		t.Errorf("%d texts estimated, %d exact, %d common; %+v", len(estimated), len(exact), common, s)
	}
}

// TestSignaturesOfTables reads signatures that were computed before.
func TestSignaturesOfTables(t *testing.T) {
	texts := edited(300)
	want, sum := find(t, texts, Options{})
	var signer signature.Signer
	for i := range texts {
		sig, _ := signer.Sign([]byte(texts[i].Content))
		texts[i].MinHash, texts[i].Content = &sig.MinHash, ""
	}
	if got, signed := find(t, texts, Options{}); !slices.Equal(got, want) || signed != sum {
		t.Error("signatures of the tables lead to another answer")
	}
}

func TestWhoIsCompared(t *testing.T) {
	text := edited(1)[0].Content
	texts := []Text{
		{DocID: "a", Extractor: "x", Content: text},
		{DocID: "b", Extractor: "y", Content: text},
		{DocID: "c", Extractor: "x", Content: "..."},
		{DocID: "d", Extractor: "x"},
		{DocID: "e", Extractor: "y", Content: strings.ToUpper(text)},
		{DocID: "f", Extractor: "x", Content: "one"},
		{DocID: "g", Extractor: "x", Content: "One!"},
	}
	want := []schemas.Duplicate{
		{DocID: "b", Extractor: "y", Cluster: 1, ClusterSize: 2, Kept: true},
		{DocID: "e", Extractor: "y", Cluster: 1, ClusterSize: 2, Jaccard: 1},
		{DocID: "f", Extractor: "x", Cluster: 2, ClusterSize: 2, Kept: true},
		{DocID: "g", Extractor: "x", Cluster: 2, ClusterSize: 2, Jaccard: 1},
	}
	for _, exact := range []bool{false, true} {
		rows, s := find(t, texts, Options{Exact: exact})
		if !reflect.DeepEqual(rows, want) || s.Wordless != 2 || s.Identical != 2 || s.LargestSize != 2 {
			t.Errorf("exact %v: %+v %+v", exact, rows, s)
		}
	}
	if rows, s := find(t, nil, Options{Exact: true}); len(rows) > 0 || s.Texts != 0 {
		t.Errorf("no texts have %d duplicates, %+v", len(rows), s)
	}
}

// TestCrowd has more texts in every band than are compared with each other.
func TestCrowd(t *testing.T) {
	var texts []Text
	base := edited(1)[0].Content + strings.Repeat(" and so on for ever in one long sentence", 20)
	for i := range 200 {
		texts = append(texts, Text{DocID: fmt.Sprint(i), Content: fmt.Sprintf("%s variant %d", base, i)})
	}
	rows, s := find(t, texts, Options{})
	if len(rows) != len(texts) || s.Clusters != 1 || s.LeftOut == 0 {
		t.Errorf("%d rows, %+v", len(rows), s)
	}
}

func TestErrors(t *testing.T) {
	texts := edited(40)
	broken := errors.New("broken")
	fails := func(name, want string, texts func() iter.Seq2[*Text, error], o Options, emit func(*schemas.Duplicate) error) {
		t.Helper()
		o.TempDir = t.TempDir()
		if emit == nil {
			emit = func(*schemas.Duplicate) error { return nil }
		}
		if _, err := Find(t.Context(), texts, o, emit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(o.TempDir); len(left) > 0 {
			t.Errorf("%s: temporary files are left", name)
		}
	}
	fails("threshold", "above 0", sequence(texts), Options{Threshold: 1.5}, nil)
	fails("emit", "broken", sequence(texts), Options{}, func(*schemas.Duplicate) error { return broken })
	fails("texts", "broken", func() iter.Seq2[*Text, error] {
		return func(yield func(*Text, error) bool) { yield(nil, broken) }
	}, Options{}, nil)
	calls := 0
	fails("the second reading is shorter", "not those that were read before", func() iter.Seq2[*Text, error] {
		calls++
		return sequence(texts[:len(texts)-calls])()
	}, Options{Exact: true}, nil)
	if _, err := Find(t.Context(), sequence(texts), Options{TempDir: "/nonexistent"}, nil); err == nil {
		t.Error("a folder that does not exist is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, sequence(texts), Options{TempDir: t.TempDir()}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCheck(t *testing.T) {
	m := &schemas.Manifest{Run: schemas.Run{ID: "may"}}
	f := func(exact bool, want string) {
		t.Helper()
		if err := (Run{Manifest: m}).Check(exact); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	f(false, "run may is not finished")
	m.Finished = time.Now()
	f(false, "--facts signature or --texts parquet")
	f(true, "leave --exact out")
	m.Run.Recipe.Facts = []schemas.Fact{{Name: "signature", Documents: []schemas.FactColumn{{Name: "minhash", Kind: schemas.FactInts}}}}
	f(false, "")
	f(true, "leave --exact out")
	m.Run.Recipe.Texts = schemas.TextsJSONLines
	f(true, "")
}

// TestEntries sorts entries through temporary files.
func TestEntries(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	s := newSorter(t.TempDir())
	s.Rows = 100
	defer s.Close()
	var want, got []entry
	for range 3000 {
		e := entry{random.Uint64() >> 60, random.Uint64()}
		want = append(want, e)
		if err := s.Add(&e); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(want, func(a, b entry) int { return compareEntries(&a, &b) })
	for e, err := range s.Sorted(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *e)
	}
	if !slices.Equal(got, want) {
		t.Error("entries are lost or not in order")
	}
}
