package source

import (
	"fmt"
	"strings"
)

// aside counts the files of folders that are not read, by why they are not.
type aside struct {
	counts [5]int
	first  [5]string // name of the first of each
}

// Why a file of a folder is not read. A folder is searched for crawl archives by their
// names (blob.IsArchive), in every program.
const (
	asideIndex     = iota // it names records of archives that are probably in the folder, too
	asideExtracted        // WET and WAT files hold what was made of pages
	asidePage             // a page by itself
	asideXZ               // a compression that no reader is for
	asideOther
)

var asideWhy = [...]string{
	asideIndex:     "indexes: give one as INPUT to read only the records that it names",
	asideExtracted: "WET or WAT files, which hold extracted text or metadata and no HTML pages",
	asidePage:      "HTML files: give them to winnow extract one by one, or pack them with their gold (winnow pack)",
	asideXZ:        "files compressed by xz, which are not read: decompress them (xz -d)",
	asideOther:     "files that are not called like crawl archives",
}

// add takes the name of a file that is left aside.
func (a *aside) add(name string) {
	kind := asideOther
	lower := strings.ToLower(name)
	switch {
	case isIndex(lower):
		kind = asideIndex
	case isExtracted(lower):
		kind = asideExtracted
	case hasPageName(lower):
		kind = asidePage
	case strings.HasSuffix(lower, ".warc.xz"), strings.HasSuffix(lower, ".arc.xz"):
		kind = asideXZ
	}
	if a.counts[kind]++; a.counts[kind] == 1 {
		a.first[kind] = name
	}
}

// tell says what was left aside, a line for each reason.
func (a *aside) tell(note func(string)) {
	for kind, n := range a.counts {
		if n > 0 {
			note(fmt.Sprintf("left aside in folders: %d %s (the first is %s)", n, asideWhy[kind], a.first[kind]))
		}
	}
}

// isExtracted says whether a file is called like a WET or WAT file of Common Crawl.
func isExtracted(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return strings.HasSuffix(name, ".wet") || strings.HasSuffix(name, ".wat")
}

// odd says of a file that it will be read and is not likely to hold pages; "" of others.
func odd(f *File) string {
	switch {
	case f.Refused != "":
		return ""
	case f.Size == 0:
		return f.URL + " has no bytes"
	case isExtracted(pathOf(f.URL)):
		return f.URL + " is called like a WET or WAT file, which holds extracted text or metadata and no HTML pages"
	}
	return ""
}
