package dedup

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"

	"github.com/winnow/winnow/schemas"
)

// write emits a row for each text of a cluster of two or more.
func (f *finder) write(ctx context.Context, emit func(*schemas.Duplicate) error) error {
	sizes := make([]uint32, f.Texts)
	for text := range uint32(f.Texts) {
		sizes[f.cluster.find(text)]++
	}
	names := bufio.NewReaderSize(io.NewSectionReader(f.names.file, 0, f.names.size), spoolBuffer)
	var first, this signed
	var row schemas.Duplicate
	numbers := map[uint32]int64{}
	for text := range uint32(f.Texts) {
		if err := f.report(ctx, "write", int64(text)); err != nil {
			return err
		}
		for _, s := range []*string{&row.Run, &row.Package, &row.DocID, &row.URL, &row.Extractor} {
			if err := readString(names, s); err != nil {
				return err
			}
		}
		root := f.cluster.find(text)
		size := int64(sizes[root])
		if size < 2 {
			continue
		}
		row.Kept, row.Jaccard, row.ClusterSize = root == text, 0, size
		if row.Kept {
			f.Clusters++
			f.LargestSize = max(f.LargestSize, size)
			numbers[text] = f.Clusters
		} else {
			f.Duplicates++
			var err error
			if row.Jaccard, err = f.similarity(&first, &this, root, text); err != nil {
				return err
			}
		}
		row.Cluster = numbers[root]
		if err := emit(&row); err != nil {
			return err
		}
	}
	return nil
}

// similarity is that of a text with the first of its cluster, which is kept. It need not
// reach the threshold, because texts between them may connect them.
func (f *finder) similarity(first, this *signed, root, text uint32) (float64, error) {
	if f.Exact {
		a, err := f.set(nil, root)
		if err != nil {
			return 0, err
		}
		b, err := f.set(nil, text)
		if err != nil {
			return 0, err
		}
		return jaccard(a, b), nil
	}
	if err := f.load(first, root); err != nil {
		return 0, err
	}
	if err := f.load(this, text); err != nil {
		return 0, err
	}
	return first.hash.Jaccard(&this.hash), nil
}

func readString(r *bufio.Reader, to *string) error {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return err
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	*to = string(b)
	return nil
}
