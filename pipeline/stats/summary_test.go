package stats

import "testing"

// TestRankedByAMeasureThatHasFigures has a package whose gold the first scorer cannot
// read.
func TestRankedByAMeasureThatHasFigures(t *testing.T) {
	half, most := 0.5, 0.9
	p := PackageSummary{Package: "p", Extractors: []ExtractorSummary{
		{Extractor: "a", Scores: []ScoreSummary{{Scorer: "vec"}, {Scorer: "snippet", Headline: &half}}},
		{Extractor: "b", Scores: []ScoreSummary{{Scorer: "vec"}, {Scorer: "snippet", Headline: &most}}},
	}}
	if list := p.ranked(); list[0].Extractor != "b" || list[1].Extractor != "a" {
		t.Errorf("%s before %s", list[0].Extractor, list[1].Extractor)
	}
}
