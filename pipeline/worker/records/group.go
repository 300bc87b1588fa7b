package records

import (
	"strings"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/schemas"
)

// groupKey returns the package of a page that has none of its own.
func groupKey(by, fileName, pageURL string) string {
	switch by {
	case schemas.ByHost:
		return website.Host(pageURL)
	case schemas.ByDomain:
		return website.Domain(pageURL)
	}
	return fileName
}

// Site returns the site of a page: what its address says, or its package. The address
// of a file says nothing of a site, so its site is its package, too.
func Site(by, pkg, pageURL string) string {
	if by == schemas.ByPackage || IsFile(pageURL) {
		return pkg
	}
	return website.Key(by, pageURL)
}

// IsFile reports whether an address is that of a local file.
func IsFile(pageURL string) bool {
	const scheme = "file:"
	return len(pageURL) > len(scheme) && strings.EqualFold(pageURL[:len(scheme)], scheme)
}
