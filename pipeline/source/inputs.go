package source

import (
	"context"
	"io"
	"iter"

	"github.com/winnow/winnow/pipeline/blob"
)

// Inputs yields the pages of whole inputs of any format, one input after the other.
type Inputs struct {
	Blobs        *blob.Client
	Base         string            // location to which names in lists and indexes are relative
	ListMayLeave bool              // names in lists may lead outside of the list's folder; see blob.ExpandOptions
	Select       Selector          // chooses lines of indexes
	Note         func(string)      // see FindOptions
	Stdin        io.Reader         // content of the input "-"
	Options      Options           // how archives are read
	Fetch        blob.FetchOptions // how pages are fetched from web servers

	// URL and Charset are the URL and the declared charset of a page in a separate file,
	// which does not name them itself.
	URL, Charset string

	warc WARC
}

// Pages yields the pages of an input in the same way as the function Pages.
func (in *Inputs) Pages(ctx context.Context, name string, f Format) iter.Seq2[*Page, error] {
	return f.pages(ctx, in, name)
}
