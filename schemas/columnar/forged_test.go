package columnar

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/thrift/lib/go/thrift"
	"github.com/klauspost/compress/zstd"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A footer of some bytes that announces a hundred million columns, row groups or keys takes
// no memory for them.
func TestFooterThatAnnouncesMuch(t *testing.T) {
	for _, field := range []byte{0x29, 0x49, 0x59} { // fields 2, 4 and 5 are lists
		footer := []byte{field, 0xfc, 0x80, 0xc2, 0xd7, 0x2f, 0} // announces 100 million structs
		data := append([]byte("PAR1"), footer...)
		data = binary.LittleEndian.AppendUint32(data, uint32(len(footer)))
		data = append(data, "PAR1"...)
		var err error
		if n := allocated(func() { _, err = read(t, Documents, data) }); n > 1<<20 || !errors.Is(err, ErrMalformed) {
			t.Errorf("field %#x: %d bytes are allocated, %v", field, n, err)
		}
	}
}

// forgedPage returns a page of that header, followed by body.
func forgedPage(t *testing.T, kind, uncompressed, values int32, body []byte) []byte {
	t.Helper()
	ctx, buffer := context.Background(), thrift.NewTMemoryBuffer()
	p := thrift.NewTCompactProtocolConf(buffer, nil)
	of := int16(5)
	if kind == dictionaryPage {
		of = 7
	}
	number := func(id int16, v int32) error {
		return errors.Join(p.WriteFieldBegin(ctx, "", thrift.I32, id), p.WriteI32(ctx, v), p.WriteFieldEnd(ctx))
	}
	if err := errors.Join(p.WriteStructBegin(ctx, ""), number(1, kind), number(2, uncompressed), number(3, int32(len(body))),
		p.WriteFieldBegin(ctx, "", thrift.STRUCT, of), p.WriteStructBegin(ctx, ""), number(1, values), p.WriteFieldStop(ctx), p.WriteStructEnd(ctx), p.WriteFieldEnd(ctx),
		p.WriteFieldStop(ctx), p.WriteStructEnd(ctx)); err != nil {
		t.Fatal(err)
	}
	return append(buffer.Bytes(), body...)
}

// Pages that announce more than they hold, or hold more than they announce, are refused before
// they are decoded.
func TestPagesThatAnnounceMuch(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	small := bytes.Repeat([]byte{1}, 400)
	bomb := w.EncodeAll(make([]byte, 16<<20), nil)
	two := append(w.EncodeAll(small, nil), bomb...)
	const none, snappy, packed = compress.Compression(0), compress.Compression(1), compress.Compression(6)
	for name, c := range map[string]struct {
		page  []byte
		codec compress.Compression
		good  bool
	}{
		"a sound page":             {forgedPage(t, dataPage, 400, 7, small), none, true},
		"a sound packed page":      {forgedPage(t, dataPage, 400, 7, w.EncodeAll(small, nil)), packed, true},
		"dictionary of a billion":  {forgedPage(t, dictionaryPage, 400, 1<<30, small), none, false},
		"negative dictionary":      {forgedPage(t, dictionaryPage, 400, -1, small), none, false},
		"values of a billion":      {forgedPage(t, dataPage, 400, 1<<30, small), none, false},
		"negative values":          {forgedPage(t, dataPage, 400, -7, small), none, false},
		"negative size":            {forgedPage(t, dataPage, -400, 7, small), none, false},
		"more than it has":         {forgedPage(t, dataPage, 1<<30, 7, small), none, false},
		"snappy of 4 GB":           {forgedPage(t, dataPage, 400, 7, binary.AppendUvarint(nil, 1<<32-1)), snappy, false},
		"zstd that is larger":      {forgedPage(t, dataPage, 400, 7, bomb), packed, false},
		"zstd with a second frame": {forgedPage(t, dataPage, 400, 7, two), packed, false},
		"cut":                      {forgedPage(t, dataPage, 400, 7, small)[:100], none, false},
		"no kind":                  {forgedPage(t, 9, 400, 7, small), none, false},
	} {
		ch := chunk{codec: c.codec, values: 7, uncompressed: 1 << 20}
		var err error
		n := allocated(func() { err = ch.check(c.page) })
		if n > 1<<20 || c.good != (err == nil) {
			t.Errorf("%s: %d bytes are allocated, %v", name, n, err)
		}
	}
}
