package schemas

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLearnItemsPartitionTheBuckets(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 500, 512, SiteBuckets} {
		r := &Run{ID: "r", Hash: "h", LearnItems: n}
		at := int64(0)
		ids := map[ItemID]bool{}
		for i := range n {
			it := r.LearnItem(i)
			if it.Sites.Start != at || it.Sites.End <= it.Sites.Start || it.Phase != PhaseLearn {
				t.Fatalf("item %d of %d: %+v", i, n, it)
			}
			at = it.Sites.End
			ids[it.ID()] = true
		}
		if at != SiteBuckets || len(ids) != n {
			t.Errorf("%d items end at bucket %d and have %d names", n, at, len(ids))
		}
	}
}

// Markers and reports are kept by name, so items of different phases must not
// share one; and names of the last phase are those of version 1.
func TestItemNames(t *testing.T) {
	for want, it := range map[ItemID]Item{
		"f00012-i00003":         {Phase: PhaseExtract, Seq: 3, File: FileRange{Index: 12, First: -1}},
		"f00012-i00003-s77":     {Phase: PhaseExtract, Seq: 3, File: FileRange{Index: 12, First: 77}},
		"scan-f00012-i00003":    {Phase: PhaseScan, Seq: 3, File: FileRange{Index: 12, First: -1}},
		"scan-f00012-i00003-s0": {Phase: PhaseScan, Seq: 3, File: FileRange{Index: 12}},
		"learn-i00003":          {Phase: PhaseLearn, Seq: 3},
	} {
		if got := it.ID(); got != want {
			t.Errorf("%+v is called %s, want %s", it, got, want)
		}
	}
}

func TestTemplateIndexFindsTheRangeOfABucket(t *testing.T) {
	x := &TemplateIndex{Version: Version, Ranges: []BucketRange{{0, 1, Shard{}, false}, {1, 600, Shard{}, true}, {600, SiteBuckets, Shard{Name: TemplatesFolder + "/c", SHA256: strings.Repeat("0", 64)}, false}}}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeTemplateIndex(data)
	if err != nil {
		t.Fatal(err)
	}
	for bucket := range int64(SiteBuckets) {
		if r := got.Range(bucket); bucket < r.Start || bucket >= r.End {
			t.Fatalf("bucket %d is in [%d,%d)", bucket, r.Start, r.End)
		}
	}
	for name, ranges := range map[string][]BucketRange{
		"none": nil, "gap": {{0, 5, Shard{}, false}, {6, SiteBuckets, Shard{}, false}}, "short": {{0, 5, Shard{}, false}},
		"empty range": {{0, 0, Shard{}, false}, {0, SiteBuckets, Shard{}, false}}, "too long": {{0, SiteBuckets + 1, Shard{}, false}},
	} {
		data, _ := json.Marshal(&TemplateIndex{Version: Version, Ranges: ranges})
		if _, err := DecodeTemplateIndex(data); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	data, _ = json.Marshal(&TemplateIndex{Version: Version + 1, Ranges: x.Ranges})
	if _, err := DecodeTemplateIndex(data); err == nil {
		t.Error("an index of the future was taken")
	}
}
