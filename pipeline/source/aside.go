package source

import (
	"fmt"
	"slices"
	"strings"
)

// leftAside begins the notes about files in folders that are not read.
const leftAside = "left aside in folders"

// aside counts files that are not read in folders, or that are odd, by the reason.
type aside struct {
	reasons []string
	counts  map[string]int
	first   map[string]string // name of the first file of each reason
}

// add counts a file that is not read.
func (a *aside) add(name string) { a.because(whyAside(strings.ToLower(name)), name) }

// because counts a file or folder that is not read for a reason.
func (a *aside) because(why, name string) {
	if a.counts == nil {
		a.counts, a.first = map[string]int{}, map[string]string{}
	}
	if a.counts[why]++; a.counts[why] == 1 {
		a.reasons, a.first[why] = append(a.reasons, why), name
	}
}

// whyAside returns the reason why a file in a folder is not read. Every program finds
// the files of records in a folder by their names.
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

// tell reports the files, in one line for each reason.
func (a *aside) tell(what string, note func(string)) {
	slices.Sort(a.reasons)
	for _, why := range a.reasons {
		which := a.first[why]
		if n := a.counts[why]; n > 1 {
			which = fmt.Sprintf("%d, the first is %s", n, which)
		}
		note(fmt.Sprintf("%s: %s (%s)", what, why, which))
	}
}

// NoPackage returns a note about a file or folder that is named like a gold package but is not one.
func NoPackage(name string) string {
	return fmt.Sprintf("left aside in folders: %s, which is not a gold package (it has no ID.html)", name)
}

// isExtracted reports whether a file has the name of a WET or WAT file of Common Crawl.
func isExtracted(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return strings.HasSuffix(name, ".wet") || strings.HasSuffix(name, ".wat")
}

// odd returns the reason why a file that is read is unlikely to hold pages. It returns ""
// for other files.
func odd(f *File) string {
	switch {
	case f.Refused != "":
		return ""
	case f.Size == 0:
		return "files without a byte"
	case isExtracted(pathOf(f.URL)):
		return whyAside(pathOf(f.URL))
	}
	return ""
}
