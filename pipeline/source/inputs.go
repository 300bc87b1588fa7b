package source

import (
	"context"
	"io"
	"iter"

	"github.com/winnow/winnow/pipeline/blob"
)

// Inputs yields the pages of inputs of any format, whole, one after the other.
type Inputs struct {
	Blobs        *blob.Client
	Base         string       // what names in lists and indexes are relative to
	ListMayLeave bool         // names in lists may lead anywhere; see blob.ExpandOptions
	Select       Selector     // of lines of indexes
	Note         func(string) // see FindOptions
	Stdin        io.Reader    // of the input "-"
	Options      Options      // of archives

	// URL and Charset are what a server is to have said of a page in a file of its own.
	URL, Charset string

	warc WARC
}

// Pages yields the pages of an input as the function Pages does.
func (in *Inputs) Pages(ctx context.Context, name string, f Format) iter.Seq2[*Page, error] {
	return f.pages(ctx, in, name)
}
