package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/complexity"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// identity is what a page is called.
type identity struct {
	pkg, id, url string
	site         string
	gold         *schemas.Gold // nil if there is none
}

// identify names a page. Nothing in it depends on what the page says.
func (a *attempt) identify(p *source.Page) identity {
	r := &a.j.run.Recipe
	url := p.Address()
	pkg, id := "", ""
	g := p.Gold
	if g != nil {
		pkg, id = a.packageOf(g), g.ID
	} else if a.j.gold != nil {
		// Gold by URL says nothing of this capture, so it gives no id.
		if g = a.j.gold.Lookup(p.URL); g != nil {
			pkg = g.Package
		}
	}
	name := a.it.FileName()
	if pkg == "" {
		pkg = schemas.PackageName(groupKey(r.PackageBy, name, url))
	}
	if id == "" {
		id = fmt.Sprintf("%s:%d:%d", name, p.Location.Offset, p.Location.Ordinal)
	}
	return identity{pkg, id, url, siteKey(r.SiteBy, pkg, url), g}
}

// packageOf is the package of a page whose gold is in the archive. An archive names its
// packages itself; so that none can add documents to the package of another archive or
// of a side file, a package is called "NAME in FILE" wherever there could be another of
// its name: unless the run has this file alone, or the file itself is called NAME (the
// names of files are distinct within a run). A NAME has no blank.
func (a *attempt) packageOf(g *schemas.Gold) string {
	file := a.it.FileName()
	if g.Package == "" || file == g.Package || a.j.run.Sealed.Files <= 1 && a.j.gold == nil {
		return g.Package
	}
	return g.Package + " in " + file
}

// page runs the methods on a page and appends its rows.
func (a *attempt) page(ctx context.Context, p *source.Page) error {
	who := a.identify(p)
	pkg, id, url, g := who.pkg, who.id, who.url, who.gold
	in := driver.Input{HTML: p.HTML, URL: url, Gold: recipe.Gold(g)}
	var err error
	if in.Template, err = a.s.template(ctx, who.site, url); err != nil {
		return err
	}
	res, err := a.s.driver.Page(ctx, in)
	var panicked *driver.PanicError
	switch {
	case errors.As(err, &panicked):
		a.log.Warn("page refused", "offset", p.Location.Offset, "doc", id, "record", p.RecordID, "reason", panicked.Value)
		return a.refuseAt(ctx, p.Location, p.Length, "page", "panic", fmt.Sprintf("%v\n%s", panicked.Value, panicked.Stack))
	case errors.Is(err, driver.ErrTime):
		a.s.leftBehind(p)
		return a.refuseAt(ctx, p.Location, p.Length, "page", string(algorithms.ReasonTimeout), "parsing it did not come back")
	case err != nil:
		return err
	}
	if res.Stuck {
		a.s.leftBehind(p)
		a.log.Error("a method or measure did not come back: it takes a processor until this process ends", "offset", p.Location.Offset, "doc", id, "record", p.RecordID)
	}
	a.counts.Pages++
	a.counts.BytesHTML += int64(len(p.HTML))
	a.s.w.opt.Metrics.page(res)
	r := &a.j.run.Recipe

	doc := schemas.Document{
		Run: string(a.it.Run), Package: pkg, DocID: id, URL: url,
		Site: who.site, SiteBy: r.SiteBy, Charset: p.Charset, CharsetSource: string(p.CharsetSource),
		File: a.file, Offset: p.Location.Offset, Ordinal: p.Location.Ordinal, RecordID: p.RecordID, Date: dateOf(p.Date),
		Flags:      flagNames(p.Flags, p.Decoded, res.Page.Cut),
		HTTPStatus: int64(p.Status), Replaced: int64(p.Replaced),
		HTMLBytes: int64(len(p.HTML)), ParseNS: res.ParseNS, FeatureNS: res.FeatureNS,
	}
	doc.Complexity = math.NaN()
	if g != nil {
		doc.PageType, doc.Language = g.PageType, g.Language
		if g.Text != nil {
			if c, known := complexity.Of(*g.Text, res.Page); known {
				doc.Complexity = c
			}
		}
	}
	agreed, err := a.agree(ctx, pkg, res)
	if err != nil {
		return err
	}
	doc.Consensus, doc.ConsensusF1, doc.PageConsensus = math.NaN(), math.NaN(), math.NaN()
	if agreed != nil {
		doc.PageConsensus = figure(agreed.Strength)
	}
	plain := baselineOf(res)
	failed := int64(0)
	for i := range res.Extractions {
		x := &res.Extractions[i]
		if x.Outcome == algorithms.Failed {
			failed++
			a.log.Debug("method failed", "offset", p.Location.Offset, "doc", id, "method", x.Extractor.Name, "reason", x.Reason, "detail", x.Detail)
		}
		if agreed != nil {
			doc.Consensus, doc.ConsensusF1 = figure(agreed.Means[i]), figure(agreed.Consensus[i])
		}
		doc.Confidence = math.NaN()
		if x.Confidence > 0 {
			doc.Confidence = float64(x.Confidence)
		}
		a.s.applied(&doc, x, res.Page.Body())
		if err := a.rows(ctx, &doc, res, x, plain); err != nil {
			return err
		}
	}
	a.t.add(0, 1, failed)
	return nil
}

// dateOf is a date as rows have it: RFC 3339, "" if there is none.
func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// baseline names the extractor that takes the whole text of a page: what a
// skipped extraction is compared with (spec site-level, 2.8).
const baseline = "plain"

