package columnar

import "github.com/winnow/winnow/schemas"

// Candidates has a row for each page that may be in the sample of its site. A run needs
// it between the phases scan and learn only.
var Candidates = &Table[schemas.Candidate]{schemas.TableCandidates, []column[schemas.Candidate]{
	text("site", func(r *schemas.Candidate) *string { return &r.Site }),
	text("kind", func(r *schemas.Candidate) *string { return &r.Kind }),
	hash64("rank", func(r *schemas.Candidate) *uint64 { return &r.Rank }),
	hash64("text_hash", func(r *schemas.Candidate) *uint64 { return &r.TextHash }),
	hash64("target", func(r *schemas.Candidate) *uint64 { return &r.Target }),
	text("url", func(r *schemas.Candidate) *string { return &r.URL }),
	int64s("date", func(r *schemas.Candidate) *int64 { return &r.Date }),
	text("record_id", func(r *schemas.Candidate) *string { return &r.RecordID }),
	int32s("file", func(r *schemas.Candidate) *int32 { return &r.File }),
	int64s("offset", func(r *schemas.Candidate) *int64 { return &r.Offset }),
	int32s("ordinal", func(r *schemas.Candidate) *int32 { return &r.Ordinal }),
	text("copies", func(r *schemas.Candidate) *string { return &r.Copies }),
	int64s("copy", func(r *schemas.Candidate) *int64 { return &r.Copy }),
	text("file_url", func(r *schemas.Candidate) *string { return &r.Stored.URL }),
	int64s("file_size", func(r *schemas.Candidate) *int64 { return &r.Stored.Size }),
	text("file_identity", func(r *schemas.Candidate) *string { return &r.Stored.Identity }),
	int64s("within_offset", func(r *schemas.Candidate) *int64 { return &r.Stored.Within.Offset }),
	int64s("within_size", func(r *schemas.Candidate) *int64 { return &r.Stored.Within.Size }),
	bools("private", func(r *schemas.Candidate) *bool { return &r.Private }),
}}
