package source

import (
	"cmp"
	"encoding/binary"
	"errors"

	"github.com/winnow/winnow/pipeline/extsort"
)

// pick is a record that an index chose.
type pick struct {
	file   int32 // number of the file
	offset int64
	length int64
	url    uint64 // hash of its URL, 0 if the index does not give the URL
	kept   string // see indexLine.keep
}

func comparePicks(a, b *pick) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset), cmp.Compare(a.length, b.length), cmp.Compare(a.url, b.url), cmp.Compare(a.kept, b.kept))
}

// newPicks returns a sorter of any number of records that an index chose.
func newPicks() *extsort.Sorter[pick] {
	return &extsort.Sorter[pick]{Codec: pickCodec{}, Compare: comparePicks}
}

// pickCodec is an extsort.Codec.
type pickCodec struct{}

func (pickCodec) Pack(b []byte, k *pick) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(k.file))
	b = binary.LittleEndian.AppendUint64(b, uint64(k.offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(k.length))
	b = binary.LittleEndian.AppendUint64(b, k.url)
	return append(b, k.kept...)
}

func (pickCodec) Unpack(b []byte, k *pick) error {
	if len(b) < 4+8+8+8 {
		return errors.New("a record of an index has fewer than 28 bytes")
	}
	*k = pick{int32(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint64(b[4:])),
		int64(binary.LittleEndian.Uint64(b[12:])), binary.LittleEndian.Uint64(b[20:]), string(b[28:])}
	return nil
}

func (pickCodec) Weight(k *pick) int { return len(k.kept) }