// baselineOf returns the baseline's extraction; nil if it did not run.
func baselineOf(res *driver.Result) *driver.Extraction {
	for i := range res.Extractions {
		if x := &res.Extractions[i]; x.Extractor.Name == baseline {
			return x
		}
	}
	return nil
}

// missedBy is what an extraction that failed has missed: the gold side of a
// measure, which is the same for all extractions of the page that have a score.
func missedBy(res *driver.Result, scorer int) (gold, universe int64) {
	for i := range res.Extractions {
		if s := &res.Extractions[i].Scores[scorer].Score; s.Reason == algorithms.NoReason {
			return s.Gold, s.Universe
		}
	}
	return 0, 0
}

// rows appends the rows of one extractor on one page; plain is the page's
// baseline, or nil.
func (a *attempt) rows(ctx context.Context, doc *schemas.Document, res *driver.Result, x, plain *driver.Extraction) error {
	a.outcome(x)
	doc.Extractor, doc.Fidelity, doc.ConfigHash = x.Extractor.Name, string(x.Extractor.Fidelity), a.j.config[x.Extractor]
	doc.Outcome, doc.Reason = string(x.Outcome), string(x.Reason)
	doc.TextChars, doc.TextHash, doc.ExtractNS = int64(x.TextChars), x.TextHash, x.ExtractNS
	spans := ""
	if x.HasSelection {
		if spans = "native"; x.Aligned {
			spans = "aligned"
		}
	}
	doc.Spans = doc.Spans[:0]
	if a.j.run.Recipe.Spans && x.HasSelection {
		for _, s := range x.Selection.Spans {
			doc.Spans = append(doc.Spans, s.Start, s.End)
		}
	}
	if err := a.shards.document(ctx, doc); err != nil {
		return err
	}
	for i := range x.Scores {
		s := &x.Scores[i]
		row := schemas.ScoreRow{
			Run: doc.Run, Package: doc.Package, DocID: doc.DocID, Extractor: doc.Extractor, Scorer: s.Scorer.Name,
			Reason: string(s.Score.Reason), Precision: s.Score.Precision, Recall: s.Score.Recall, F1: s.Score.F1,
			Value: s.Score.Value, Common: s.Score.Common, Extracted: s.Score.Extracted, Gold: s.Score.Gold,
			PUndefined: s.Score.PUndefined, RUndefined: s.Score.RUndefined, Method: s.Score.Method, Spans: spans,
			CommonHigh: s.Score.CommonHigh, Universe: s.Score.Universe, Coverage: math.NaN(), Baseline: math.NaN(),
		}
		if x.Outcome == algorithms.Failed && s.Score.Reason == algorithms.ReasonNoAnswer {
			row.Gold, row.Universe = missedBy(res, i)
		}
		if s.Err != "" {
			a.log.Error("measure failed", "offset", doc.Offset, "doc", doc.DocID, "method", doc.Extractor, "measure", s.Scorer.Name, "detail", s.Err)
			if a.counts.Unmade == nil {
				a.counts.Unmade = map[string]int64{}
			}
			a.counts.Unmade[s.Scorer.Name]++
		}
		if s.Score.Placed {
			row.Coverage = s.Score.Coverage
		}
		if x.Outcome == algorithms.Skipped && plain != nil && plain.Scores[i].Score.Reason == algorithms.NoReason {
			row.Baseline = plain.Scores[i].Score.F1
			if s.Scorer.Mean == algorithms.MeanValue {
				row.Baseline = plain.Scores[i].Score.Value
			}
		}
		if err := a.shards.score(ctx, &row); err != nil {
			return err
		}
	}
	if a.j.run.Recipe.Texts == "" || x.Outcome == algorithms.Skipped || x.Outcome == algorithms.Failed {
		return nil
	}
	return a.shards.text(ctx, &schemas.Text{
		Run: doc.Run, Package: doc.Package, DocID: doc.DocID, URL: doc.URL, Extractor: doc.Extractor, Text: string(x.Text),
		RecordID: doc.RecordID, Date: doc.Date,
	})
}

// outcome counts what became of one extractor on one page: "bte/failed/panic".
func (a *attempt) outcome(x *driver.Extraction) {
	key := outcomeKey{x.Extractor.Name, x.Outcome, x.Reason}
	name, ok := a.s.outcomes[key]
	if !ok {
		name = key.method + "/" + string(key.outcome)
		if key.reason != "" {
			name += "/" + string(key.reason)
		}
		if a.s.outcomes == nil {
			a.s.outcomes = make(map[outcomeKey]string)
		}
		a.s.outcomes[key] = name
	}
	a.count(&a.counts.Outcomes, name)
}

// outcomeKey saves joining the same few hundred names for every page.
type outcomeKey struct {
	method  string
	outcome algorithms.Outcome
	reason  algorithms.Reason
}

var cuts = [...]struct {
	bit  html.Cut
	name string
}{{html.CutDepth, "depth-cut"}, {html.CutNodes, "nodes-cut"}, {html.CutText, "text-cut"}, {html.CutAttrs, "attrs-cut"}, {html.CutSource, "source-cut"}}

// flagNames joins all that is special about a page; the empty string for most.
func flagNames(r warc.Flags, d payload.Flags, c html.Cut) string {
	if r == 0 && d == 0 && c == 0 {
		return ""
	}
	names := append(r.Names(), d.Names()...)
	for _, cut := range cuts {
		if c&cut.bit != 0 {
			names = append(names, cut.name)
		}
	}
	return strings.Join(names, ",")
}
