package columnar

import "github.com/winnow/winnow/schemas"

// Documents has a row for each page and extractor. What depends on the page alone is in
// Pages; schemas.Document lists what is repeated here, and why. DocumentsOf adds the
// columns of facts.
var Documents = &Table[schemas.Document]{schemas.TableDocuments, []column[schemas.Document]{
	text("run", func(r *schemas.Document) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.Document) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("doc_id", func(r *schemas.Document) *string { return &r.DocID }).
		means("Identifier of the page within its package: the gold's, or the file name, offset and ordinal of its record."),
	hash64("page_id", func(r *schemas.Document) *uint64 { return &r.PageID }).
		means("Identifier of the page within the run; it leads to `pages.page_id`."),
	text("url", func(r *schemas.Document) *string { return &r.URL }).
		means("Address of the page as its record states it."),
	optional("page_type", func(r *schemas.Document) *string { return &r.PageType }).
		means("Type of the page (article, forum, product ...) as its gold states it.").nullWhen("the gold states none or there is no gold"),
	text("file", func(r *schemas.Document) *string { return &r.File }).
		means("Input file as the run names it, without secrets."),
	int64s("offset", func(r *schemas.Document) *int64 { return &r.Offset }).
		means("Offset in the file of the unit (gzip member, zstd frame or plain record) that holds the record.").in("bytes"),
	text("extractor", func(r *schemas.Document) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default."),
	text("outcome", func(r *schemas.Document) *string { return &r.Outcome }).
		means("`ok`, `empty` (the extractor chose nothing), `skipped` (it does not apply) or `failed`."),
	optional("reason", func(r *schemas.Document) *string { return &r.Reason }).
		means("Why the outcome is `skipped` or `failed`, from a closed list.").nullWhen("the outcome is `ok` or `empty`"),
	int64s("html_bytes", func(r *schemas.Document) *int64 { return &r.HTMLBytes }).
		means("Size of the page after decoding to UTF-8.").in("bytes"),
	int64s("text_chars", func(r *schemas.Document) *int64 { return &r.TextChars }).
		means("Length of the extracted text in Unicode code points.").in("characters"),
	int64s("parse_ns", func(r *schemas.Document) *int64 { return &r.ParseNS }).
		means("Time of parsing the page; the same in all rows of a page.").in("nanoseconds"),
	int64s("feature_ns", func(r *schemas.Document) *int64 { return &r.FeatureNS }).
		means("Time of computing what several extractors share; the same in all rows of a page.").in("nanoseconds"),
	int64s("extract_ns", func(r *schemas.Document) *int64 { return &r.ExtractNS }).
		means("Time of this extractor without `parse_ns` and `feature_ns`. That of an ensemble includes the time of its members, each once, whether or not they were chosen.").in("nanoseconds"),
	spans("spans", func(r *schemas.Document) *[]int32 { return &r.Spans }).
		means("Start and end, alternating, of each chosen span of the page text. Written with `--spans`.").in("bytes").nullWhen("spans were not asked for, or the extractor gave none"),
	optional("fidelity", func(r *schemas.Document) *string { return &r.Fidelity }).
		means("How closely the extractor follows its publication: `exact`, `adapted` ...").nullWhen("the extractor states none"),
	hash64("text_hash", func(r *schemas.Document) *uint64 { return &r.TextHash }).
		means("Hash of the extracted text, 64 bits as a signed number: equal texts have equal hashes."),
	optional("template_id", func(r *schemas.Document) *string { return &r.TemplateID }).
		means("Identifier of the site template that was applied; it leads to `templates.template_id`.").nullWhen("the extractor is page-level or there was no template"),
	int64s("template_pages", func(r *schemas.Document) *int64 { return &r.TemplatePages }).
		means("Pages that the template was learned from; 0 without one.").in("pages"),
	bools("in_sample", func(r *schemas.Document) *bool { return &r.InSample }).
		means("Whether the page is one of those that the template was learned from."),
	shares("coverage", func(r *schemas.Document) *float64 { return &r.Coverage }, noTemplate).
		means("Share of the page's words that the template removed.").in("share, 0 to 1").nullWhen("no template was applied"),
	optional("notes", func(r *schemas.Document) *string { return &r.Notes }).
		means("Remarks of the extractor on its answer, comma-separated: `truncated`, `cs_fallback` ...").nullWhen("there are none"),
	numbers("consensus", func(r *schemas.Document) *float64 { return &r.Consensus }, nil).
		means("Mean agreement with the run's other extractors on this page; a family of variants counts once.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
	numbers("consensus_f1", func(r *schemas.Document) *float64 { return &r.ConsensusF1 }, nil).
		means("Agreement with the words that more than half of the other extractors chose.").in("F1, 0 to 1").nullWhen("there is nothing to compare with"),
	optional("config_hash", func(r *schemas.Document) *string { return &r.ConfigHash }).
		means("Hash of all settings of the extractor: rows with the same hash come from the same method.").nullWhen("the extractor is unknown to the program that wrote the row"),
	optional("template_method", func(r *schemas.Document) *string { return &r.TemplateMethod }).
		means("What the extractor learns from a site; it leads to `templates.method`.").nullWhen("the extractor is page-level"),
	optional("template_status", func(r *schemas.Document) *string { return &r.TemplateStatus }).
		means("Status of the template: `ok`, `empty`, `too_few_pages`, `learn_failed` or `oversize`.").nullWhen("the extractor is page-level"),
	bools("loo", func(r *schemas.Document) *bool { return &r.LOO }).
		means("Whether the page is in the sample and was left out where pages are counted (leave one out)."),
	positives("cluster", func(r *schemas.Document) *int64 { return &r.Cluster }).
		means("Cluster of pages that the page was put into, from 1.").nullWhen("the method forms no clusters"),
	bools("has_gold", func(r *schemas.Document) *bool { return &r.HasGold }).
		means("Whether the page has gold. Only such pages have rows of scores."),
	numbers("confidence", func(r *schemas.Document) *float64 { return &r.Confidence }, nil).
		means("Word F1 that the extractor expects of its answer: low where a person should look.").in("F1, 0 to 1").nullWhen("the extractor does not say"),
	optional("facts_failed", func(r *schemas.Document) *string { return &r.FactsFailed }).
		means("Facts of the text that failed, with the reason, comma-separated: `quality:panic`; their columns are null.").nullWhen("none did"),
	truths("kept", func(r *schemas.Document) *schemas.Truth { return &r.Kept }).
		means("Whether the text fulfils `--keep`. Texts that do not are not written; their rows are.").nullWhen("the run has no `--keep`, or the extractor found no text"),
	optional("left_out_by", func(r *schemas.Document) *string { return &r.LeftOutBy }).
		means("Clause of `--keep` that the text does not fulfil, the first of them: its number and up to 200 characters, such as `clause 2: text_chars > 500` (`run.json` has the whole expression, in which `and` separates the clauses, those of `--respect-optout` first); `fact NAME failed` if a fact that it reads failed.").nullWhen("`kept` is true or null"),
}}

func noTemplate(r *schemas.Document) bool { return r.TemplateID == "" }
