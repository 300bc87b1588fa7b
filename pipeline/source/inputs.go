package source

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

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

// Format is a way in which pages are stored.
type Format struct {
	Name  string
	Alone bool // an input of it is usually one page, which names no URL of its own

	is    func(name string, info fs.FileInfo) (bool, error)
	pages func(in *Inputs, ctx context.Context, name string) iter.Seq2[*Page, error]
}

var (
	standardInput = &Format{"standard input", true, nil, (*Inputs).standardInput}
	archives      = &Format{"archive", false, isArchive, (*Inputs).archives}
	anyPage       = &Format{"page", true, nil, (*Inputs).htmlPage}

	// formats are asked in this order whether a file or folder is of theirs. What none of
	// them knows is a page.
	formats = []*Format{
		{"gold package", false, isPackage, (*Inputs).goldPackage},
		archives,
	}
)

// FormatOf says of which format an input is: by its name, and where that does not tell,
// by the bytes behind it. URLs and patterns lead to archives.
func FormatOf(name string) (*Format, error) {
	switch {
	case name == "-":
		return standardInput, nil
	case strings.Contains(name, "://"):
		return archives, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		if strings.ContainsAny(name, "*?[") {
			return archives, nil
		}
		return nil, err
	}
	for _, f := range formats {
		if is, err := f.is(name, info); is || err != nil {
			return f, err
		}
	}
	return anyPage, nil
}

// Pages yields the pages of an input as the function Pages does.
func (in *Inputs) Pages(ctx context.Context, name string, f *Format) iter.Seq2[*Page, error] {
	return f.pages(in, ctx, name)
}
