package learn

import (
	"encoding/binary"
	"math"

	"github.com/winnow/winnow/pipeline/internal/cursor"
)

// appendCandidate appends the encoding of a candidate of a kind.
func appendCandidate(b []byte, kind Kind, c *Candidate) []byte {
	b = cursor.AppendText(b, c.Site)
	b = binary.BigEndian.AppendUint64(b, c.Rank)
	switch kind {
	case Samples:
		b = binary.BigEndian.AppendUint64(b, c.TextHash)
	case Redirects:
		b = binary.BigEndian.AppendUint64(b, c.Target)
	}
	b = cursor.AppendText(b, c.URL)
	b = binary.AppendVarint(b, c.Date)
	b = cursor.AppendText(b, c.RecordID)
	b = binary.AppendUvarint(b, uint64(c.File))
	b = binary.AppendUvarint(b, uint64(c.Offset))
	b = binary.AppendUvarint(b, uint64(c.Ordinal))
	return binary.AppendUvarint(b, uint64(c.Copy+1))
}

// readCandidate reads what appendCandidate wrote.
func readCandidate(c *cursor.Cursor, kind Kind, into *Candidate) {
	into.Site = c.Text(math.MaxInt)
	into.Rank = c.Uint64()
	switch kind {
	case Samples:
		into.TextHash = c.Uint64()
	case Redirects:
		into.Target = c.Uint64()
	}
	into.URL = c.Text(math.MaxInt)
	into.Date = c.Varint()
	into.RecordID = c.Text(math.MaxInt)
	into.File = int32(c.Count(math.MaxInt32, "number of a file"))
	into.Offset = int64(c.Count(1<<62, "offset"))
	into.Ordinal = int32(c.Count(math.MaxInt32, "ordinal"))
	into.Copy = int64(c.Count(1<<62, "offset of a copy")) - 1
}
