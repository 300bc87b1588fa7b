package web2text

import (
	"bytes"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/location"
)

// sourceGold is the page's source and the blocks that the gold labels in it.
type sourceGold struct {
	labels
	source  source
	aligner aligner
	text    []byte
}

var goldBySource = &algorithms.GoldFeature[sourceGold]{Name: "block labels by source", Compute: func(dst *sourceGold, g *algorithms.Gold) {
	dst.source.fill(g.Page)
	dst.text = appendPrepared(dst.text[:0], g.Text)
	dst.aligner.label(&dst.labels, &dst.source, blocksOf.Of(g), dst.text)
}}

// appendPrepared appends a gold text as the program reads it.
func appendPrepared(dst []byte, text string) []byte {
	clean := location.AppendClean(nil, text)
	for line := range bytes.Lines(clean) {
		if line = bytes.TrimLeft(line, " \t\r\n\v\f"); len(line) > 0 {
			dst = append(dst, line...)
		}
	}
	return bytes.TrimSpace(dst)
}

// sourceTrial is the working memory of an extraction.
type sourceTrial struct {
	labels
	aligner aligner
}

func bySource(t *algorithms.Trial) algorithms.Score {
	if t.Gold.Page == nil {
		return algorithms.Score{Reason: algorithms.ReasonNoSpans}
	}
	gold := goldBySource.Of(t.Gold)
	x := algorithms.TrialScratch[sourceTrial](t)
	x.aligner.label(&x.labels, &gold.source, blocksOf.Of(t.Gold), bytes.TrimSpace(t.Text))
	if gold.aligner.over || x.aligner.over {
		return algorithms.Score{Method: methodCoarse, Reason: algorithms.ReasonTooLong}
	}
	s := compare(&gold.labels, &x.labels)
	if x.method != methodSource {
		s.Method = x.method
	}
	return s
}

// label aligns text with the source and labels the blocks.
func (a *aligner) label(dst *labels, s *source, b *blocks, text []byte) {
	a.text = appendUnits(a.text[:0], text)
	dst.coverage = a.align(s)
	dst.method = methodSource
	if a.coarse {
		dst.method = methodCoarse
	}
	dst.covered = algorithms.Zeros(dst.covered, len(b.skipped))
	for _, r := range s.runs {
		for _, aligned := range a.aligned[r.from:r.to] {
			if aligned {
				dst.covered[r.row]++
			}
		}
	}
	dst.label(b)
}

// The values of Score.Method, which say how a text was aligned.
const (
	methodSource = "w2t"
	methodCoarse = "w2t-coarse" // some gap was too large for the table
)
