package worker

import (
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms/site"
)

// Values of Recipe.PackageBy and Recipe.SiteBy.
const (
	ByFile    = "file"
	ByHost    = site.ByHost
	ByDomain  = site.ByDomain
	ByPackage = "package"
)

// CheckGrouping refuses values of PackageBy and SiteBy that do not exist.
func CheckGrouping(packageBy, siteBy string) error {
	switch packageBy {
	case ByFile, ByHost, ByDomain:
	default:
		return fmt.Errorf("worker: package by %q: one of %s, %s, %s", packageBy, ByFile, ByHost, ByDomain)
	}
	switch siteBy {
	case ByHost, ByDomain, ByPackage:
	default:
		return fmt.Errorf("worker: site by %q: one of %s, %s, %s", siteBy, ByHost, ByDomain, ByPackage)
	}
	return nil
}

// groupKey is the package of a page that has none of its own.
func groupKey(by, fileName, pageURL string) string {
	switch by {
	case ByHost:
		return site.Host(pageURL)
	case ByDomain:
		return site.Domain(pageURL)
	}
	return fileName
}

// siteKey is the site of a page: what its address says, or its package. The
// address of a file says nothing of a site, so it is its package, too.
func siteKey(by, pkg, pageURL string) string {
	if by == ByPackage || isFile(pageURL) {
		return pkg
	}
	return site.Key(by, pageURL)
}

func isFile(pageURL string) bool {
	const scheme = "file:"
	return len(pageURL) > len(scheme) && strings.EqualFold(pageURL[:len(scheme)], scheme)
}
