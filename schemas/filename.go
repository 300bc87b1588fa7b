package schemas

import (
	"net/url"
	"strings"
)

// FileNames returns the names that an input file may have in the tables of a run, the
// shortest first: the last element of its URL's path without the extensions of
// archives, the same element with them, then both with one folder more in front, up to
// the whole path and the host. There is at least one name.
//
//	s3://crawl/en0000/00.warc.gz   00  00.warc.gz  en0000/00  en0000/00.warc.gz  crawl/en0000/00 …
func FileNames(fileURL string) []string {
	path, host := fileURL, ""
	if u, err := url.Parse(fileURL); err == nil && u.Path != "" {
		path, host = u.Path, u.Host
		if u.Fragment != "" { // the file is a part of another one
			path += "/" + u.Fragment
		}
	}
	elements := strings.FieldsFunc(host+"/"+path, func(r rune) bool { return r == '/' })
	if len(elements) == 0 {
		return []string{fileURL}
	}
	last := elements[len(elements)-1]
	short := last
	for _, end := range []string{".gz", ".zst", ".zstd", ".bz2", ".lz4", ".warc", ".arc"} {
		if cut := strings.TrimSuffix(short, end); cut != "" {
			short = cut
		}
	}
	var names []string
	for i := len(elements) - 1; i >= 0; i-- {
		folder := strings.Join(elements[i:len(elements)-1], "/")
		if folder != "" {
			folder += "/"
		}
		names = append(names, folder+short)
		if short != last {
			names = append(names, folder+last)
		}
	}
	return names
}
