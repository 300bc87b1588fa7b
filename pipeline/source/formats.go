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

// formats is all that the programs know of the ways in which pages are stored. Each is
// described in a file of its own, so a new one is a file and a line here. They are asked
// in this order.
var formats = []Format{
	goldPackage{},
	htmlPage{},
	index{},
	collection{},
	archive{},
}

// Format is a way in which pages are stored. Those whose files a run reads are
// recordFormats.
type Format interface {
	Name() string

	// Alone says that an input is usually one page, which names no URL of its own.
	Alone() bool

	// called says whether a file is called like one of the format. The name is in lower
	// case.
	called(name string) bool

	// holds says whether a file is one of the format by its bytes.
	holds(file warc.Source) (bool, error)

	// pages yields the pages of an input.
	pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error]

	// aside says of files that are found in a folder of crawl archives and not read with
	// them what they are, and what to do to have them read; "" if they are read.
	aside() string
}

// recordFormat is a Format of files with records. They are read wherever blobs are, and
// every folder is searched for them.
type recordFormat interface {
	Format

	// files are the files that a run reads for one of the format, or what it refuses. Trust
	// is that of FindOptions.
	files(ctx context.Context, blobs *blob.Client, file warc.Source, o blob.Object, trust bool) []File

	// byName is what files would say, as far as the name tells; false if it does not.
	byName(o blob.Object) (File, bool)
}

// folderFormat is a Format of which a whole folder is one input.
type folderFormat interface {
	Format
	isFolder(dir string) (bool, error)
}

// FormatOf says of which format an input is: by its name, and where that does not tell,
// by the bytes behind it. What no format knows is a page. URLs, patterns, lists and
// folders lead to archives.
func FormatOf(name string) (Format, error) {
	switch {
	case name == "-":
		return standardInput{}, nil
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
		return formatOfFolder(name)
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

func formatOfFolder(dir string) (Format, error) {
	for _, f := range formats {
		if f, ok := f.(folderFormat); ok {
			if is, err := f.isFolder(dir); is || err != nil {
				return f, err
			}
		}
	}
	return archive{}, nil
}

// formatByName is the format that a file is called like; nil if there is none.
func formatByName(name string) Format {
	name = strings.ToLower(name)
	for _, f := range formats {
		if f.called(name) {
			return f
		}
	}
	return nil
}

// formatByBytes is the format that a file holds. What no format knows is a page.
func formatByBytes(file warc.Source) (Format, error) {
	for _, f := range formats {
		if is, err := f.holds(file); is || err != nil {
			return f, err
		}
	}
	return htmlPage{}, nil
}

// hasRecords says of a file in a folder whether it is called like one of a recordFormat.
func hasRecords(name string) bool {
	_, ok := formatByName(name).(recordFormat)
	return ok
}

// lookAt returns the files that a run reads for an object, which is judged by its first
// bytes and then by its name, or by its name alone if that is trusted and tells enough.
// What nothing is known of is tried as an archive.
func lookAt(ctx context.Context, blobs *blob.Client, o blob.Object, trust bool) []File {
	format := recordFormat(archive{})
	if f, ok := formatByName(pathOf(o.URL)).(recordFormat); ok {
		format = f
	}
	if trust {
		if f, ok := format.byName(o); ok {
			return []File{f}
		}
	}
	file, err := blobs.Open(ctx, o)
	if err != nil {
		return []File{{Object: o, Refused: "unreadable", Err: err}}
	}
	defer file.Close() // it was only read
	for _, f := range formats {
		f, ok := f.(recordFormat)
		if !ok || f == (archive{}) { // which looks by itself, and says what is wrong
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
