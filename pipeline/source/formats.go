package source

import (
	"context"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
)

// formats lists all formats in which pages may be stored. Each is defined in a file of
// its own, so a new format takes one file and a line here. The formats are tried in this
// order.
var formats = []namedFormat{
	goldPackage{},
	htmlPage{},
	index{},
	table{},
	collection{},
	archive{},
}

// Format is a format in which pages are stored. The formats of the files that a run reads
// are recordFormats.
type Format interface {
	Name() string

	// Alone reports whether an input of the format is usually a single page, which does
	// not name its URL.
	Alone() bool

	// pages yields the pages of an input.
	pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error]
}

// namedFormat is a Format of files that have names of their own.
type namedFormat interface {
	Format

	// called reports whether a file's name is that of a file of the format. The name is in
	// lower case.
	called(name string) bool

	// aside returns "" if files of the format are read when they are found in a folder of a
	// bucket. Otherwise it says what they are and what to do to have them read.
	aside() string
}

// recordFormat is a Format of files with records. These are read from every kind of blob
// store, and every folder is searched for them.
type recordFormat interface {
	namedFormat

	// holds reports whether a file's bytes are those of a file of the format.
	holds(file warc.Source) (bool, error)

	// files returns the files that a run reads for a file of the format, or refuses. trust
	// is FindOptions.Trust.
	files(ctx context.Context, blobs *blob.Client, file warc.Source, o blob.Object, trust bool) []File
}

// FormatOf returns the format of an input. The input's name decides, or its bytes if the
// name does not. An input that no format recognises is a page. Patterns, lists and other
// URLs lead to archives.
func FormatOf(name string) (Format, error) {
	switch {
	case name == "-":
		return standardInput{}, nil
	case isWebPage(name):
		return webPage{}, nil
	case strings.Contains(name, "://"):
		return archive{}, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil && strings.ContainsAny(name, "*?["):
		return archive{}, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		return folder{}, nil
	case blob.IsList(name):
		return archive{}, nil
	}
	if f := formatByName(name); f != nil {
		return f, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return formatByBytes(io.NewSectionReader(file, 0, info.Size()))
}

// formatByName returns the format that the name of a file indicates, or nil if it
// indicates none.
func formatByName(name string) namedFormat {
	name = strings.ToLower(name)
	for _, f := range formats {
		if f.called(name) {
			return f
		}
	}
	return nil
}

// IsPage reports whether a file on this machine is an HTML file, as far as its name says.
func IsPage(name string) bool { return formatByName(name) == htmlPage{} }

// formatByBytes returns the format that a file's bytes indicate. A file that no format
// recognises is a page.
func formatByBytes(file warc.Source) (Format, error) {
	for _, f := range formats {
		if f, ok := f.(recordFormat); ok {
			if is, err := f.holds(file); is || err != nil {
				return f, err
			}
		}
	}
	return htmlPage{}, nil
}

// hasRecords reports whether the name of a file in a folder indicates a recordFormat.
func hasRecords(name string) bool {
	_, ok := formatByName(name).(recordFormat)
	return ok
}

// lookAt returns the files that a run reads for an object. The object's first bytes and
// then its name determine its format. If trust is set and the name is enough, only the
// name is used. An object of unknown format is tried as an archive.
func lookAt(ctx context.Context, blobs *blob.Client, o blob.Object, trust bool) []File {
	format := recordFormat(archive{})
	if f, ok := formatByName(pathOf(o.URL)).(recordFormat); ok {
		format = f
	}
	if trust && format == (archive{}) { // the name of a collection does not say which archives it holds
		return []File{archiveByName(o)}
	}
	file, err := blobs.Open(ctx, o)
	if err != nil {
		return []File{{Object: o, Refused: "unreadable", Err: err}}
	}
	defer file.Close() // it was only read
	for _, f := range formats {
		f, ok := f.(recordFormat)
		if !ok || f == (archive{}) { // archive examines the file by itself and reports what is wrong
			continue
		}
		switch is, err := f.holds(file); {
		case err != nil:
			return []File{refused(o, "unreadable", err)}
		case is:
			format = f
		}
	}
	return format.files(ctx, blobs, file, o, trust)
}
