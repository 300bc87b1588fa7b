package columnar

import "github.com/winnow/winnow/schemas"

// Texts has a row for each page and extractor that found a text: the text itself.
var Texts = &Table[schemas.Text]{schemas.TableTexts, []column[schemas.Text]{
	text("run", func(r *schemas.Text) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.Text) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("doc_id", func(r *schemas.Text) *string { return &r.DocID }).
		means("Identifier of the page within its package: the gold's, or the file name, offset and ordinal of its record."),
	text("url", func(r *schemas.Text) *string { return &r.URL }).
		means("Address of the page as its record states it."),
	text("extractor", func(r *schemas.Text) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default."),
	text("form", func(r *schemas.Text) *string { return &r.Form }).
		means("Form of the text: `text`, `markdown` or `html`. Extractors that return text alone, such as programs of --extractor-command, have `text` in any run."),
	longText("text", func(r *schemas.Text) *string { return &r.Text }).
		means("The extracted text in this form; in `text`, block boundaries are newlines."),
	text("record_id", func(r *schemas.Text) *string { return &r.RecordID }).
		means("WARC-Record-ID of the record; empty if it has none."),
	text("date", func(r *schemas.Text) *string { return &r.Date }).
		means("Date of the record as RFC 3339 text; empty if it has none."),
}}
