package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/complexity"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// page runs the methods on a page and appends its rows.
func (a *attempt) page(ctx context.Context, p *source.Page) error {
	who := a.r.namer.Identify(&a.Item.File, p)
	in := driver.Input{HTML: p.HTML, URL: who.URL, Package: who.Package, Document: who.ID, Gold: recipe.Gold(who.Gold), Headers: a.headers(p.Fields), Index: a.headers(p.Index)}
	var err error
	if in.Site, err = a.r.site(ctx, who.URL, p.Date); err != nil {
		return err
	}
	content := hashContent(p, in.Site)
	scored := in.Gold != nil && len(a.r.config.Scorers) > 0
	if !scored && a.r.unchanged(who.URL, content) {
		a.unchanged++
		return nil
	}
	if in.Template, err = a.r.template(ctx, who.Site, who.URL); err != nil {
		return err
	}
	log := func() *slog.Logger { return a.Log.With("offset", p.Location.Offset, "doc", who.ID) } // made only for pages that are logged
	res, err := a.r.driver.Page(ctx, in)
	var panicked *driver.PanicError
	switch {
	case errors.As(err, &panicked):
		log().Warn("page refused", "record", p.RecordID, "reason", panicked.Value)
		a.r.reader.Refuse("panic", fmt.Sprintf("%v\n%s", panicked.Value, panicked.Stack))
		return nil
	case errors.Is(err, driver.ErrTime):
		a.leftBehind(p)
		a.r.reader.Refuse(string(algorithms.ReasonTimeout), "parsing it did not come back")
		return nil
	case err != nil:
		return err
	}
	if res.Stuck {
		a.leftBehind(p)
		log().Error("an extractor or scorer did not come back: it takes a processor until this process ends", "record", p.RecordID)
	}
	a.counts.Pages++
	if in.Gold != nil {
		a.counts.WithGold++
	}
	a.counts.BytesHTML += int64(len(p.HTML))
	a.r.opt.Metrics.page(res)
	a.Advance(worker.Progress{HTML: int64(res.HTMLBytes)})
	if !allAnswered(res) {
		content = 0 // the next run tries again
	}
	r := &a.Job.Run.Recipe

	row := schemas.Page{
		Run: string(a.Item.Run), Package: who.Package, DocID: who.ID, PageID: who.PageID, URL: who.URL, Site: who.Site, SiteBy: r.SiteBy,
		File: a.Item.File.URL, Offset: p.Location.Offset, Ordinal: p.Location.Ordinal, RecordID: p.RecordID, Date: p.Dated(),
		HTTPStatus: int64(p.Status), Charset: p.Charset, CharsetSource: string(p.CharsetSource), Replaced: int64(p.Replaced),
		HTMLBytes: int64(len(p.HTML)), ContentHash: content, ParseNS: res.ParseNS, FactsNS: res.FactNS,
		Flags:      flagNames(p.Flags, p.Decoded, res.Page.Cut),
		Complexity: math.NaN(), PageConsensus: math.NaN(),
		Facts: slices.Clone(res.Facts), FactsFailed: a.unfound(log, "", res.Unfound),
	}
	if g := who.Gold; g != nil {
		row.PageType, row.GoldLanguage = g.PageType, g.Language
		if g.Text != nil {
			if c, known := complexity.Of(*g.Text, res.Page); known {
				row.Complexity = c
			}
		}
	}
	doc := schemas.Document{
		Run: row.Run, Package: row.Package, DocID: row.DocID, PageID: row.PageID, URL: row.URL,
		PageType: row.PageType, File: row.File, Offset: row.Offset,
		HTMLBytes: row.HTMLBytes, ParseNS: res.ParseNS, FeatureNS: res.FeatureNS, HasGold: in.Gold != nil,
	}
	agreed, err := a.agree(who.Package, res)
	if err != nil {
		return err
	}
	doc.Consensus, doc.ConsensusF1 = math.NaN(), math.NaN()
	if agreed != nil {
		row.PageConsensus = figure(agreed.Strength)
	}
	if err := a.shards.pages.Append(&row); err != nil {
		return err
	}
	if err := a.links(&row, res); err != nil {
		return err
	}
	plain := baselineOf(res)
	failed := int64(0)
	for i := range res.Extractions {
		x := &res.Extractions[i]
		if x.Outcome == algorithms.Failed {
			failed++
			log().Debug("extractor failed", "extractor", x.Extractor.Name, "reason", x.Reason, "detail", x.Detail)
		}
		if agreed != nil {
			doc.Consensus, doc.ConsensusF1 = figure(agreed.Means[i]), figure(agreed.Consensus[i])
		}
		doc.Confidence = x.Confident()
		a.r.applied(&doc, x, res.Page.Body())
		doc.Facts, doc.FactsFailed = slices.Clone(x.Facts), a.unfound(log, x.Extractor.Name, x.Unfound)
		if err := a.rows(&row, &doc, res, x, plain); err != nil {
			return err
		}
	}
	a.Advance(worker.Progress{Pages: 1, Failures: failed})
	return nil
}

