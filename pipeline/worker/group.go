package worker

import (
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/schemas"
	"strings"
)

// groupKey is the package of a page that has none of its own.
func groupKey(by, fileName, pageURL string) string {
	switch by {
	case schemas.ByHost:
		return website.Host(pageURL)
	case schemas.ByDomain:
		return website.Domain(pageURL)
	}
	return fileName
}

// siteKey is the site of a page: what its address says, or its package. The
// address of a file says nothing of a site, so it is its package, too.
func siteKey(by, pkg, pageURL string) string {
	if by == schemas.ByPackage || isFile(pageURL) {
		return pkg
	}
	return website.Key(by, pageURL)
}

func isFile(pageURL string) bool {
	const scheme = "file:"
	return len(pageURL) > len(scheme) && strings.EqualFold(pageURL[:len(scheme)], scheme)
}
