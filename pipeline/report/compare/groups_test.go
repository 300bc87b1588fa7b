package compare

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// "site" skips the even pages of world, where "same" is worse than "fair". On the odd
// pages, "same" is better.
func TestGroups(t *testing.T) {
	scores, documents := world()
	documents = append(documents, schemas.Document{HasGold: true, Run: "r", Package: "p", DocID: "nogold", Extractor: "good", Outcome: "ok"})
	for _, partSize := range []int{1000, 35} {
		all, err := Run(context.Background(), folder(t, scores, documents, partSize), Options{Replicates: 2000, By: stats.ByLanguage})
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 2 {
			t.Fatalf("%d comparisons: %+v", len(all), all)
		}
		for i, want := range []string{
			"language de vec 30 pages of 6 sites: site good same fair fails; without a score ",
			"language en vec 30 pages of 6 sites: good fair same fails; without a score site",
		} {
			c := all[i]
			var ranking []string
			for _, m := range c.Ranking {
				ranking = append(ranking, m.Extractor)
			}
			got := fmt.Sprintf("%s %s %s %d pages of %d sites: %s; without a score %s", c.Grouping, c.Group, c.Scorer, c.Documents, c.Sites,
				strings.Join(ranking, " "), strings.Join(c.Unranked, " "))
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			for _, p := range c.Pairs {
				if p.A == "good" && p.B == "fair" && (!p.Differ || p.Wins != 30 || p.Documents != 30) {
					t.Errorf("%+v", p)
				}
			}
		}
		var text bytes.Buffer
		if err := WriteText(&text, all, false); err != nil || !strings.Contains(text.String(), "p, language de, vec: 30 pages of 6 sites. ") {
			t.Errorf("%v: %s", err, text.String())
		}
	}
	if _, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{By: "colour"}); err == nil || !strings.Contains(err.Error(), "no grouping") {
		t.Errorf("error %v", err)
	}
}
