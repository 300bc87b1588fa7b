package dedup

import (
	"cmp"
	"encoding/binary"
	"errors"

	"github.com/winnow/winnow/pipeline/extsort"
)

// entry is a pair that is sorted by key and then by value.
type entry struct{ key, value uint64 }

func compareEntries(a, b *entry) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.value, b.value)
}

func newSorter(dir string) *extsort.Sorter[entry] {
	return &extsort.Sorter[entry]{Codec: entryCodec{}, Compare: compareEntries, Dir: dir}
}

// entryCodec is an extsort.Codec.
type entryCodec struct{}

func (entryCodec) Pack(b []byte, e *entry) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, e.key), e.value)
}

func (entryCodec) Unpack(b []byte, e *entry) error {
	if len(b) != 16 {
		return errors.New("an entry does not have 16 bytes")
	}
	*e = entry{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
	return nil
}

func (entryCodec) Weight(*entry) int { return 0 }
