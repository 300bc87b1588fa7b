package columnar

import "github.com/winnow/winnow/schemas"

// Captures has a row for the latest capture of each page in earlier runs, see
// schemas.Run.Captures.
var Captures = &Table[schemas.Capture]{schemas.TableCaptures, []column[schemas.Capture]{
	hash64("address", func(r *schemas.Capture) *uint64 { return &r.Address }).hashes(),
	hash64("content", func(r *schemas.Capture) *uint64 { return &r.Content }).hashes(),
	int32s("run", func(r *schemas.Capture) *int32 { return &r.Run }),
}}
