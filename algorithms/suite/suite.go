// Package suite is the one list of all extractors, scorers and facts. It is the only package
// that imports them all; nothing registers itself. Extractors that are programs of their own
// are added by With.
//
// This package is internal to Winnow and may change in any release.
package suite

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/ensemble"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/fact/index"
	"github.com/winnow/winnow/algorithms/fact/language"
	"github.com/winnow/winnow/algorithms/fact/links"
	"github.com/winnow/winnow/algorithms/fact/metadata"
	"github.com/winnow/winnow/algorithms/fact/pii"
	"github.com/winnow/winnow/algorithms/fact/quality"
	"github.com/winnow/winnow/algorithms/fact/rights"
	"github.com/winnow/winnow/algorithms/fact/robots"
	"github.com/winnow/winnow/algorithms/fact/signature"
	"github.com/winnow/winnow/algorithms/score/alarte"
	"github.com/winnow/winnow/algorithms/score/arias"
	"github.com/winnow/winnow/algorithms/score/bevendorff"
	"github.com/winnow/winnow/algorithms/score/cetdlcs"
	"github.com/winnow/winnow/algorithms/score/cleaneval"
	"github.com/winnow/winnow/algorithms/score/fce"
	"github.com/winnow/winnow/algorithms/score/gottron"
	"github.com/winnow/winnow/algorithms/score/shingle"
	"github.com/winnow/winnow/algorithms/score/snippet"
	"github.com/winnow/winnow/algorithms/score/structure"
	"github.com/winnow/winnow/algorithms/score/wcxb"
	web2textscore "github.com/winnow/winnow/algorithms/score/web2text"
	"github.com/winnow/winnow/algorithms/site/blockfrequency"
	"github.com/winnow/winnow/algorithms/site/conex"
	"github.com/winnow/winnow/algorithms/site/contentextractor"
	"github.com/winnow/winnow/algorithms/site/fastcontentextractor"
	"github.com/winnow/winnow/algorithms/site/infodiscoverer"
	"github.com/winnow/winnow/algorithms/site/iwptd"
	"github.com/winnow/winnow/algorithms/site/rbmtd"
	"github.com/winnow/winnow/algorithms/site/rtdmtd"
	"github.com/winnow/winnow/algorithms/site/sst"
	"github.com/winnow/winnow/algorithms/site/temex"
	"github.com/winnow/winnow/algorithms/site/texthash"
	"github.com/winnow/winnow/algorithms/suite/pagelevel"
)

// Extractors returns all extractors, page-level before site-level, in the
// order in which tables and catalogues show them. The slice is new, the values
// are shared.
func Extractors() []*algorithms.Extractor { return slices.Concat(pageLevel(), ensembles, siteLevel()) }

// With returns Extractors with others, which ensembles may have as members. One that has the
// name of a listed extractor takes its place, to measure a learned extractor with another
// model than the program's; the rest follow the page-level extractors.
func With(others ...*algorithms.Extractor) ([]*algorithms.Extractor, error) {
	page, site := pageLevel(), siteLevel()
	for _, o := range others {
		i := slices.IndexFunc(page, func(e *algorithms.Extractor) bool { return e.Name == o.Name })
		if i < 0 {
			page = append(page, o)
		} else {
			page[i] = o
		}
	}
	voting, err := ensemble.New(slices.Concat(page, site))
	if err != nil {
		return nil, err
	}
	return slices.Concat(page, voting, site), nil
}

// ensembles have the others as members.
var ensembles = must(ensemble.New(slices.Concat(pageLevel(), siteLevel())))

// must is for lists that are part of the program.
func must(list []*algorithms.Extractor, err error) []*algorithms.Extractor {
	if err != nil {
		panic("suite: " + err.Error())
	}
	return list
}

func pageLevel() []*algorithms.Extractor {
	return pagelevel.Extractors()
}

func siteLevel() []*algorithms.Extractor {
	return []*algorithms.Extractor{
		contentextractor.Extractor, contentextractor.HTML5Extractor,
		fastcontentextractor.Extractor,
		infodiscoverer.Extractor,
		iwptd.Extractor,
		sst.Extractor,
		rtdmtd.Extractor,
		rbmtd.Extractor,
		temex.Extractor,
		conex.Extractor,
		blockfrequency.Extractor,
		texthash.Extractor,
	}
}

// Scorers returns all scorers in the order in which tables show them.
func Scorers() []*algorithms.Scorer {
	return slices.Concat(
		gottron.Scorers,
		arias.Scorers,
		fce.Scorers,
		alarte.Scorers,
		cetdlcs.Scorers,
		web2textscore.Scorers,
		cleaneval.Scorers,
		bevendorff.Scorers,
		shingle.Scorers,
		wcxb.Scorers,
		snippet.Scorers,
		structure.Scorers,
	)
}

// Facts returns all facts in the order in which tables have their columns.
func Facts() []*fact.Fact {
	return []*fact.Fact{
		rights.Fact,
		metadata.Fact,
		language.Fact,
		links.Fact,
		quality.Fact,
		signature.Fact,
		pii.Fact,
		index.Fact,
		robots.Fact,
	}
}
