// Package pagelevel is the part of the suite's list that a program needs which extracts single
// pages: Winnow's own extractors that learn nothing from a site and have no members. It is a
// package of its own because package suite also links the scorers and what these need.
//
// This package is internal to Winnow and may change in any release.
package pagelevel

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/alartesilva"
	"github.com/winnow/winnow/algorithms/extract/boilerpipe"
	"github.com/winnow/winnow/algorithms/extract/bte"
	"github.com/winnow/winnow/algorithms/extract/ccb"
	"github.com/winnow/winnow/algorithms/extract/cetd"
	"github.com/winnow/winnow/algorithms/extract/cetr"
	"github.com/winnow/winnow/algorithms/extract/crf"
	"github.com/winnow/winnow/algorithms/extract/crunch"
	"github.com/winnow/winnow/algorithms/extract/density"
	"github.com/winnow/winnow/algorithms/extract/dsc"
	"github.com/winnow/winnow/algorithms/extract/fe"
	"github.com/winnow/winnow/algorithms/extract/justext"
	"github.com/winnow/winnow/algorithms/extract/lqf"
	"github.com/winnow/winnow/algorithms/extract/menex"
	"github.com/winnow/winnow/algorithms/extract/plain"
	"github.com/winnow/winnow/algorithms/extract/unfluff"
	"github.com/winnow/winnow/algorithms/extract/web2text"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/algorithms/extract/wlr"
)

// Extractors returns them in the order in which tables and catalogues show them. The slice is
// new, the values are shared.
func Extractors() []*algorithms.Extractor {
	return []*algorithms.Extractor{
		winnow.Extractor,
		plain.Extractor,
		bte.Extractor,
		dsc.Extractor,
		lqf.LQF25, lqf.LQF50, lqf.LQF75,
		crunch.Extractor,
		ccb.CCB, ccb.ACCB, ccb.TCCB,
		density.Extractor,
		fe.FE, fe.KFE,
		cetr.CETR, cetr.CETRKM, cetr.CETRTM,
		cetd.DS, cetd.CompositeDS, cetd.CompositeS, cetd.HybridDS,
		wlr.Extractor,
		menex.Extractor,
		alartesilva.Extractor, alartesilva.ThirdExtractor,
		boilerpipe.Default, boilerpipe.Article, boilerpipe.ReleasedArticle, boilerpipe.Largest,
		unfluff.Extractor,
		justext.Extractor, justext.Bench, justext.Traf,
		crf.Extractor,
		web2text.Extractor,
	}
}
