package source

import (
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// Object is the object that an input file of a run is read from. Its ranges are asked
// for; of a server that does not honour them a range costs all that is before it.
func Object(s schemas.Stored) blob.Object {
	return blob.Object{URL: s.URL, Size: s.Size, Identity: s.Identity, Ranges: true, Within: blob.Within(s.Within)}
}
