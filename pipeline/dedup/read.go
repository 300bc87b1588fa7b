package dedup

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/winnow/winnow/algorithms/fact/signature"
)

// recordSize is the number of bytes of a stored signature: the number of its extractor, 0 if the
// text has no words, and the MinHash.
const recordSize = 4 + signature.Size

// read signs all texts and stores signatures and names.
func (f *finder) read(ctx context.Context, texts iter.Seq2[*Text, error]) (err error) {
	if f.signatures, err = newSpool(f.dir); err != nil {
		return err
	}
	if f.names, err = newSpool(f.dir); err != nil {
		return err
	}
	f.identical = newSorter(f.dir)
	var signer signature.Signer
	var content, record, name []byte
	extractors := map[string]uint32{}
	for t, err := range texts {
		if err != nil {
			return err
		}
		if f.Texts == math.MaxUint32 {
			return errors.New("there are more than 4,294,967,295 texts: give fewer runs")
		}
		if err := f.report(ctx, "read", f.Texts); err != nil {
			return err
		}
		hash := t.MinHash
		if hash == nil {
			content = append(content[:0], t.Content...)
			if sig, ok := signer.Sign(content); ok {
				hash = &sig.MinHash
			}
		}
		extractor, known := extractors[t.Extractor]
		if !known {
			extractor = uint32(len(extractors)) + 1
			extractors[t.Extractor] = extractor
		}
		if hash == nil {
			f.Wordless++
			extractor, hash = 0, new(signature.MinHash)
		} else if err := f.identical.Add(&entry{keyOf(extractor, hash), uint64(f.Texts)}); err != nil {
			return err
		}
		record = hash.Append(binary.LittleEndian.AppendUint32(record[:0], extractor))
		if err := f.signatures.write(record); err != nil {
			return err
		}
		name = name[:0]
		for _, s := range []string{t.Run, t.Package, t.DocID, t.URL, t.Extractor} {
			name = append(binary.AppendUvarint(name, uint64(len(s))), s...)
		}
		if err := f.names.write(name); err != nil {
			return err
		}
		f.Texts++
	}
	if err := f.signatures.flush(); err != nil {
		return err
	}
	f.cluster = newUnion(int(f.Texts))
	return f.names.flush()
}

// keyOf is a hash of a whole signature.
func keyOf(extractor uint32, m *signature.MinHash) uint64 {
	return signature.Bands{Bands: 1, Rows: signature.Functions}.Key(m, 0) ^ uint64(extractor)*0x9E3779B97F4A7C15
}

// signed is a stored signature.
type signed struct {
	text      uint32
	extractor uint32
	hash      signature.MinHash
}

// load reads the signature of a text.
func (f *finder) load(to *signed, text uint32) error {
	var b [recordSize]byte
	if err := f.signatures.readAt(b[:], int64(text)*recordSize); err != nil {
		return err
	}
	to.text, to.extractor = text, binary.LittleEndian.Uint32(b[:])
	if !to.hash.Read(b[4:]) {
		return fmt.Errorf("the signature of text %d is damaged", text)
	}
	return nil
}
