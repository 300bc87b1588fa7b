package columnar

import (
	"slices"

	"github.com/winnow/winnow/schemas"
)

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

// TextsOf returns the table Texts with what JSON lines have besides: of the page, of the
// text, and the columns of a recipe's facts. Readers that need no more read the same files
// as Texts.
func TextsOf(r *schemas.Recipe) *Table[schemas.Text] {
	all := &Table[schemas.Text]{Texts.name, append(slices.Clone(Texts.columns), textDetails...)}
	return all.with(r.TextColumns(), func(row *schemas.Text) *[]schemas.Value { return &row.Facts })
}

var textDetails = []column[schemas.Text]{
	hash64("page_id", func(r *schemas.Text) *uint64 { return &r.PageID }).
		means("Identifier of the page within the run; it leads to `pages.page_id`."),
	positives("http_status", func(r *schemas.Text) *int64 { return &r.HTTPStatus }).
		means("Status code of the HTTP response.").nullWhen("the record is not an HTTP response"),
	int64s("text_chars", func(r *schemas.Text) *int64 { return &r.TextChars }).
		means("Length of the extracted text in Unicode code points, whatever its form.").in("characters"),
	hash64("text_hash", func(r *schemas.Text) *uint64 { return &r.TextHash }).
		means("Hash of the extracted text, 64 bits as a signed number: equal texts have equal hashes."),
	numbers("confidence", func(r *schemas.Text) *float64 { return &r.Confidence }, nil).
		means("Word F1 that the extractor expects of its answer.").in("F1, 0 to 1").nullWhen("the extractor does not say"),
}
