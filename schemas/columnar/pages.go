package columnar

import "github.com/winnow/winnow/schemas"

// Pages has a row for each page. PagesOf adds the columns of facts.
var Pages = &Table[schemas.Page]{schemas.TablePages, []column[schemas.Page]{
	text("run", func(r *schemas.Page) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.Page) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("doc_id", func(r *schemas.Page) *string { return &r.DocID }).
		means("Identifier of the page within its package: the gold's, or the file name, offset and ordinal of its record."),
	hash64("page_id", func(r *schemas.Page) *uint64 { return &r.PageID }).
		means("Identifier of the page within the run, and in every run that reads a file of the same name: a hash of the name of its file, its offset and its ordinal. It leads to `documents.page_id`."),
	text("url", func(r *schemas.Page) *string { return &r.URL }).
		means("Address of the page as its record states it."),
	optional("site", func(r *schemas.Page) *string { return &r.Site }).
		means("Site of the page: its host, its registered domain or its package, as `site_by` says.").nullWhen("no site is known"),
	optional("site_by", func(r *schemas.Page) *string { return &r.SiteBy }).
		means("What a site is in this run: `host`, `domain` or `package`.").nullWhen("the recipe does not say"),
	text("file", func(r *schemas.Page) *string { return &r.File }).
		means("Input file as the run names it, without secrets."),
	int64s("offset", func(r *schemas.Page) *int64 { return &r.Offset }).
		means("Offset in the file of the unit (gzip member, zstd frame or plain record) that holds the record.").in("bytes"),
	int32s("ordinal", func(r *schemas.Page) *int32 { return &r.Ordinal }).
		means("Position of the record within its unit, from 0.").in("count"),
	optional("record_id", func(r *schemas.Page) *string { return &r.RecordID }).
		means("WARC-Record-ID of the record.").nullWhen("the record has none"),
	optional("date", func(r *schemas.Page) *string { return &r.Date }).
		means("Date of the record as RFC 3339 text.").nullWhen("the record has none"),
	positives("http_status", func(r *schemas.Page) *int64 { return &r.HTTPStatus }).
		means("Status code of the HTTP response.").nullWhen("the record is not an HTTP response"),
	optional("charset", func(r *schemas.Page) *string { return &r.Charset }).
		means("Encoding that the payload was decoded from.").nullWhen("the payload was not decoded"),
	optional("charset_source", func(r *schemas.Page) *string { return &r.CharsetSource }).
		means("Where the encoding was found: `bom`, `http`, `meta`, `detected` or `default`.").nullWhen("the payload was not decoded"),
	int64s("replaced", func(r *schemas.Page) *int64 { return &r.Replaced }).
		means("Replacement characters put in for bytes that are not text in `charset`.").in("count"),
	optional("page_type", func(r *schemas.Page) *string { return &r.PageType }).
		means("Type of the page (article, forum, product ...) as its gold states it.").nullWhen("the gold states none or there is no gold"),
	optional("gold_language", func(r *schemas.Page) *string { return &r.GoldLanguage }).
		means("Language of the page as its gold states it.").nullWhen("the gold states none or there is no gold"),
	int64s("html_bytes", func(r *schemas.Page) *int64 { return &r.HTMLBytes }).
		means("Size of the page after decoding to UTF-8.").in("bytes"),
	hash64("content_hash", func(r *schemas.Page) *uint64 { return &r.ContentHash }).
		means("Hash of what the record says about the page, as extractors and facts read it: the HTTP status, the header fields about the page, what the files of its host say (`--robots`), and the page after decoding to UTF-8. `--only-new` compares it with that of the same `url` in earlier runs. It is 0 if an extractor failed or skipped the page, so that the next run tries again."),
	int64s("parse_ns", func(r *schemas.Page) *int64 { return &r.ParseNS }).
		means("Time of parsing the page.").in("nanoseconds"),
	int64s("facts_ns", func(r *schemas.Page) *int64 { return &r.FactsNS }).
		means("Time of finding all facts, of the page and of its texts.").in("nanoseconds"),
	optional("facts_failed", func(r *schemas.Page) *string { return &r.FactsFailed }).
		means("Facts of the page that failed, with the reason, comma-separated: `rights:panic`; their columns are null.").nullWhen("none did"),
	optional("flags", func(r *schemas.Page) *string { return &r.Flags }).
		means("What is special about the record or the page, comma-separated: `truncated`, `nodes-cut` ...").nullWhen("nothing is"),
	numbers("complexity", func(r *schemas.Page) *float64 { return &r.Complexity }, nil).
		means("Share of the page's words that are not in its gold (Bevendorff et al. 2023).").in("share, 0 to 1").nullWhen("the page has no gold"),
	numbers("page_consensus", func(r *schemas.Page) *float64 { return &r.PageConsensus }, nil).
		means("Mean agreement of all pairs of extractors on the page: low where the page is doubtful.").in("F1, 0 to 1").nullWhen("fewer than two extractors answered"),
}}
