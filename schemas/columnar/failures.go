package columnar

import "github.com/winnow/winnow/schemas"

// Failures has a row for each record or range that should have become a page but did
// not, or that was read with damage.
var Failures = &Table[schemas.Failure]{schemas.TableFailures, []column[schemas.Failure]{
	text("run", func(r *schemas.Failure) *string { return &r.Run }).
		means("Identifier of the run."),
	text("file", func(r *schemas.Failure) *string { return &r.File }).
		means("Input file as the run names it, without secrets."),
	int64s("offset", func(r *schemas.Failure) *int64 { return &r.Offset }).
		means("Where the record or the unreadable range begins in the file.").in("bytes"),
	int64s("length", func(r *schemas.Failure) *int64 { return &r.Length }).
		means("How long it is in the file.").in("bytes"),
	text("stage", func(r *schemas.Failure) *string { return &r.Stage }).
		means("What was being done: `read`, `payload`, `page`, `gold`, `record`, `item`, `file` or `index` (a line of an index)."),
	text("reason", func(r *schemas.Failure) *string { return &r.Reason }).
		means("Why it failed, from a closed list."),
	int32s("attempts", func(r *schemas.Failure) *int32 { return &r.Attempts }).
		means("Attempts that were made at the item.").in("count"),
	optional("severity", func(r *schemas.Failure) *string { return &r.Severity }).
		means("`lost` (no row has it), `damaged` (it was read all the same) or `note`.").nullWhen("the row was written before severities were known"),
	optional("detail", func(r *schemas.Failure) *string { return &r.Detail }).
		means("What was found, in words.").nullWhen("there is nothing to add"),
}}
