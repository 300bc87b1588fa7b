package schemas

import (
	"math"
	"strings"
	"testing"
)

func TestItemsPartitionTheirFile(t *testing.T) {
	for _, size := range []int64{0, 1, 7, 1000, 1 << 40, math.MaxInt64} {
		for _, n := range []int{1, 2, 3, 7, 1000} {
			r := &Run{Files: []File{{Size: 5, Items: 1}, {Size: size, Items: n}}}
			at, longest, shortest := int64(0), int64(0), int64(math.MaxInt64)
			for i := range n {
				it := r.Item(1, i)
				if it.File.Start != at || it.File.End < it.File.Start {
					t.Fatalf("size %d, item %d of %d: [%d,%d), want start %d", size, i, n, it.File.Start, it.File.End, at)
				}
				at = it.File.End
				longest, shortest = max(longest, it.File.Length()), min(shortest, it.File.Length())
			}
			if at != size || longest-shortest > 1 {
				t.Errorf("size %d in %d: ends at %d, lengths %d to %d", size, n, at, shortest, longest)
			}
		}
	}
}

func TestRunIDCheck(t *testing.T) {
	for _, id := range []RunID{"a", "2024-05-01.night_2", RunID(strings.Repeat("x", 100))} {
		if err := id.Check(); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []RunID{"", ".", "..", ".x", "-x", "a b", "a/b", "a*", "ä", "a\n", RunID(strings.Repeat("x", 101))} {
		if id.Check() == nil {
			t.Errorf("%q was taken", id)
		}
	}
}

func TestRecipeDigestTellsRecipesApart(t *testing.T) {
	a := Recipe{Extractors: []Method{{Name: "x", Settings: map[string]string{"a": "1", "b": "2"}}}}
	b := Recipe{Extractors: []Method{{Name: "x", Settings: map[string]string{"b": "2", "a": "1"}}}}
	c := Recipe{Extractors: []Method{{Name: "x", Settings: map[string]string{"b": "2", "a": "3"}}}}
	if a.Digest() != b.Digest() || a.Digest() == c.Digest() || len(a.Digest()) != 16 {
		t.Error(a.Digest(), b.Digest(), c.Digest())
	}
}

func TestManifestVersions(t *testing.T) {
	m := Manifest{Version: Version, Run: exampleRun()}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeManifest(data); err != nil || got.Run.ID != "r" {
		t.Error(got, err)
	}
	m.Version = Version + 1
	data, _ = m.Encode()
	if _, err := DecodeManifest(data); err == nil {
		t.Error("a manifest of the future was read")
	}
	if _, err := DecodeManifest([]byte("{")); err == nil {
		t.Error("half a manifest was read")
	}
}
