package stats

import (
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/schemas"
)

// The published F1 of cetd-lcs is of the two means: precision 88.87 % and recall
// 95.83 % make the 92.22 % that Alarte and Silva print for BTE on CleanEval. Two
// documents with those means, whose own F1 have another one.
func TestPublishedMeanOfCETD(t *testing.T) {
	c := newCounting(t, algorithms.F1OfMeans, 0)
	c.add(schemas.Document{}, schemas.ScoreRow{Precision: 0.9887, Recall: 0.9183, F1: 0.9522})
	c.add(schemas.Document{}, schemas.ScoreRow{Precision: 0.7887, Recall: 0.9983, F1: 0.8812})
	near(t, "F1 of means", c.row().Headline, 0.9222, 5e-5)
}
