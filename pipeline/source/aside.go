package source

import (
	"fmt"
	"slices"
	"strings"
)

// aside counts the files of folders that are not read, by why they are not.
type aside struct {
	reasons []string
	counts  map[string]int
	first   map[string]string // name of the first file of each reason
}

// add takes the name of a file that is left aside.
func (a *aside) add(name string) {
	why := whyAside(strings.ToLower(name))
	if a.counts == nil {
		a.counts, a.first = map[string]int{}, map[string]string{}
	}
	if a.counts[why]++; a.counts[why] == 1 {
		a.reasons, a.first[why] = append(a.reasons, why), name
	}
}

// whyAside says why a file of a folder is not read. A folder is searched for files of
// records by their names, in every program.
func whyAside(name string) string {
	if f := formatByName(name); f != nil {
		return f.aside()
	}
	switch {
	case isExtracted(name):
		return "WET or WAT files, which hold extracted text or metadata and no HTML pages"
	case strings.HasSuffix(name, ".warc.xz"), strings.HasSuffix(name, ".arc.xz"):
		return "files compressed by xz, which are not read: decompress them (xz -d)"
	}
	return "files that are not called like crawl archives"
}

// tell says what was left aside, a line for each reason.
func (a *aside) tell(note func(string)) {
	slices.Sort(a.reasons)
	for _, why := range a.reasons {
		note(fmt.Sprintf("left aside in folders: %d %s (the first is %s)", a.counts[why], why, a.first[why]))
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