// links appends the links of a page.
func (a *attempt) links(page *schemas.Page, res *driver.Result) error {
	if len(res.Links) == 0 {
		return nil
	}
	row := schemas.LinkRow{Run: page.Run, Package: page.Package, DocID: page.DocID, URL: page.URL, PageID: page.PageID}
	if res.LinksBy != nil {
		row.MainBy = res.LinksBy.Name
	}
	text := string(res.LinkText)
	for i := range res.Links {
		l := &res.Links[i]
		row.Position = int32(i)
		if res.LinksBy != nil {
			row.InMain = schemas.No
			if l.InMain {
				row.InMain = schemas.Yes
			}
		}
		row.Target, row.AnchorText, row.Rel = text[l.Target.Start:l.Target.End], text[l.Anchor.Start:l.Anchor.End], text[l.Rel.Start:l.Rel.End]
		if err := a.shards.links.Append(&row); err != nil {
			return err
		}
	}
	return nil
}

// leftBehind notes that an extractor or scorer which works on the page did not return.
// The page is not used again, because that goroutine may still read it.
func (a *attempt) leftBehind(p *source.Page) {
	a.LeftRunning()
	p.HTML = nil
}

// headers returns fields of a page's response, or of its index line, in the form that facts read.
func (a *attempt) headers(fields []payload.Field) []fact.Header {
	if len(a.r.config.Facts) == 0 {
		return nil
	}
	var out []fact.Header
	for _, f := range fields {
		out = append(out, fact.Header{Name: f.Name, Value: f.Value})
	}
	return out
}

// unfound names the facts that failed, with their reasons: "rights:panic". Each of them
// is a defect of the fact, never of the page.
func (a *attempt) unfound(log func() *slog.Logger, extractor string, list []driver.Unfound) string {
	var names []string
	for _, u := range list {
		log().Error("fact failed", "fact", u.Fact, "extractor", extractor, "reason", u.Reason, "detail", u.Detail)
		names = append(names, u.Fact+":"+string(u.Reason))
	}
	return strings.Join(names, ",")
}

// baseline names the extractor that takes the whole text of a page: what a
// skipped extraction is compared with.
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

// missedBy returns what a failed extraction has missed: the gold items of a scorer, whose
// number is the same for all extractions of the page that have a score.
func missedBy(res *driver.Result, scorer int) (gold, universe int64) {
	for i := range res.Extractions {
		if s := &res.Extractions[i].Scores[scorer].Score; s.Reason == algorithms.NoReason {
			return s.Gold, s.Universe
		}
	}
	return 0, 0
}

