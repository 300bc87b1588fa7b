package columnar

import "github.com/winnow/winnow/schemas"

// Templates has a row for each site and learned method.
var Templates = &Table[schemas.TemplateRow]{schemas.TableTemplates, []column[schemas.TemplateRow]{
	text("run", func(r *schemas.TemplateRow) *string { return &r.Run }).
		means("Identifier of the run."),
	text("site", func(r *schemas.TemplateRow) *string { return &r.Site }).
		means("The site that was learned; for the method `robots` the scheme, host and port of a host."),
	text("method", func(r *schemas.TemplateRow) *string { return &r.Method }).
		means("What was learned; extractors that share a template share the row. `robots` is what robots.txt and tdmrep.json say."),
	text("status", func(r *schemas.TemplateRow) *string { return &r.Status }).
		means("`ok`, `empty`, `too_few_pages`, `learn_failed` or `oversize`."),
	int64s("pages", func(r *schemas.TemplateRow) *int64 { return &r.Pages }).
		means("Pages of the sample.").in("pages"),
	int64s("linked", func(r *schemas.TemplateRow) *int64 { return &r.Linked }).
		means("Link candidates, for methods that ask for them.").in("pages"),
	int64s("bytes", func(r *schemas.TemplateRow) *int64 { return &r.Bytes }).
		means("Size of the template.").in("bytes"),
	int64s("clusters", func(r *schemas.TemplateRow) *int64 { return &r.Clusters }).
		means("Clusters of pages that were formed.").in("count"),
	optional("flags", func(r *schemas.TemplateRow) *string { return &r.Flags }).
		means("Remarks, comma-separated: `small_sample`, `truncated`, `reused`.").nullWhen("there are none"),
	optional("template_id", func(r *schemas.TemplateRow) *string { return &r.TemplateID }).
		means("Hash of the template; `documents.template_id` refers to it.").nullWhen("there is no template"),
	int64s("learn_ns", func(r *schemas.TemplateRow) *int64 { return &r.LearnNS }).
		means("Time of sketching and folding; parsing the sample pages is in no row.").in("nanoseconds"),
	optional("site_by", func(r *schemas.TemplateRow) *string { return &r.SiteBy }).
		means("What a site is in this run: `host`, `domain` or `package`; for the method `robots` `origin`.").nullWhen("the row was written without one"),
	int64s("version", func(r *schemas.TemplateRow) *int64 { return &r.Version }).
		means("Version of the method's sketches and templates."),
	int64s("learned", func(r *schemas.TemplateRow) *int64 { return &r.Learned }).
		means("When the run that learned the template was planned.").in("seconds since 1970"),
	text("sample", func(r *schemas.TemplateRow) *string { return &r.Sample }).hashes().
		means("Ranks of the sample's pages in ascending order, 16 hexadecimal digits each, comma-separated."),
	blobs("body", func(r *schemas.TemplateRow) *[]byte { return &r.Body }).hashes().
		means("The template itself, in the form of its method; empty if there is none."),
}}

// TemplateList has the columns of Templates without the templates themselves.
var TemplateList = Templates.only([]string{"run", "site", "method", "status", "pages", "linked", "bytes", "clusters", "flags", "template_id", "learn_ns", "site_by", "version", "learned"})

// Learned has the columns of Templates that hold what was learned.
var Learned = Templates.only([]string{"site", "method", "status", "linked", "clusters", "flags", "template_id", "site_by", "version", "learned", "sample", "body"})
