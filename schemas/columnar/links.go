package columnar

import "github.com/winnow/winnow/schemas"

// Links has a row for each link of a page. It exists if the fact "links" was asked for.
var Links = &Table[schemas.LinkRow]{schemas.TableLinks, []column[schemas.LinkRow]{
	text("run", func(r *schemas.LinkRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("package", func(r *schemas.LinkRow) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("doc_id", func(r *schemas.LinkRow) *string { return &r.DocID }).
		means("Identifier of the page within its package."),
	hash64("page_id", func(r *schemas.LinkRow) *uint64 { return &r.PageID }).
		means("Identifier of the page within the run; it leads to `pages.page_id`."),
	text("url", func(r *schemas.LinkRow) *string { return &r.URL }).
		means("Address of the page, where the link begins."),
	int32s("position", func(r *schemas.LinkRow) *int32 { return &r.Position }).
		means("Position of the link among the rows of the page, from 0.").in("count"),
	text("target", func(r *schemas.LinkRow) *string { return &r.Target }).
		means("Address that the link leads to: absolute, resolved against the base of the page, host in lower case, without a fragment."),
	optional("anchor_text", func(r *schemas.LinkRow) *string { return &r.AnchorText }).
		means("Text of the link in one line; where it has none, the alternative text of its image. At most 1,024 bytes.").nullWhen("it has neither"),
	optional("rel", func(r *schemas.LinkRow) *string { return &r.Rel }).
		means("Relations that the link states, in lower case, separated by blanks: `nofollow noopener`. At most 256 bytes.").nullWhen("it states none"),
	truths("in_main", func(r *schemas.LinkRow) *schemas.Truth { return &r.InMain }).
		means("Whether the link is in the main content as `main_by` chose it.").nullWhen("`main_by` is null"),
	optional("main_by", func(r *schemas.LinkRow) *string { return &r.MainBy }).
		means("Extractor that decides about `in_main`: the first one of the run that selected something of the page itself.").nullWhen("none did"),
}}