// rows appends the rows of one extractor on a page; plain is the page's baseline, or nil.
// Without gold nothing is scored, so there are no rows of scores.
func (a *attempt) rows(page *schemas.Page, doc *schemas.Document, res *driver.Result, x, plain *driver.Extraction) error {
	a.outcome(x)
	doc.Extractor, doc.Fidelity, doc.ConfigHash = x.Extractor.Name, string(x.Extractor.Fidelity), a.r.hashes[x.Extractor]
	doc.Outcome, doc.Reason = string(x.Outcome), string(x.Reason)
	doc.TextChars, doc.TextHash, doc.ExtractNS = int64(x.TextChars), x.TextHash, x.ExtractNS
	spans := ""
	if x.HasSelection {
		if spans = "native"; x.Aligned {
			spans = "aligned"
		}
	}
	doc.Spans = doc.Spans[:0]
	if a.Job.Run.Recipe.Spans && x.HasSelection {
		for _, s := range x.Selection.Spans {
			doc.Spans = append(doc.Spans, s.Start, s.End)
		}
	}
	answered := x.Outcome == algorithms.OK
	a.filter(page, doc, answered)
	if err := a.shards.documents.Append(doc); err != nil {
		return err
	}
	scores := x.Scores
	if !doc.HasGold {
		scores = nil
	}
	for i := range scores {
		s := &scores[i]
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
			a.Log.Error("scorer failed", "offset", doc.Offset, "doc", doc.DocID, "extractor", doc.Extractor, "scorer", s.Scorer.Name, "detail", s.Err)
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
		if err := a.shards.scores.Append(&row); err != nil {
			return err
		}
	}
	if a.Job.Run.Recipe.Texts == "" || !answered || doc.Kept == schemas.No {
		return nil
	}
	text, form := a.text(doc, res, x)
	return a.shards.texts.Append(&schemas.Text{
		Run: doc.Run, Package: doc.Package, DocID: doc.DocID, URL: doc.URL, Extractor: doc.Extractor, Form: form, Text: text,
		RecordID: page.RecordID, Date: page.Date,
		PageID: page.PageID, HTTPStatus: page.HTTPStatus, TextChars: doc.TextChars, TextHash: doc.TextHash, Confidence: doc.Confidence,
		Facts: slices.Concat(page.Facts, doc.Facts),
	})
}

// text returns the text of an extraction as it is written, in the form that the recipe asks for if
// the extractor chose a part of the page, and otherwise as text.
func (a *attempt) text(doc *schemas.Document, res *driver.Result, x *driver.Extraction) (text, form string) {
	form = cmp.Or(a.Job.Run.Recipe.TextForm, schemas.FormText)
	if form != schemas.FormText && x.HasSelection && !x.Aligned {
		if text, ok := a.markup(form, doc, res, x); ok {
			return string(text), form
		}
	}
	if a.r.mask.Find != nil {
		return string(a.r.mask.Text(nil, x.Text)), schemas.FormText
	}
	return string(x.Text), schemas.FormText
}

// markup returns an extraction with its structure. ok is false if that is longer than
// the writer allows, or if the writer has a defect, so that nothing of the text is lost.
func (a *attempt) markup(form string, doc *schemas.Document, res *driver.Result, x *driver.Extraction) (text []byte, ok bool) {
	defer func() {
		if v := recover(); v != nil {
			a.Log.Error("text is written without its structure", "offset", doc.Offset, "doc", doc.DocID, "extractor", doc.Extractor, "form", form,
				"detail", fmt.Sprintf("%v\n%s", v, debug.Stack()))
			text, ok = nil, false
		}
	}()
	if form == schemas.FormHTML {
		return a.r.markup.HTML(res.Page, &x.Selection, doc.URL, a.r.mask), true
	}
	return a.r.markup.Markdown(res.Page, &x.Selection, doc.URL, a.r.mask)
}

// filter sets in the row of a text whether it is kept, and counts it if it is not.
func (a *attempt) filter(page *schemas.Page, doc *schemas.Document, answered bool) {
	doc.Kept, doc.LeftOutBy = schemas.Unknown, ""
	if a.r.evaluator == nil || !answered {
		return
	}
	doc.Kept, doc.LeftOutBy = schemas.Yes, a.r.evaluator.LeftOutBy(page, doc)
	if doc.LeftOutBy == "" {
		return
	}
	doc.Kept = schemas.No
	if a.counts.LeftOut == nil {
		a.counts.LeftOut = make(map[string]int64)
	}
	a.counts.LeftOut[doc.LeftOutBy]++
	a.r.opt.Metrics.leftOut.WithLabelValues(doc.Extractor).Inc()
}

// outcome counts the outcome of one extractor on one page: "bte/failed/panic".
func (a *attempt) outcome(x *driver.Extraction) {
	name := x.Extractor.Name + "/" + string(x.Outcome)
	if x.Reason != algorithms.NoReason {
		name += "/" + string(x.Reason)
	}
	if a.counts.Outcomes == nil {
		a.counts.Outcomes = make(map[string]int64)
	}
	a.counts.Outcomes[name]++
}

var cuts = [...]struct {
	bit  html.Cut
	name string
}{{html.CutDepth, "depth-cut"}, {html.CutNodes, "nodes-cut"}, {html.CutText, "text-cut"}, {html.CutAttrs, "attrs-cut"}, {html.CutSource, "source-cut"}}

// flagNames joins the names of a page's flags. Most pages have none.
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
