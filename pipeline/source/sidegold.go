package source

import (
	"context"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source/gold"
)

// ReadGold reads a side file with gold from any location that blobs can read.
func ReadGold(ctx context.Context, blobs *blob.Client, url string) (*gold.SideFile, error) {
	obj, err := blobs.Stat(ctx, url)
	if err != nil {
		return nil, err
	}
	src, err := blobs.Open(ctx, obj)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	src.Expect(obj.Size)
	s, err := gold.ReadSideFile(io.NewSectionReader(src, 0, obj.Size), 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return s, nil
}
