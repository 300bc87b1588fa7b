package schemas

import (
	"slices"
	"strings"
	"testing"
)

func TestReading(t *testing.T) {
	for _, r := range []Reading{{}, {Hidden: HiddenShow, Words: WordsSpace}} {
		if err := r.Check(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for _, r := range []Reading{{Hidden: "x"}, {Words: "x"}} {
		if r.Check() == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}

func TestTrainedOn(t *testing.T) {
	r := Recipe{Extractors: []Method{{Name: "winnow", TrainedOn: []string{"wcxb-dev"}}, {Name: "bte"}}}
	for pkg, want := range map[string]bool{"wcxb-dev": true, "wcxb-dev in crawl.warc.gz": true, "wcxb-development": false, "wcxb": false, "": false} {
		if r.TrainedOn("winnow", pkg) != want {
			t.Errorf("%q: %t, want %t", pkg, !want, want)
		}
		if r.TrainedOn("bte", pkg) || r.TrainedOn("other", pkg) {
			t.Errorf("%q: an extractor that was not trained on anything was trained on it", pkg)
		}
	}
}

func TestDefaultScorer(t *testing.T) {
	for _, c := range []struct {
		scorers []string
		want    string
	}{{nil, ""}, {[]string{"str", "lcs"}, "str"}, {[]string{"str", DefaultScorer, "lcs"}, DefaultScorer}} {
		var r Recipe
		for _, name := range c.scorers {
			r.Scorers = append(r.Scorers, Method{Name: name})
		}
		if len(r.ScorersToShow()) != len(r.Scorers) {
			t.Errorf("%q: shown are %+v", c.scorers, r.ScorersToShow())
		}
		if got := r.DefaultScorer().Name; got != c.want {
			t.Errorf("%q of %q, want %q", got, c.scorers, c.want)
		}
	}
}

func TestDefaultsAreNotStored(t *testing.T) {
	for value, want := range map[string][2]string{"": {}, "none": {}, TextsParquet: {TextsParquet}, TextsJSONLines: {TextsJSONLines}, TextsWARC: {TextsWARC},
		"text": {TextsParquet}, "markdown": {TextsParquet, FormMarkdown}, "jsonl,html": {TextsJSONLines, FormHTML}, "markdown, warc": {TextsWARC, FormMarkdown}, "text,jsonl": {TextsJSONLines}} {
		if format, form, err := NewTexts(value); err != nil || format != want[0] || form != want[1] {
			t.Errorf("texts %q: %q, %q, %v", value, format, form, err)
		}
	}
	for _, value := range []string{"csv", "jsonl,", "jsonl,warc", "html,markdown", "none,html", "jsonl,html,html"} {
		if _, _, err := NewTexts(value); err == nil || !strings.Contains(err.Error(), "such as jsonl,markdown") {
			t.Errorf("texts %q: %v", value, err)
		}
	}
}

func TestStatuses(t *testing.T) {
	if got, err := NewStatuses([]int{200}); err != nil || got != nil {
		t.Errorf("200 alone: %v, %v", got, err)
	}
	if got, err := NewStatuses([]int{404, 200, 404}); err != nil || !slices.Equal(got, []int{200, 404}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := NewStatuses([]int{20}); err == nil {
		t.Error("a status of two digits was taken")
	}
}
